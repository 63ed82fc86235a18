package io.github.collapseexecutor.spring.boot.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** {@code collapse.executor.servlet} in a web application. */
class ServletConfigurationTests {

    private static final int CALLERS = 10;

    private static final String COLLAPSING = """
            collapse.executor:
              join: in-flight
              max-wait: 10m
              servlet:
                batch-size: 100
                waiting: async
                collapse-groups:
                  - uris: /held/**
            """;

    @ParameterizedTest
    @ValueSource(strings = {"/held/text", "/held/callable", "/held/deferred", "/held/missing"})
    void handlersOfEveryKindAreSharedAndFiltersSeeEveryRequest(String path) throws Exception {
        try (ConfigurableApplicationContext application =
                new TestApplication().with(Web.class).withServer().start(COLLAPSING)) {
            Web web = application.getBean(Web.class);
            List<CompletableFuture<HttpResponse<String>>> calls = web.callAll(application, path);
            web.released.countDown();
            HttpResponse<String> first = calls.get(0).get(60, TimeUnit.SECONDS);
            for (CompletableFuture<HttpResponse<String>> call : calls) {
                HttpResponse<String> response = call.get(60, TimeUnit.SECONDS);
                assertThat(response.statusCode()).isEqualTo(path.endsWith("missing") ? 404 : 200);
                assertThat(response.body().replaceAll("\"timestamp\":\"[^\"]*\"", ""))
                        .isEqualTo(first.body().replaceAll("\"timestamp\":\"[^\"]*\"", ""));
            }
            assertThat(web.runs).hasValue(1);
            assertThat(web.seen).hasValue(CALLERS);
        }
    }

    @Test
    void theFilterIsTheLastOneAndSeesDispatches() {
        try (ConfigurableApplicationContext application =
                new TestApplication().withServer().start(COLLAPSING)) {
            FilterRegistrationBean<?> registration =
                    application.getBean("collapseServletFilterRegistration", FilterRegistrationBean.class);
            assertThat(registration.getFilter()).isSameAs(application.getBean(CollapseServletFilter.class));
            assertThat(registration.isEnabled()).isTrue();
            assertThat(registration.isMatchAfter()).isTrue();
            assertThat(registration.determineDispatcherTypes())
                    .containsExactlyInAnyOrder(DispatcherType.REQUEST, DispatcherType.ASYNC);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "collapse.executor.enabled: false",
                "collapse.executor.servlet.enabled: false",
                "collapse.executor.servlet.enabled: true"
            })
    void H34_withoutAGroupOrSwitchedOffThereIsNoFilterInTheWay(String yaml) {
        try (ConfigurableApplicationContext application =
                new TestApplication().withServer().start(yaml)) {
            assertThat(application
                            .getBean("collapseServletFilterRegistration", FilterRegistrationBean.class)
                            .isEnabled())
                    .isFalse();
        }
    }

    @Test
    void anApplicationWithoutAServerHasNoFilter() {
        try (ConfigurableApplicationContext application = new TestApplication().start(COLLAPSING)) {
            assertThat(application.getBeanNamesForType(CollapseServletFilter.class))
                    .isEmpty();
        }
    }

    @Test
    void H34_aBatchSizeThatIsNotAllowedStopsTheStart() {
        assertThatThrownBy(() -> new TestApplication().withServer().start("collapse.executor.servlet.batch-size: 0"))
                .hasStackTraceContaining("collapse.executor.servlet.batch-size");
    }

    @Test
    void virtualThreadsHandRequestsBackWhereTheJdkHasThem() throws Exception {
        String yaml = COLLAPSING + "    thread-pool.virtual.enabled: true\n";
        if (Runtime.version().feature() < 21) {
            assertThatThrownBy(() -> new TestApplication().withServer().start(yaml))
                    .hasStackTraceContaining("collapse.executor.servlet.thread-pool.virtual.enabled");
            return;
        }
        try (ConfigurableApplicationContext application =
                new TestApplication().with(Web.class).withServer().start(yaml)) {
            Web web = application.getBean(Web.class);
            List<CompletableFuture<HttpResponse<String>>> calls = web.callAll(application, "/held/text");
            web.released.countDown();
            for (CompletableFuture<HttpResponse<String>> call : calls) {
                assertThat(call.get(60, TimeUnit.SECONDS).body()).isEqualTo("text");
            }
            assertThat(web.runs).hasValue(1);
        }
    }

    /** An application whose handlers wait until they are released, and a filter without any order. */
    @Configuration(proxyBeanMethods = false)
    @RestController
    static class Web {

        final CountDownLatch released = new CountDownLatch(1);
        final AtomicInteger runs = new AtomicInteger();
        final AtomicInteger seen = new AtomicInteger();
        private final Semaphore entered = new Semaphore(0);
        private final Semaphore parked = new Semaphore(0);

        @Bean
        Filter anyFilter() {
            return (request, response, chain) -> {
                if (request.getDispatcherType() == DispatcherType.REQUEST) {
                    seen.incrementAndGet();
                }
                chain.doFilter(request, response);
                if (request.isAsyncStarted()) {
                    parked.release();
                }
            };
        }

        private <T> T hold(T value) throws InterruptedException {
            runs.incrementAndGet();
            entered.release();
            released.await();
            return value;
        }

        @GetMapping("/held/text")
        String text() throws InterruptedException {
            return hold("text");
        }

        @GetMapping("/held/callable")
        Callable<String> callable() {
            return () -> hold("text");
        }

        @GetMapping("/held/deferred")
        DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>();
            new Thread(() -> {
                        try {
                            result.setResult(hold("text"));
                        } catch (InterruptedException e) {
                            result.setErrorResult(e);
                        }
                    })
                    .start();
            return result;
        }

        @GetMapping("/held/missing")
        String missing() throws InterruptedException {
            throw hold(new org.springframework.web.server.ResponseStatusException(
                    org.springframework.http.HttpStatus.NOT_FOUND));
        }

        /** One request runs the handler, and all others wait for it without a thread. */
        List<CompletableFuture<HttpResponse<String>>> callAll(ConfigurableApplicationContext application, String path)
                throws InterruptedException {
            // its default asks for an upgrade to HTTP/2, and who does that is not collapsed
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            HttpRequest request = HttpRequest.newBuilder(URI.create(
                            "http://localhost:" + application.getEnvironment().getProperty("local.server.port") + path))
                    .build();
            List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
            calls.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
            assertThat(entered.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            for (int i = 1; i < CALLERS; i++) {
                calls.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
            }
            // a handler that goes on asynchronously gives its own thread back, too
            boolean asynchronous = path.endsWith("callable") || path.endsWith("deferred");
            assertThat(parked.tryAcquire(asynchronous ? CALLERS : CALLERS - 1, 60, TimeUnit.SECONDS))
                    .isTrue();
            return calls;
        }
    }
}
