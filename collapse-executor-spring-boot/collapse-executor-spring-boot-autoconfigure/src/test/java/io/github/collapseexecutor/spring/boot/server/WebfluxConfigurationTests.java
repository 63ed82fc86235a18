package io.github.collapseexecutor.spring.boot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.web.reactive.function.server.RouterFunctions.route;

import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.CollapseWebFilter;
import io.github.collapseexecutor.spring.boot.CollapseControl;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.session.HeaderWebSessionIdResolver;
import org.springframework.web.server.session.WebSessionIdResolver;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code collapse.executor.webflux} in a reactive web application. */
class WebfluxConfigurationTests {

    private static final int CALLERS = 10;

    private static final String COLLAPSING = """
            collapse.executor:
              join: in-flight
              max-wait: 10m
              webflux:
                batch-size: 100
                collapse-groups:
                  - uris: /held/**
            server.compression:
              enabled: true
              min-response-size: 1
            """;

    private static ConfigurableApplicationContext start(String yaml, Class<?>... more) {
        return new TestApplication()
                .with(Web.class)
                .with(more)
                .withReactiveServer()
                .start(yaml);
    }

    private static int port(ConfigurableApplicationContext application) {
        return application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private static Request get(String path) {
        return Request.get(URI.create("http://localhost" + path));
    }

    private static List<RawClient> callAll(ConfigurableApplicationContext application, Request request)
            throws Exception {
        Web web = application.getBean(Web.class);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            clients.add(RawClient.send(port(application), request));
        }
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> web.seen.get() == CALLERS);
        return clients;
    }

    private static List<Response> answers(ConfigurableApplicationContext application, List<RawClient> clients)
            throws Exception {
        application.getBean(Web.class).released.complete(null);
        List<Response> responses = new ArrayList<>();
        for (RawClient client : clients) {
            try (client) {
                responses.add(client.response("GET"));
            }
        }
        return responses;
    }

    @ParameterizedTest
    @CsvSource({
        "/held/mono/7, /held/mono/{id}, 200",
        "/held/flux/7, /held/flux/{id}, 200",
        "/held/functional/7, /held/functional/{id}, 200",
        "/held/missing/7, /held/missing/{id}, 404",
    })
    void H40_handlersOfEveryKindAreSharedAndFollowersShowTheirRoute(String path, String route, int status)
            throws Exception {
        try (ConfigurableApplicationContext application = start(COLLAPSING)) {
            List<Response> responses = answers(application, callAll(application, get(path)));
            assertThat(responses).allMatch(response -> response.status() == status);
            Web web = application.getBean(Web.class);
            assertThat(web.runs).hasValue(1);
            SimpleMeterRegistry meters = application.getBean(SimpleMeterRegistry.class);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(meters.find("http.server.requests")
                                    .tag("uri", route)
                                    .tag("status", "" + status)
                                    .timers())
                            .singleElement()
                            .satisfies(timer -> assertThat(timer.count()).isEqualTo(CALLERS)));
        }
    }

    @Test
    void responsesAreCompressedForEachRequest() throws Exception {
        try (ConfigurableApplicationContext application = start(COLLAPSING)) {
            List<RawClient> clients = callAll(application, get("/held/mono/7").with("Accept-Encoding", "gzip"));
            assertThat(answers(application, clients))
                    .allSatisfy(response ->
                            assertThat(response.header("Content-Encoding")).containsExactly("gzip"));
            assertThat(application.getBean(Web.class).runs).hasValue(1);
        }
    }

    @Test
    void metersCountTheSection() throws Exception {
        try (ConfigurableApplicationContext application = start(COLLAPSING)) {
            answers(application, callAll(application, get("/held/mono/7")));
            assertThat(application.getBean(CollapseControl.class).sections()).contains("webflux");
            SimpleMeterRegistry meters = application.getBean(SimpleMeterRegistry.class);
            assertThat(meters.getMeters())
                    .filteredOn(meter -> meter.getId().getName().startsWith("collapse")
                            && meter.getId().getTags().toString().contains("webflux"))
                    .isNotEmpty();
        }
    }

    @Test
    void aPausedSectionLetsEveryRequestPass() throws Exception {
        try (ConfigurableApplicationContext application = start(COLLAPSING)) {
            application.getBean(CollapseControl.class).pause("webflux");
            answers(application, callAll(application, get("/held/mono/7")));
            assertThat(application.getBean(Web.class).runs).hasValue(CALLERS);
        }
    }

    @Test
    void theFilterIsTheLastOneUnlessAnOrderIsGiven() {
        try (ConfigurableApplicationContext application = start(COLLAPSING)) {
            assertThat(application.getBean(CollapseWebFilter.class).getOrder()).isEqualTo(Ordered.LOWEST_PRECEDENCE);
            assertThat(application.getBeanProvider(WebFilter.class).orderedStream())
                    .last()
                    .isInstanceOf(CollapseWebFilter.class);
        }
        try (ConfigurableApplicationContext application = start("collapse.executor.webflux.order: 5")) {
            assertThat(application.getBean(CollapseWebFilter.class).getOrder()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "collapse.executor.enabled: false",
                "collapse.executor.webflux.enabled: false",
                "collapse.executor.webflux.dry-run: true"
            })
    void H34_switchedOffOrInADryRunEveryRequestRunsItsHandler(String yaml) throws Exception {
        try (ConfigurableApplicationContext application = start(COLLAPSING + yaml)) {
            answers(application, callAll(application, get("/held/mono/7")));
            assertThat(application.getBean(Web.class).runs).hasValue(CALLERS);
        }
    }

    /** As filters of libraries do that are registered late and have no order. */
    @Test
    void H36_withAFilterBehindNothingIsSharedUnlessAnOrderIsGiven() throws Exception {
        try (ConfigurableApplicationContext application = start(COLLAPSING, LateFilter.class)) {
            answers(application, callAll(application, get("/held/mono/7")));
            assertThat(application.getBean(Web.class).runs).hasValue(CALLERS);
        }
        try (ConfigurableApplicationContext application =
                start(COLLAPSING + "collapse.executor.webflux.order: " + Ordered.LOWEST_PRECEDENCE, LateFilter.class)) {
            answers(application, callAll(application, get("/held/mono/7")));
            assertThat(application.getBean(Web.class).runs).hasValue(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LateFilter {

        @Bean
        static BeanDefinitionRegistryPostProcessor late() {
            return registry -> registry.registerBeanDefinition(
                    "lateFilter",
                    BeanDefinitionBuilder.genericBeanDefinition(
                                    WebFilter.class, () -> (exchange, chain) -> chain.filter(exchange))
                            .getBeanDefinition());
        }
    }

    @Test
    void anApplicationOfServletsHasNoWebFilter() {
        try (ConfigurableApplicationContext application =
                new TestApplication().withServer().start(COLLAPSING)) {
            assertThat(application.getBeanNamesForType(CollapseWebFilter.class)).isEmpty();
        }
    }

    @Test
    void H34_aBatchSizeThatIsNotAllowedStopsTheStart() {
        assertThatThrownBy(() -> start("collapse.executor.webflux.batch-size: 0"))
                .hasStackTraceContaining("collapse.executor.webflux.batch-size");
    }

    @Test
    void H05_aSessionIsFoundAsTheApplicationFindsIt() throws Exception {
        try (ConfigurableApplicationContext application = start(COLLAPSING, SessionsInHeaders.class)) {
            answers(application, callAll(application, get("/held/mono/7").with("X-Session", "one")));
            assertThat(application.getBean(Web.class).runs).hasValue(CALLERS);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SessionsInHeaders {

        @Bean
        WebSessionIdResolver webSessionIdResolver() {
            HeaderWebSessionIdResolver resolver = new HeaderWebSessionIdResolver();
            resolver.setHeaderName("X-Session");
            return resolver;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @RestController
    static class Web {

        final AtomicInteger seen = new AtomicInteger();
        final AtomicInteger runs = new AtomicInteger();
        final CompletableFuture<Void> released = new CompletableFuture<>();

        @Bean
        SimpleMeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        WebFilter front() {
            return (exchange, chain) -> {
                Mono<Void> filtered = chain.filter(exchange);
                return Mono.from(subscriber -> {
                    filtered.subscribe(subscriber);
                    seen.incrementAndGet();
                });
            };
        }

        private <T> Mono<T> held(Mono<T> answer) {
            runs.incrementAndGet();
            return Mono.fromFuture(released, true).then(answer);
        }

        @GetMapping("/held/mono/{id}")
        Mono<Map<String, String>> mono(@PathVariable String id) {
            return held(Mono.just(Map.of("id", id)));
        }

        @GetMapping("/held/flux/{id}")
        Flux<Map<String, String>> flux(@PathVariable String id) {
            return held(Mono.just(id)).flatMapMany(one -> Flux.just(Map.of("id", one), Map.of("id", one)));
        }

        @GetMapping("/held/missing/{id}")
        Mono<String> missing(@PathVariable String id) {
            return held(Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND, id)));
        }

        @Bean
        RouterFunction<ServerResponse> functional() {
            return route().GET(
                            "/held/functional/{id}",
                            request -> held(ServerResponse.ok().bodyValue(request.pathVariable("id"))))
                    .build();
        }
    }
}
