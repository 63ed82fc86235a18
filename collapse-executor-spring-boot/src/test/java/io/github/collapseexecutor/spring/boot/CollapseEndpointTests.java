package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

/** What an engineer on call sees and switches: by the endpoint over HTTP, and by the bean. */
class CollapseEndpointTests {

    private static final String YAML = """
            collapse:
              executor:
                join: in-flight
                max-wait: 10m
                rest-template:
                  apply-bean-names: restTemplate
                  collapse-groups:
                    - uris: /user/*
                    - uris: /article/*
                      collapse-policy-name: path-only
            management:
              endpoints:
                web:
                  exposure:
                    include: collapse
            """;

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestTemplate restTemplate() {
            return new RestTemplate();
        }
    }

    private static final class Running implements AutoCloseable {

        // immutable
        private final ConfigurableApplicationContext context;
        private final HttpClient browser = HttpClient.newHttpClient();
        private final String address;
        final Backend backend;

        Running(String... arguments) {
            context = new TestApplication()
                    .withServer()
                    .with(Backend.class, Clients.class)
                    .arguments(arguments)
                    .start(YAML);
            address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
            backend = context.getBean(Backend.class);
        }

        String get(String path) {
            return String.valueOf(context.getBean(RestTemplate.class).getForObject(address + path, String.class));
        }

        CollapseControl control() {
            return context.getBean(CollapseControl.class);
        }

        HttpResponse<String> ask(String path) throws IOException, InterruptedException {
            return browser.send(
                    HttpRequest.newBuilder(URI.create(address + "/actuator/collapse" + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }

        int post(String path, String action) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/actuator/collapse" + path))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"" + action + "\"}"))
                    .build();
            return browser.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
        }

        /** How many calls three callers at the same time make of the backend. */
        int callsOfThree(String path) throws Exception {
            int before = backend.calls().size();
            Callers callers = new Callers(backend);
            callers.add(3, () -> get(path));
            callers.answersOnceAllHaveArrived();
            return backend.calls().size() - before;
        }

        @Override
        public void close() {
            backend.release();
            context.close();
        }
    }

    private static Map<?, ?> json(String text) {
        return JsonParserFactory.getJsonParser().parseMap(text);
    }

    private static Object at(Map<?, ?> json, String... path) {
        Object value = json;
        for (String key : path) {
            value = value instanceof List<?> list ? list.get(Integer.parseInt(key)) : ((Map<?, ?>) value).get(key);
        }
        return value;
    }

    @Test
    void itShowsTheSectionItsGroupsAndWhatTheyHaveDone() throws Exception {
        try (Running application = new Running()) {
            assertThat(application.callsOfThree("/user/secret")).isEqualTo(1);
            String body = application.ask("").body();
            Map<?, ?> section = (Map<?, ?>) at(json(body), "sections", "rest-template");
            assertThat(at(section, "enabled")).isEqualTo(true);
            assertThat(at(section, "paused")).isEqualTo(false);
            assertThat(at(section, "groups", "0", "uris")).asString().isEqualTo("[/user/*]");
            assertThat(at(section, "groups", "1", "policy")).isEqualTo("path-only");
            assertThat(at(section, "settings", "join")).isEqualTo("IN_FLIGHT");
            assertThat(at(section, "saved")).isEqualTo(2);
            assertThat(at(section, "calls", "leader")).isEqualTo(1);
            assertThat(at(section, "calls", "follower")).isEqualTo(2);
            assertThat(at(section, "batches", "count")).isEqualTo(1);
            assertThat(at(section, "now", "pending")).isEqualTo(0);
            assertThat(body).as("H33").doesNotContain("secret").doesNotContain("localhost");
            assertThat(json(application.ask("/rest-template").body())).hasToString(section.toString());
            assertThat(application.ask("/none").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void itShowsTheSettingsByWhichASectionGathers() throws Exception {
        try (Running application = new Running(
                "--collapse.executor.executors.rest-template.at-most-once=true",
                "--collapse.executor.executors.rest-template.max-batch-weight=1000000",
                "--collapse.executor.executors.rest-template.max-pending=40")) {
            Map<?, ?> settings =
                    (Map<?, ?>) at(json(application.ask("/rest-template").body()), "settings");
            assertThat(settings.get("atMostOnce")).isEqualTo(true);
            assertThat(settings.get("maxBatchWeight")).isEqualTo(1_000_000);
            assertThat(settings.get("maxPending")).isEqualTo(40);
            assertThat(settings.get("maxBatchSize")).isEqualTo("unlimited");
            settings = (Map<?, ?>) at(json(application.ask("/web-client").body()), "settings");
            assertThat(settings.get("atMostOnce")).isEqualTo(false);
            assertThat(settings.get("maxBatchWeight")).isEqualTo("unlimited");
        }
    }

    @Test
    void itShowsWhatADryRunHasFound_andTheMetersCountIt() throws Exception {
        try (Running application = new Running("--collapse.executor.rest-template.dry-run=true")) {
            assertThat(application.callsOfThree("/user/secret")).isEqualTo(3);
            String body = application.ask("").body();
            Map<?, ?> found = (Map<?, ?>) at(json(body), "sections", "rest-template", "groups", "0", "dryRun");
            assertThat(found.get("requests")).isEqualTo(3);
            assertThat(found.get("shared")).isEqualTo(2);
            assertThat(found.get("compared")).isEqualTo(2);
            assertThat(body).as("H33").doesNotContain("secret").doesNotContain("localhost");
            MeterRegistry registry = application.context.getBean(MeterRegistry.class);
            assertThat(registry.get("collapse.dry.run.shared")
                            .tag("name", "rest-template")
                            .tag("group", "[/user/*]")
                            .functionCounter()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("collapse.not.collapsed")
                            .tag("reason", "dry-run")
                            .counter()
                            .count())
                    .isEqualTo(3);
        }
    }

    @Test
    void failuresAreShownByTheirTypeOnly() throws Exception {
        try (Running application = new Running()) {
            RestTemplate client = application.context.getBean(RestTemplate.class);
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> client.getForObject("http://localhost:1/user/secret", String.class)))
                    .isNotNull();
            String body = application.ask("/rest-template").body();
            assertThat(at(json(body), "failures", "java.net.ConnectException", "count"))
                    .isEqualTo(1);
            assertThat(body).doesNotContain("secret");
        }
    }

    @ParameterizedTest
    @CsvSource({"/rest-template, 405", "/rest-template/0, 404"})
    void nothingIsSwitchedUnlessThatIsAllowed(String path, int status) throws Exception {
        try (Running application = new Running()) {
            assertThat(application.post(path, "pause")).isEqualTo(status);
            assertThat(application.control().isPaused("rest-template", 0)).isFalse();
        }
    }

    @Test
    void aPausedSectionPassesEveryRequestAtOnceUntilItIsResumed() throws Exception {
        try (Running application = new Running("--management.endpoint.collapse.access=unrestricted")) {
            application.backend.release();
            assertThat(application.post("/rest-template", "pause")).isEqualTo(200);
            assertThat(application.callsOfThree("/user/1")).isEqualTo(3);
            assertThat(application.callsOfThree("/article/1")).isEqualTo(3);
            Map<?, ?> section = json(application.ask("/rest-template").body());
            assertThat(at(section, "paused")).isEqualTo(true);
            assertThat(at(section, "notCollapsed", "paused")).isEqualTo(6);
            assertThat(application.post("/rest-template", "resume")).isEqualTo(200);
            assertThat(application.control().isPaused("rest-template", 0)).isFalse();
        }
    }

    @Test
    void aPausedGroupPassesItsRequestsAndTheOthersCollapse() throws Exception {
        try (Running application = new Running("--management.endpoint.collapse.access=unrestricted")) {
            assertThat(application.post("/rest-template/1", "pause")).isEqualTo(200);
            Callers callers = new Callers(application.backend);
            callers.add(3, () -> application.get("/article/1"));
            callers.add(3, () -> application.get("/user/1"));
            callers.answersOnceAllHaveArrived();
            assertThat(application.backend.calls())
                    .containsExactlyInAnyOrder(
                            "article 1 for anybody",
                            "article 1 for anybody",
                            "article 1 for anybody",
                            "user 1 for anybody");
            assertThat(application.post("/rest-template/1", "resume")).isEqualTo(200);
            assertThat(application.control().isPaused("rest-template", 1)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/none, pause",
        "/rest-template, stop",
        "/rest-template/2, pause",
        "/rest-template/-1, pause",
        "/rest-template/0, forget",
    })
    void whatIsNotThereIsABadRequest(String path, String action) throws Exception {
        try (Running application = new Running("--management.endpoint.collapse.access=unrestricted")) {
            assertThat(application.post(path, action)).isEqualTo(400);
        }
    }

    @Test
    void theControlNamesWhatThereIs() {
        runner().run(context -> {
            CollapseControl control = context.getBean(CollapseControl.class);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.pause("rest-client"))
                    .withMessageContaining("rest-client")
                    .withMessageContaining("rest-template");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.pause("rest-template", 1))
                    .withMessage("Section rest-template has no group 1: name one from 0 to 0, its place under"
                            + " collapse-groups");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> control.pause("web-client", 0))
                    .withMessageContaining("it has no groups");
        });
    }

    @Test
    void withoutTheActuatorThereIsTheControlOnly() {
        runner().withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(CollapseControl.class)
                        .doesNotHaveBean("collapseEndpoint")
                        .doesNotHaveBean(SectionObserver.class));
    }

    @Test
    void anEndpointThatIsNotExposedKeepsNoStatistics() {
        runner().run(context -> assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(CollapseEndpoint.class)
                .doesNotHaveBean(SectionObserver.class));
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CollapseExecutorAutoConfiguration.class, CollapseEndpointAutoConfiguration.class))
                .withPropertyValues("collapse.executor.rest-template.collapse-groups[0].uris=/user/*");
    }
}
