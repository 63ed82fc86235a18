package io.github.collapseexecutor.spring.boot.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

/** {@code rest-client} is another name of the section {@code rest-template}. */
@ExtendWith(OutputCaptureExtension.class)
class RestClientSectionTests {

    private static final String FIRST = CollapseExecutorProperties.PREFIX + ".rest-template";
    private static final String SECOND = CollapseExecutorProperties.PREFIX + ".rest-client";

    private static CollapseExecutorProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate(CollapseExecutorProperties.PREFIX, CollapseExecutorProperties.class);
    }

    @Test
    void everyPropertyBelowItIsThatOfRestTemplate() {
        Map<String, String> first = new LinkedHashMap<>();
        Map<String, String> second = new LinkedHashMap<>();
        IneffectivePropertiesTests.every().forEach((name, value) -> {
            if (name.startsWith(FIRST + ".")) {
                first.put(name, value);
                second.put(SECOND + name.substring(FIRST.length()), value);
            }
        });
        assertThat(first).hasSizeGreaterThan(20);
        assertThat(IneffectivePropertiesTests.every()).containsAllEntriesOf(second);
        assertThat(bound(second).section("rest-template"))
                .isEqualTo(bound(first).section("rest-template"))
                .isNotEqualTo(bound(Map.of()).section("rest-template"));
    }

    @Test
    void clientsCollapseAndTheLogNamesTheSectionByItsFirstName(CapturedOutput output) throws Exception {
        try (ScriptedOrigin origin = ScriptedOrigin.start();
                ConfigurableApplicationContext application = new TestApplication()
                        .alone()
                        .with(Clients.class)
                        .arguments("--logging.level.io.github.collapseexecutor=info")
                        .start("""
                                collapse.executor:
                                  rest-client:
                                    join: in-flight
                                    apply-bean-names: template
                                    collapse-groups:
                                      - uris: /user/*
                                """)) {
            origin.answer(request -> OriginReply.ok(request.target()));
            HttpCollapseControl control = application
                    .getBean(HttpSections.class)
                    .find("rest-template")
                    .control();
            Hold hold = origin.hold();
            List<FutureTask<String>> callers = Stream.generate(() -> new FutureTask<>(() -> String.valueOf(
                            application.getBean(RestTemplate.class).getForObject(origin.uri("/user/7"), String.class))))
                    .limit(2)
                    .toList();
            callers.forEach(caller -> new Thread(caller).start());
            await().atMost(Duration.ofSeconds(30)).until(() -> control.counts().callers() == 2);
            hold.release();
            for (FutureTask<String> caller : callers) {
                assertThat(caller.get(30, TimeUnit.SECONDS)).isEqualTo("/user/7");
            }
            assertThat(origin.requests()).hasSize(1);
        }
        assertThat(output).contains("rest-template: template collapses /user/* (strict), in-flight");
        assertThat(output.getAll()).doesNotContain(" WARN ");
    }

    @ParameterizedTest
    @CsvSource({"enabled, true", "join, fresh", "collapse-groups[0].uris, /user/*"})
    void bothNamesStopTheStart(String key, String value) {
        assertThat(new TestApplication()
                        .alone()
                        .arguments("--" + SECOND + ".join=in-flight")
                        .failure(FIRST + "." + key + ": " + value))
                .contains("Property: " + SECOND + ".join\n    Value: \"in-flight\"\n")
                .contains("Reason: " + SECOND + " is another name of " + FIRST + ", and " + FIRST + "." + key
                        + " is set, too")
                .endsWith("Write all properties of the section under one of the two names.");
    }

    /** As it was written, and not by its other name. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            .collapse-groups[0].collapse-policy-name=other | Property: collapse.executor.rest-client.collapse-groups[0].collapse-policy-name
            .fan-out-limit=0        | Property: collapse.executor.rest-client.fan-out-limit
            .enabeld=true           | collapse.executor.rest-client has no key enabeld; did you mean enabled?
            .max-pending=7          | Write collapse.executor.executors.rest-template.max-pending, or
            .apply-bean-names=users | Property: collapse.executor.rest-client.apply-bean-names
            """)
    void aMistakeIsNamedAsItWasWritten(String property, String message) {
        assertThat(new TestApplication()
                        .alone()
                        .with(Clients.class)
                        .arguments("--" + SECOND + property)
                        .failure(SECOND + ".collapse-groups[0].uris: /user/*"))
                .contains(message)
                .doesNotContain(FIRST + ".");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            dry-run=true, collapse-groups[0].dry-run=false | collapse.executor.rest-client.dry-run (true) has no effect
            join=in-flight, collapse-groups[0].join=fresh  | collapse.executor.rest-client.join (in-flight) has no effect
            follower-timeout=2ms                           | collapse.executor.rest-client.follower-timeout is 2 ms
            """)
    void soIsAPropertyWithoutEffect(String properties, String sentence, CapturedOutput output) {
        TestApplication application = new TestApplication().alone().with(Clients.class);
        for (String property : List.of(properties.split(", "))) {
            application.arguments("--" + SECOND + "." + property);
        }
        application.arguments("--" + SECOND + ".collapse-groups[0].uris=/user/*"); // a list is read from one source
        application.start(SECOND + ".apply-bean-names: template").close();
        assertThat(output).contains(sentence);
        assertThat(output.getAll()).doesNotContain(FIRST);
    }

    @Test
    void theExecutorHasTheFirstNameOnly(CapturedOutput output) {
        new TestApplication().alone().with(Clients.class).start("""
                        collapse.executor:
                          executors.rest-client.max-pending: 7
                          rest-client:
                            apply-bean-names: template
                            collapse-groups:
                              - uris: /user/*
                        """).close();
        assertThat(output)
                .contains(
                        "collapse.executor.executors.rest-client configures nothing: requests of RestClient are gathered as"
                                + " collapse.executor.executors.rest-template says. Write that, or remove the property.");
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestTemplate template() {
            return new RestTemplate();
        }
    }
}
