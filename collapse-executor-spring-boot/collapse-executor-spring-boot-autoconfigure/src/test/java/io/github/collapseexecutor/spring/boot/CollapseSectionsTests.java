package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.spring.boot.endpoint.ShownByEndpoint;
import io.github.collapseexecutor.spring.boot.fixture.Backend;
import io.github.collapseexecutor.spring.boot.fixture.BackendCallers;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

/** An adapter that the application makes itself, as a section beside the auto-configured ones. */
class CollapseSectionsTests {

    private static final String YAML = """
            management:
              endpoints:
                web:
                  exposure:
                    include: collapse
            """;

    private static final List<String> executors = new CopyOnWriteArrayList<>();

    @Configuration(proxyBeanMethods = false)
    static class Listeners {

        @Bean
        CollapseListener batches() {
            return new CollapseListener() {
                @Override
                public void batchEnded(BatchSummary batch) {
                    executors.add(batch.executor());
                }
            };
        }
    }

    @AfterEach
    void forget() {
        executors.clear();
    }

    private static HttpCollapseOptions.Builder users() {
        return HttpCollapseOptions.builder().rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/user/*")));
    }

    private static void threeCallers(ConfigurableApplicationContext context, RestTemplate client) throws Exception {
        String address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port") + "/user/1";
        BackendCallers callers = new BackendCallers(context.getBean(Backend.class));
        callers.add(3, () -> String.valueOf(client.getForObject(address, String.class)));
        callers.answersOnceAllHaveArrived();
    }

    @Test
    void itIsSeenByListenersMetersEndpointAndSwitch_andItsOwnListenersAreToldToo() throws Exception {
        try (ConfigurableApplicationContext context = new TestApplication()
                .withServer()
                .with(Backend.class, Listeners.class)
                .start(YAML)) {
            isSeen(context);
            context.getBean(Backend.class).release();
        }
    }

    private static void isSeen(ConfigurableApplicationContext context) throws Exception {
        AtomicInteger ownRequests = new AtomicInteger();
        AtomicInteger ownBatches = new AtomicInteger();
        HttpCollapseControl ownControl = new HttpCollapseControl();
        CollapseHttpRequestInterceptor interceptor = context.getBean(CollapseSections.class)
                .add(
                        "search",
                        users().control(ownControl).listener(new HttpCollapseListener() {
                            @Override
                            public void requestEnded(HttpCallSummary request) {
                                ownRequests.incrementAndGet();
                            }
                        }),
                        CollapseOptions.builder()
                                .name("another")
                                .joinMode(JoinMode.IN_FLIGHT)
                                .maxWait(
                                        Duration.ofMinutes(10)) // however slow the machine is, the three share one call
                                .listener(batch -> ownBatches.incrementAndGet())
                                .build(),
                        CollapseHttpRequestInterceptor::new);
        RestTemplate client = new RestTemplate();
        client.getInterceptors().add(interceptor);
        threeCallers(context, client);
        Map<String, Object> shown = ShownByEndpoint.of(context, "search");
        assertThat(shown)
                .containsEntry("saved", 2L)
                .containsEntry("requests", 3L)
                .containsEntry("sent", 1L);
        assertThat(executors).containsExactly("search");
        assertThat(ownRequests).hasValue(3);
        assertThat(ownBatches).hasValue(1);
        assertThat(context.getBean(MeterRegistry.class)
                        .get("collapse.saved")
                        .tag("name", "search")
                        .counter()
                        .count())
                .isEqualTo(2);
        CollapseControl control = context.getBean(CollapseControl.class);
        assertThat(control.sections()).contains("search");
        control.pause("search");
        assertThat(ownControl.isPaused()).isTrue();
        context.getBean(Backend.class).release();
        threeCallers(context, client);
        assertThat(ShownByEndpoint.of(context, "search"))
                .containsEntry("saved", 2L)
                .containsEntry("requests", 6L)
                .containsEntry("sent", 4L);
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CollapseExecutorAutoConfiguration.class));
    }

    private static String add(CollapseSections sections, String name) {
        return sections.add(name, users(), CollapseOptions.defaults(), (http, core) -> "made");
    }

    @Test
    void aNameIsPlain() {
        runner().run(context -> {
            CollapseSections sections = context.getBean(CollapseSections.class);
            for (String name : List.of("", "Search", "a b", "-a", "a--b", "a/b")) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> add(sections, name))
                        .withMessage(
                                "A section cannot be called \"" + name
                                        + "\": write small letters, digits and single hyphens between them, for example search");
            }
        });
    }

    @Test
    void theNamesOfTheSectionsOfThePropertiesAreTaken_alsoWhereTheirLibrariesAreAbsent() {
        runner().withClassLoader(new FilteredClassLoader(
                        "org.springframework.http.client",
                        "org.springframework.web.client",
                        "org.springframework.web.reactive.function.client"))
                .run(context -> {
                    assertThat(context.getBean(CollapseControl.class).sections())
                            .isEmpty();
                    CollapseSections sections = context.getBean(CollapseSections.class);
                    for (String name : List.of("rest-template", "web-client", "servlet", "webflux")) {
                        assertThatIllegalArgumentException()
                                .isThrownBy(() -> add(sections, name))
                                .withMessage(
                                        "There is a section " + name
                                                + " already: choose another name than rest-template, servlet, web-client, webflux");
                    }
                    assertThat(add(sections, "search")).isEqualTo("made");
                });
    }

    @Test
    void aNameIsNewAndNotThatOfASectionOfTheProperties() {
        runner().run(context -> {
            CollapseSections sections = context.getBean(CollapseSections.class);
            assertThat(add(sections, "search")).isEqualTo("made");
            for (String name : List.of("rest-template", "web-client", "servlet", "search")) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> add(sections, name))
                        .withMessageContaining("There is a section " + name + " already: choose another name than ")
                        .withMessageContaining("search");
            }
        });
    }
}
