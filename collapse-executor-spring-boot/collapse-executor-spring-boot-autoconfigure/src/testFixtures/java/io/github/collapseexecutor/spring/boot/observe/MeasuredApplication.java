package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.RowStatement;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.CollapseControl;
import io.github.collapseexecutor.spring.boot.NamedExecutors;
import io.github.collapseexecutor.spring.boot.fixture.CountingBackend;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.client.RestTemplate;

/** An application that has used everything that has meters. Its Redis is down. */
final class MeasuredApplication {

    private static final int CALLERS = 4;

    /** A batch starts when all callers have come. */
    private static final String YAML = """
            spring.application.name: shop
            # readme:begin histogram-of-calls
            management.metrics.distribution.percentiles-histogram.collapse.calls: true
            # readme:end
            spring.datasource.url: jdbc:h2:mem:%s
            spring.data.redis.port: %d
            collapse.executor:
              wait-threshold: 4
              max-batch-size: 4
              collecting-wait-time: 1m
              cluster:
                secret: a secret of the tests
              executors:
                busy: {max-pending: 1}
              rest-template:
                apply-bean-names: restTemplate
                collapse-groups:
                  - uris: [/shared/*, /private/shared]
                  - uris: /private/tried
                    dry-run: true
            """;

    // mutable, guarded by the class
    private static @Nullable PrometheusSamples scraped;

    private MeasuredApplication() {}

    /** Returns what Prometheus gets, the same for all tests. */
    static synchronized PrometheusSamples scrape() {
        PrometheusSamples present = scraped;
        if (present == null) {
            present = used();
            scraped = present;
        }
        return present;
    }

    @Configuration(proxyBeanMethods = false)
    static class Measured {

        @Bean
        PrometheusMeterRegistry prometheusMeterRegistry() {
            return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        }

        @Bean
        RestTemplate restTemplate() {
            return new RestTemplate();
        }
    }

    private static PrometheusSamples used() {
        try (ConfigurableApplicationContext context = new TestApplication()
                .withServer()
                .with(CountingBackend.class, Measured.class)
                .start(YAML.formatted(UUID.randomUUID(), freePort()))) {
            ask(context);
            refuse(context);
            write(context);
            PrometheusMeterRegistry registry = context.getBean(PrometheusMeterRegistry.class);
            return Awaitility.await() // callers may have their answers before the end of their batch is told
                    .atMost(60, TimeUnit.SECONDS)
                    .until(
                            () -> PrometheusSamples.of(registry.scrape()),
                            samples -> samples.names().contains("collapse_batches_seconds_count")
                                    && samples.names().contains("collapse_not_shared_total"));
        } catch (Exception e) {
            throw new IllegalStateException("The application that is measured does not do its work", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void ask(ConfigurableApplicationContext context) throws Exception {
        RestTemplate client = context.getBean("restTemplate", RestTemplate.class);
        String root = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
        for (String path : List.of("/shared/1", "/private/shared", "/private/tried")) {
            ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
            try {
                List<Future<?>> ends = new ArrayList<>();
                for (int caller = 0; caller < CALLERS; caller++) {
                    ends.add(callers.submit(() -> client.getForObject(root + path, String.class)));
                }
                for (Future<?> end : ends) {
                    end.get(60, TimeUnit.SECONDS);
                }
            } finally {
                callers.shutdownNow();
            }
        }
        context.getBean(CollapseControl.class).pause("rest-template");
        assertThat(client.getForObject(root + "/shared/1", String.class)).isEqualTo("1");
    }

    private static void refuse(ConfigurableApplicationContext context) {
        FutureCallableGroupCollapseExecutor executor =
                context.getBean(NamedExecutors.class).make("busy", FutureCallableGroupCollapseExecutor::new);
        CompletableFuture<String> present = executor.execute("a", CompletableFuture<String>::new);
        assertThatThrownBy(() -> executor.execute("a", CompletableFuture<String>::new))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(present.cancel(true)).isTrue();
    }

    private static void write(ConfigurableApplicationContext context) throws Exception {
        JdbcTemplate database = context.getBean(JdbcTemplate.class);
        database.execute("CREATE TABLE note (text VARCHAR(100))");
        database.execute("CREATE SEQUENCE order_id");
        context.getBean(GroupCommit.class).execute(RowStatement.of("INSERT INTO note (text) VALUES (?)"), "written");
        assertThat(context.getBean(Sequences.class).next("order_id")).isEqualTo(1);
    }
}
