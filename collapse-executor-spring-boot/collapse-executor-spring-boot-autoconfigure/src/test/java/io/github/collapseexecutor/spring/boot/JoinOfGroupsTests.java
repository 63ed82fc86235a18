package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** A caller that comes while a call is running joins it in one group of a section, and not in another. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class JoinOfGroupsTests {

    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** A call that joins none that is running starts at once beside it. */
    private static final String AT_ONCE = "collapse.executor.max-wait-ratio: 0\n";

    private static final String CLIENTS =
            AT_ONCE + section("rest-template", "in-flight") + section("web-client", "fresh");

    private static String section(String name, String join) {
        return """
                collapse.executor.%s:
                  join: %s
                  collapse-groups:
                    - uris: /fresh/*
                      join: fresh
                    - uris: /running/*
                      join: in-flight
                    - uris: /others/*
                """.formatted(name, join);
    }

    private ScriptedOrigin origin;
    private ConfigurableApplicationContext clients;
    private ConfigurableApplicationContext servlets;
    private ConfigurableApplicationContext reactive;

    @BeforeAll
    void start() throws Exception {
        origin = ScriptedOrigin.start();
        origin.answer(request -> OriginReply.ok(request.target()));
        clients = new TestApplication().alone().with(Clients.class).start(CLIENTS + """
                collapse.executor.rest-template.apply-bean-names: template
                collapse.executor.web-client.apply-bean-names: webClient
                """);
        servlets =
                new TestApplication().with(Server.class).withServer().start(AT_ONCE + section("servlet", "in-flight"));
        reactive = new TestApplication()
                .with(Server.class)
                .withReactiveServer()
                .start(AT_ONCE + section("webflux", "fresh"));
    }

    @AfterAll
    void stop() throws Exception {
        reactive.close();
        servlets.close();
        clients.close();
        origin.close();
    }

    private static HttpCollapseControl control(ConfigurableApplicationContext application, String section) {
        return application.getBean(HttpSections.class).find(section).control();
    }

    @ParameterizedTest
    @CsvSource({
        "rest-template, /fresh/1, 2",
        "rest-template, /running/1, 1",
        "rest-template, /others/1, 1",
        "web-client, /fresh/2, 2",
        "web-client, /running/2, 1",
        "web-client, /others/2, 2",
    })
    void aCallOfAClientIsJoinedWhereItsGroupSaysSo(String section, String path, int calls) throws Exception {
        String uri = origin.uri(path).toString();
        Callable<String> call = section.equals("web-client")
                ? () -> String.valueOf(clients.getBean(WebClient.class)
                        .get()
                        .uri(uri)
                        .retrieve()
                        .bodyToMono(String.class)
                        .block(LONGEST))
                : () -> String.valueOf(clients.getBean(RestTemplate.class).getForObject(uri, String.class));
        int before = origin.requests().size();
        Hold hold = origin.hold();
        FutureTask<String> first = begin(call);
        hold.await(1);
        FutureTask<String> second = begin(call);
        if (calls == 1) {
            await().atMost(LONGEST)
                    .until(() -> control(clients, section).counts().callers() == 2);
        } else {
            hold.await(1);
        }
        hold.release();
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(path);
        assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(path);
        assertThat(origin.requests()).hasSize(before + calls);
    }

    private static FutureTask<String> begin(Callable<String> call) {
        FutureTask<String> caller = new FutureTask<>(call);
        new Thread(caller).start();
        return caller;
    }

    @ParameterizedTest
    @CsvSource({
        "servlet, /fresh/1, 2",
        "servlet, /running/1, 1",
        "servlet, /others/1, 1",
        "webflux, /fresh/2, 2",
        "webflux, /running/2, 1",
        "webflux, /others/2, 2",
    })
    void aHandlerIsJoinedWhereTheGroupSaysSo(String section, String path, int calls) throws Exception {
        ConfigurableApplicationContext server = section.equals("servlet") ? servlets : reactive;
        int port = server.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        Request request = Request.get(URI.create("http://localhost" + path));
        Held held = server.getBean(Server.class).at(path);
        try (RawClient first = RawClient.send(port, request)) {
            await().atMost(LONGEST).until(() -> held.runs.get() == 1);
            try (RawClient second = RawClient.send(port, request)) {
                if (calls == 1) {
                    await().atMost(LONGEST)
                            .until(() -> control(server, section).counts().callers() == 2);
                } else {
                    await().atMost(LONGEST).until(() -> held.runs.get() == 2);
                }
                held.released.complete(null);
                assertThat(first.response("GET").body()).isEqualTo(path);
                assertThat(second.response("GET").body()).isEqualTo(path);
            }
        }
        assertThat(held.runs).hasValue(calls);
    }

    @Test
    void theLogSaysWhichGroupJoins(CapturedOutput output) {
        new TestApplication()
                .alone()
                .with(Clients.class)
                .arguments("--logging.level.io.github.collapseexecutor=info")
                .start(CLIENTS + "collapse.executor.rest-template.apply-bean-names: template")
                .close();
        assertThat(output)
                .contains("rest-template: template collapses /fresh/* (strict, fresh), /running/* (strict, in-flight),"
                        + " /others/* (strict), in-flight");
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        RestTemplate template() {
            return new RestTemplate();
        }

        @Bean
        WebClient webClient() {
            return WebClient.create();
        }
    }

    /** The runs of a handler at one path, which end together. */
    static final class Held {

        final AtomicInteger runs = new AtomicInteger();
        final CompletableFuture<Void> released = new CompletableFuture<>();
    }

    @Configuration(proxyBeanMethods = false)
    @RestController
    static class Server {

        private final Map<String, Held> paths = new ConcurrentHashMap<>();

        Held at(String path) {
            return paths.computeIfAbsent(path, missing -> new Held());
        }

        @GetMapping("/{group}/{id}")
        Mono<String> answer(@PathVariable("group") String group, @PathVariable("id") String id) {
            String path = "/" + group + "/" + id;
            Held held = at(path);
            held.runs.incrementAndGet();
            return Mono.fromFuture(held.released, true).thenReturn(path);
        }
    }
}
