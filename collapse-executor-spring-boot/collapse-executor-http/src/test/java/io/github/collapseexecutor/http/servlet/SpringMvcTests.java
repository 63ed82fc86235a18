package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers of Spring MVC that give their result later, by every type that it knows for that, run once for all callers. */
class SpringMvcTests {

    private static final int FOLLOWERS = 5;

    private final WaitingRequests waiting = new WaitingRequests();
    private final List<RawClient> clients = new ArrayList<>();
    private final Semaphore entered = new Semaphore(0);
    private final AtomicInteger runs = new AtomicInteger();

    /** What every handler waits for. */
    private final CompletableFuture<String> value = new CompletableFuture<>();

    private ServletServer server;

    @AfterEach
    void stop() throws IOException {
        value.cancel(false);
        for (RawClient client : clients) {
            client.close();
        }
        server.close();
    }

    private void start(ServletServer.Make make) {
        HttpCollapseOptions http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                .build();
        CollapseOptions inFlight = CollapseOptions.builder()
                .joinMode(JoinMode.IN_FLIGHT)
                .maxWait(Duration.ofMinutes(10))
                .build();
        AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
        context.register(Mvc.class);
        context.addBeanFactoryPostProcessor(beans -> beans.registerSingleton("handlers", new Handlers()));
        server = make.start(
                10, List.of(waiting, WaitingRequests.asynchronous(http, inFlight)), new DispatcherServlet(context));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Mvc {}

    @RestController
    final class Handlers {

        private <T> T entering(T result) {
            runs.incrementAndGet();
            entered.release();
            return result;
        }

        @GetMapping("/callable")
        Callable<String> callable() {
            return entering(value::get);
        }

        @GetMapping("/deferred-result")
        DeferredResult<String> deferredResult() {
            DeferredResult<String> result = new DeferredResult<>();
            CompletableFuture<Boolean> unused = value.thenApply(result::setResult);
            return entering(result);
        }

        @GetMapping("/future")
        CompletableFuture<String> future() {
            return entering(value.copy());
        }

        @GetMapping("/mono")
        Mono<String> mono() {
            return entering(Mono.fromFuture(value, true));
        }

        @GetMapping("/entity")
        Mono<ResponseEntity<String>> entity() {
            return entering(Mono.fromFuture(value, true)
                    .map(body -> ResponseEntity.status(HttpStatus.NOT_FOUND)
                            .header("X-Own", "1")
                            .body(body)));
        }

        @GetMapping("/broken")
        Mono<String> broken() {
            return entering(Mono.fromFuture(value, true)
                    .flatMap(body -> Mono.error(new ResponseStatusException(HttpStatus.GONE, body))));
        }

        @GetMapping("/streamed")
        StreamingResponseBody streamed() {
            return entering(out -> out.write(value.join().getBytes(StandardCharsets.UTF_8)));
        }

        @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> events() {
            return entering(Mono.fromFuture(value, true).flatMapMany(body -> Flux.just(body, body)));
        }

        @GetMapping("/error")
        void error(HttpServletResponse response) throws IOException {
            response.getWriter().write("page of " + response.getStatus());
        }
    }

    private RawClient send(String path) throws IOException {
        RawClient client = RawClient.send(server.port(), Request.get(URI.create("http://localhost" + path)));
        clients.add(client);
        return client;
    }

    private void awaitHandlers(int count) throws InterruptedException {
        assertThat(entered.tryAcquire(count, 30, TimeUnit.SECONDS)).isTrue();
    }

    private List<Response> responsesOfAll(String path) throws Exception {
        List<RawClient> all = new ArrayList<>();
        all.add(send(path));
        awaitHandlers(1);
        waiting.await(1); // the handler holds no thread of the container
        for (int i = 0; i < FOLLOWERS; i++) {
            all.add(send(path));
        }
        waiting.await(FOLLOWERS);
        value.complete("later");
        List<Response> responses = new ArrayList<>();
        for (RawClient client : all) {
            Response response = client.response("GET");
            response.headers().remove("date");
            responses.add(response);
        }
        return responses;
    }

    private static Stream<Arguments> makesAndPaths() {
        return Stream.of(ServletServer.Make.values())
                .flatMap(make -> Stream.of("/callable", "/deferred-result", "/future", "/mono")
                        .map(path -> Arguments.of(make, path)));
    }

    @ParameterizedTest
    @MethodSource("makesAndPaths")
    void aResultThatComesLaterIsShared(ServletServer.Make make, String path) throws Exception {
        start(make);
        List<Response> responses = responsesOfAll(path);
        assertThat(responses.get(0).status()).isEqualTo(200);
        assertThat(responses.get(0).body()).isEqualTo("later");
        assertThat(responses).extracting(Response::body).containsOnly("later");
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void statusAndHeadersThatComeLaterAreShared(ServletServer.Make make) throws Exception {
        start(make);
        List<Response> responses = responsesOfAll("/entity");
        assertThat(responses).allSatisfy(response -> {
            assertThat(response.status()).isEqualTo(404);
            assertThat(response.header("X-Own")).containsExactly("1");
            assertThat(response.body()).isEqualTo("later");
        });
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNDERTOW") // docs/servlet.md, Limits
    void H31_aFailureThatComesLaterGivesEverybodyTheSameError(ServletServer.Make make) throws Exception {
        start(make);
        List<Response> responses = responsesOfAll("/broken");
        assertThat(responses.get(0).status()).isEqualTo(410);
        assertThat(responses.get(0).body()).contains("page of 410");
        assertThat(responses).containsOnly(responses.get(0));
        assertThat(runs).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void aStreamOfEventsIsForOneOnly(ServletServer.Make make) throws Exception {
        start(make);
        List<Response> responses = responsesOfAll("/events");
        assertThat(responses).extracting(Response::body).containsOnly("data:later\n\ndata:later\n\n");
        assertThat(runs).hasValue(1 + FOLLOWERS);
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatIsWrittenOutsideOfADispatchIsForOneOnly(ServletServer.Make make) throws Exception {
        start(make);
        List<Response> responses = responsesOfAll("/streamed");
        assertThat(responses).extracting(Response::body).containsOnly("later");
        assertThat(runs).hasValue(1 + FOLLOWERS);
    }
}
