package io.github.collapseexecutor.spring.boot.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.spring.boot.fixture.Backend;
import io.github.collapseexecutor.spring.boot.fixture.CountingBackend;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

/** What the endpoint and the gauges show while callers wait, and of keys that pass. */
class PresentCallersTests {

    /** Pairs of callers are batches; a pair starts when both are there, so that nothing depends on time. */
    private static final String PAIRS = """
            collapse.executor:
              executors.rest-template:
                wait-threshold: 2
                collecting-wait-time: 10m
                max-wait: 10m
                join: in-flight
              rest-template:
                apply-bean-names: restTemplate
                pass-ttl: 1h
                collapse-groups:
                  - uris: [/user/*, /private/*]
            management.endpoints.web.exposure.include: collapse
            management.endpoint.collapse.access: unrestricted
            """;

    private final HttpClient browser = HttpClient.newHttpClient();
    private final ExecutorService callers = Executors.newCachedThreadPool();

    @AfterEach
    void stopCallers() {
        callers.shutdownNow();
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestTemplate restTemplate() {
            return new RestTemplate();
        }
    }

    private static ConfigurableApplicationContext start(Class<?> backend) {
        return new TestApplication().withServer().with(Clients.class, backend).start(PAIRS);
    }

    private static String address(ConfigurableApplicationContext context) {
        return "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
    }

    private CompletableFuture<String> ask(ConfigurableApplicationContext context, String path) {
        return CompletableFuture.supplyAsync(
                () -> String.valueOf(
                        context.getBean(RestTemplate.class).getForObject(address(context) + path, String.class)),
                callers);
    }

    private Map<?, ?> now(ConfigurableApplicationContext context) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address(context) + "/actuator/collapse/rest-template"))
                .build();
        String body =
                browser.send(request, HttpResponse.BodyHandlers.ofString()).body();
        return (Map<?, ?>) JsonParserFactory.getJsonParser().parseMap(body).get("now");
    }

    private static int gauge(ConfigurableApplicationContext context, String name) {
        return (int) context.getBean(MeterRegistry.class)
                .get(name)
                .tag("name", "rest-template")
                .gauge()
                .value();
    }

    @Test
    void callersThatWaitAndTheirCallAreShown() throws Exception {
        try (ConfigurableApplicationContext context = start(Backend.class)) {
            Backend backend = context.getBean(Backend.class);
            List<CompletableFuture<String>> present =
                    List.of(ask(context, "/user/1"), ask(context, "/user/1"), ask(context, "/user/2"));
            await().untilAsserted(() -> {
                assertThat(backend.calls()).containsExactly("user 1 for anybody");
                assertThat(gauge(context, "collapse.pending")).isEqualTo(3);
            });
            assertThat(gauge(context, "collapse.in.flight")).isEqualTo(1);
            assertThat(gauge(context, "collapse.groups")).isEqualTo(2);
            Map<?, ?> shown = now(context);
            assertThat(shown.get("pending")).isEqualTo(3);
            assertThat(shown.get("gathering")).isEqualTo(1);
            assertThat(shown.get("inFlight")).isEqualTo(1);
            assertThat(shown.get("groups")).isEqualTo(2);
            assertThat(shown.get("passingKeys")).isEqualTo(0);
            CompletableFuture<String> second = ask(context, "/user/2");
            backend.release();
            assertThat(second).succeedsWithin(30, TimeUnit.SECONDS);
            assertThat(present).allSatisfy(caller -> assertThat(caller).succeedsWithin(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void keysThatPassAreCounted_andGatheredAgainWhenTheyAreForgotten() throws Exception {
        try (ConfigurableApplicationContext context = start(CountingBackend.class)) {
            askAsAPair(context);
            await().untilAsserted(() -> {
                assertThat(now(context).get("passingKeys")).isEqualTo(1);
                assertThat(now(context).get("groups")).isEqualTo(0);
            });
            assertThat(gauge(context, "collapse.passing")).isEqualTo(1);
            assertThat(ask(context, "/private/1"))
                    .as("it passes, and waits for no second one")
                    .succeedsWithin(30, TimeUnit.SECONDS);
            assertThat(forget(context)).isEqualTo(200);
            assertThat(now(context).get("passingKeys")).isEqualTo(0);
            askAsAPair(context);
            await().untilAsserted(
                            () -> assertThat(now(context).get("passingKeys")).isEqualTo(1));
        }
    }

    private void askAsAPair(ConfigurableApplicationContext context) {
        CompletableFuture<String> first = ask(context, "/private/1");
        await().until(() -> gauge(context, "collapse.pending") == 1);
        assertThat(ask(context, "/private/1")).succeedsWithin(30, TimeUnit.SECONDS);
        assertThat(first).succeedsWithin(30, TimeUnit.SECONDS);
    }

    private int forget(ConfigurableApplicationContext context) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address(context) + "/actuator/collapse/rest-template"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"forget\"}"))
                .build();
        return browser.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }
}
