package io.github.collapseexecutor.spring.boot.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleListener;
import org.apache.coyote.AbstractProcessor;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.Processor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * H44: Tomcat's thread for time-outs finds a processor that waits, is held up, and looks at it when another request has it. That call is made
 * here at that moment, which a loaded machine makes by chance.
 */
@ExtendWith(OutputCaptureExtension.class)
class StaleTimeoutTests {

    private static final int REQUESTS = 3; // as many as have processors to take over

    private static final String COLLAPSING = """
            logging.level.io.github.collapseexecutor: info
            collapse.executor:
              join: in-flight
              max-wait: 10m
              servlet:
                async-safe-filters: %s
                collapse-groups:
                  - uris: /held
            """.formatted(Holding.class.getName());

    private static final String LINE = "Tomcat's cache of processors is off";

    private final HttpClient client = HttpClient.newHttpClient();

    private CompletableFuture<HttpResponse<String>> ask(ConfigurableApplicationContext application, String held) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(
                        "http://localhost:" + application.getEnvironment().getProperty("local.server.port") + "/held"))
                .header("X-Request-Id", held)
                .timeout(Duration.ofSeconds(20))
                .build();
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void H44_aRequestIsNotLostByATimeOutThatWasMeantForAnEarlierOne(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext application =
                new TestApplication().with(Web.class).withServer().start(COLLAPSING)) {
            Web web = application.getBean(Web.class);
            CountDownLatch first = web.held();
            CompletableFuture<HttpResponse<String>> leader = ask(application, "no");
            web.awaitHandler();
            CompletableFuture<HttpResponse<String>> follower = ask(application, "no");
            Processor found = web.awaitWaiting(1).iterator().next();
            first.countDown();
            assertThat(leader.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThat(follower.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            Awaitility.await().until(() -> valueOf(AbstractProcessor.class, "socketWrapper", found) == null);

            CountDownLatch second = web.held();
            List<CompletableFuture<HttpResponse<String>>> others = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                others.add(ask(application, "in the filter"));
            }
            web.awaitFilter(REQUESTS); // on their threads, and not asynchronous yet
            found.timeoutAsync(System.currentTimeMillis());
            others.add(ask(application, "no"));
            web.awaitHandler();
            web.released.countDown();
            assertThat(web.awaitWaiting(REQUESTS)).hasSize(REQUESTS);
            second.countDown();
            for (CompletableFuture<HttpResponse<String>> other : others) {
                assertThat(other.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            }
            assertThat(web.protocol().getProcessorCache()).isZero();
            assertThat(output.getAll()).containsOnlyOnce(LINE);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "server.tomcat.processor-cache: 200, 200",
        "collapse.executor.servlet.waiting: block, 200",
    })
    void H44_theCacheIsThatOfTheApplicationWhereItSaysSoOrFollowersDoNotWaitAsynchronously(
            String property, int cached, CapturedOutput output) {
        try (ConfigurableApplicationContext application =
                new TestApplication().with(Web.class).withServer().start(COLLAPSING + property + "\n")) {
            assertThat(application.getBean(Web.class).protocol().getProcessorCache())
                    .isEqualTo(cached);
            assertThat(output.getAll()).doesNotContain(LINE);
        }
    }

    private static Object valueOf(Class<?> declaring, String name, Object owner) throws ReflectiveOperationException {
        Field field = declaring.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    /** Holds requests in front of the collapsing filter. */
    static final class Holding implements Filter {

        private final Web web;

        Holding(Web web) {
            this.web = web;
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if ("in the filter".equals(((HttpServletRequest) request).getHeader("X-Request-Id"))) {
                web.inFilter.release();
                try {
                    web.released.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            chain.doFilter(request, response);
        }
    }

    @RestController
    @Configuration(proxyBeanMethods = false)
    static class Web {

        final CountDownLatch released = new CountDownLatch(1);
        final Semaphore inFilter = new Semaphore(0);
        private final Semaphore inHandler = new Semaphore(0);
        private volatile CountDownLatch hold = new CountDownLatch(0);
        private volatile AbstractProtocol<?> protocol;

        @Bean
        Filter holding() {
            return new Holding(this);
        }

        /** The factory of Spring Boot 3.5 is another class than that of 4. */
        @Bean
        WebServerFactoryCustomizer<WebServerFactory> protocolOfTheServer() {
            return factory -> {
                LifecycleListener listener = event -> {
                    if (event.getType().equals(Lifecycle.BEFORE_START_EVENT)
                            && event.getLifecycle() instanceof Context context
                            && context.getParent().getParent() instanceof Engine engine) {
                        protocol = (AbstractProtocol<?>)
                                engine.getService().findConnectors()[0].getProtocolHandler();
                    }
                };
                try {
                    factory.getClass()
                            .getMethod("addContextLifecycleListeners", LifecycleListener[].class)
                            .invoke(factory, (Object) new LifecycleListener[] {listener});
                } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            };
        }

        AbstractProtocol<?> protocol() {
            return Objects.requireNonNull(protocol);
        }

        CountDownLatch held() {
            CountDownLatch next = new CountDownLatch(1);
            hold = next;
            return next;
        }

        void awaitHandler() throws InterruptedException {
            assertThat(inHandler.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }

        void awaitFilter(int count) throws InterruptedException {
            assertThat(inFilter.tryAcquire(count, 60, TimeUnit.SECONDS)).isTrue();
        }

        @SuppressWarnings("unchecked")
        Collection<Processor> awaitWaiting(int count) throws ReflectiveOperationException {
            Awaitility.await().until(() -> protocol().getWaitingProcessorCount() == count);
            return (Collection<Processor>) valueOf(AbstractProtocol.class, "waitingProcessors", protocol());
        }

        @GetMapping("/held")
        String held(HttpServletRequest request) throws InterruptedException {
            CountDownLatch present = hold;
            inHandler.release();
            present.await();
            return "done";
        }
    }
}
