package io.github.collapseexecutor.spring.boot.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** An application that is shut down while requests share a handler, and the handlers share a call: everybody gets the answer first. */
class ShutdownInFlightTests {

    private static final int CALLERS = 30;

    private static final String GRACEFUL = """
            server.shutdown: graceful
            spring.lifecycle.timeout-per-shutdown-phase: 1m
            management.endpoints.enabled-by-default: false
            """;

    private final CountDownLatch closing = new CountDownLatch(1);
    private final CompletableFuture<Void> release = new CompletableFuture<>();
    private final AtomicInteger arrived = new AtomicInteger();
    private final HttpClient client = HttpClient.newHttpClient();
    private HttpServer backend;

    @BeforeEach
    void startBackend() throws IOException {
        backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.setExecutor(Executors.newCachedThreadPool());
        backend.createContext("/", exchange -> {
            byte[] body = "from the backend".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        backend.start();
    }

    @AfterEach
    void stopBackend() {
        backend.stop(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"async", "block"})
    void requestsOfAServletContainerEndBeforeIt(String waiting) throws Exception {
        everybodyIsAnswered(new TestApplication()
                .withServer()
                .with(OnServlets.class)
                .with(context -> {
                    context.registerBean(ShutdownInFlightTests.class, () -> this);
                })
                .start(GRACEFUL + """
                collapse.executor:
                  servlet: {waiting: %s, collapse-groups: [{uris: /held}]}
                  rest-template: {apply-bean-names: client, collapse-groups: [{uris: /**}]}
                """.formatted(waiting)));
    }

    @Test
    void requestsOfAReactiveServerEndBeforeIt() throws Exception {
        everybodyIsAnswered(new TestApplication()
                .withReactiveServer()
                .with(OnNetty.class)
                .with(context -> {
                    context.registerBean(ShutdownInFlightTests.class, () -> this);
                })
                .start(GRACEFUL + """
                collapse.executor:
                  servlet: {collapse-groups: [{uris: /held}]}
                  web-client: {collapse-groups: [{uris: /**}]}
                """));
    }

    private void everybodyIsAnswered(ConfigurableApplicationContext context) throws Exception {
        context.addApplicationListener((ApplicationListener<ContextClosedEvent>) event -> closing.countDown());
        int port = Integer.parseInt(requireNonNull(context.getEnvironment().getProperty("local.server.port")));
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            answers.add(client.sendAsync(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/held"))
                            .version(HttpClient.Version.HTTP_1_1)
                            .timeout(Duration.ofMinutes(1))
                            .build(),
                    BodyHandlers.ofString()));
        }
        Awaitility.await().until(() -> arrived.get() == CALLERS);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
        assertThat(closing.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(closed).isNotDone();
        release.complete(null);
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            HttpResponse<String> response = answer.get(1, TimeUnit.MINUTES);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("from the backend");
        }
        closed.get(1, TimeUnit.MINUTES);
    }

    private String backend() {
        return "http://localhost:" + backend.getAddress().getPort() + "/thing";
    }

    /** On Tomcat, with a client that blocks. */
    @Configuration(proxyBeanMethods = false)
    static class OnServlets {

        @Bean
        RestTemplate client() {
            return new RestTemplate();
        }

        @Bean
        Filter counting(ShutdownInFlightTests test) {
            return new CountingFilter(test);
        }

        @Bean
        Held held(ShutdownInFlightTests test, RestTemplate client) {
            return new Held(test, client);
        }
    }

    @Order(Ordered.HIGHEST_PRECEDENCE)
    private record CountingFilter(ShutdownInFlightTests test) implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            test.arrived.incrementAndGet();
            chain.doFilter(request, response);
        }
    }

    /** Waits until it may go on, and then asks the backend. */
    @RestController
    static class Held {

        private final ShutdownInFlightTests test;
        private final RestTemplate client;

        Held(ShutdownInFlightTests test, RestTemplate client) {
            this.test = test;
            this.client = client;
        }

        @GetMapping("/held")
        String held() {
            test.release.join();
            return requireNonNull(client.getForObject(test.backend(), String.class));
        }
    }

    /** On Netty, with a client that does not block. */
    @Configuration(proxyBeanMethods = false)
    static class OnNetty {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        WebFilter counting(ShutdownInFlightTests test) {
            return (exchange, chain) -> Mono.defer(() -> {
                test.arrived.incrementAndGet();
                return chain.filter(exchange);
            });
        }

        @Bean
        HeldReactively held(ShutdownInFlightTests test, WebClient.Builder builder) {
            return new HeldReactively(test, builder.build());
        }
    }

    /** The same without a thread. */
    @RestController
    static class HeldReactively {

        private final ShutdownInFlightTests test;
        private final WebClient client;

        HeldReactively(ShutdownInFlightTests test, WebClient client) {
            this.test = test;
            this.client = client;
        }

        @GetMapping("/held")
        Mono<String> held() {
            return Mono.fromFuture(() -> test.release.copy())
                    .then(client.get().uri(test.backend()).retrieve().bodyToMono(String.class));
        }
    }
}
