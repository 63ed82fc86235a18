package io.github.collapseexecutor.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** An application that has this starter, and no other artifact of the library beside what that brings. */
@OnEachLine
class StarterTests {

    private static final int CALLERS = 3;

    /** Says the price of a product when it is let. */
    static class Prices {

        // immutable
        private final CountDownLatch allowed = new CountDownLatch(1);
        // mutable, thread-safe
        private final AtomicInteger calls = new AtomicInteger();

        @Collapsible(name = "prices")
        public String of(String product) throws InterruptedException {
            calls.incrementAndGet();
            assertThat(allowed.await(1, TimeUnit.MINUTES)).isTrue();
            return product + ": 7";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        // static, because the bean that the test asks for is a proxy
        private static final Prices PRICES = new Prices();

        @Bean
        Prices prices() {
            return PRICES;
        }
    }

    private static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(Shop.class)
                .properties("server.port=0")
                .properties(properties)
                .run();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"io.github.collapseexecutor.jdbc.GroupCommit", "io.github.collapseexecutor.cluster.ClusterCalls"
            })
    void otherArtifactsAreNotThere(String type) {
        assertThatThrownBy(() -> Class.forName(type)).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void annotatedMethodCollapsesBesideADatabaseAndTheActuator() throws Exception {
        try (ConfigurableApplicationContext shop = start("collapse.executor.executors.prices.join=in-flight")) {
            Prices prices = shop.getBean(Prices.class);
            List<FutureTask<String>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                FutureTask<String> caller = new FutureTask<>(() -> prices.of("tea"));
                callers.add(caller);
                new Thread(caller).start();
            }
            CollapsingControl control = shop.getBean(CollapsingControl.class);
            await().until(() -> control.counts("prices").stream()
                            .mapToLong(CollapseCounts::callers)
                            .sum()
                    == CALLERS);
            Shop.PRICES.allowed.countDown();
            for (FutureTask<String> caller : callers) {
                assertThat(caller.get(1, TimeUnit.MINUTES)).isEqualTo("tea: 7");
            }
            assertThat(Shop.PRICES.calls).hasValue(1);
            assertThat(shop.getBean(JdbcTemplate.class).queryForObject("select 1", Integer.class))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sequences.table, ids, collapse-executor-jdbc",
        "writers.audit.max-batch-size, 10, collapse-executor-jdbc",
        "cluster.secret, 0123456789abcdef0123456789abcdef, collapse-executor-redis",
        "executors.prices.cluster, true, collapse-executor-redis"
    })
    void propertyOfAnotherArtifactStopsTheStartAndNamesIt(String property, String value, String artifact) {
        assertThatThrownBy(() -> start("collapse.executor." + property + "=" + value))
                .rootCause()
                .hasMessageContaining("property collapse.executor." + property + ", value \""
                        + (property.endsWith("secret") ? "(not shown)" : value) + "\"")
                .hasMessageContaining("Add the dependency io.github.collapseexecutor:" + artifact);
    }

    @Test
    void switchOfAnotherArtifactStopsNothing() {
        try (ConfigurableApplicationContext shop = start("collapse.executor.cluster.enabled=false")) {
            assertThat(shop.isRunning()).isTrue();
        }
    }
}
