package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ClusterOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.spring.boot.cluster.ClusterConfigurationFixture;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;

/** What stands under {@code collapse.executor.cluster}, with a real Redis: applications that share nothing else. */
class ClusterConfigurationTests extends ClusterConfigurationFixture {

    @Nested
    class Sharing {

        @ParameterizedTest
        @EnumSource(Kind.class)
        void executorsOfTheNameInTwoApplicationsShareACall(Kind kind) throws Exception {
            ConfigurableApplicationContext first = start(yaml());
            ConfigurableApplicationContext second = start(yaml());
            assertThat(shared(first, second, kind, "name 7")).containsExactly("name 7", "name 7");
            assertThat(calls).hasValue(1);
            assertThat(first.getBean(ClusterCalls.class).counts().led()).isEqualTo(1);
            assertThat(second.getBean(ClusterCalls.class).counts().taken()).isEqualTo(1);
        }

        @Test
        void aCodecThatIsQualifiedByTheNameTakesTheResults() throws Exception {
            ConfigurableApplicationContext first = start(yaml(), NameCodec.class);
            ConfigurableApplicationContext second = start(yaml(), NameCodec.class);
            List<Name> names = shared(first, second, Kind.BEAN, new Name("Ada"));
            assertThat(names).containsExactly(new Name("Ada"), new Name("Ada"));
            assertThat(calls).hasValue(1);
        }

        @Test
        void clusterCallsOfTheApplicationsOwnAreUsed() throws Exception {
            ConfigurableApplicationContext first = start(yaml(), Own.class);
            assertThat(first.getBean(ClusterCalls.class)).isSameAs(first.getBean("own"));
            ConfigurableApplicationContext second = start(yaml(), Own.class);
            shared(first, second, Kind.BEAN, "name 7");
            assertThat(second.getBean("own", ClusterCalls.class).counts().taken())
                    .isEqualTo(1);
        }

        /** The property cluster.join alone does not let it join. */
        @Test
        void anExecutorThatJoinsNoneInFlightMakesItsCall() throws Exception {
            String yaml = yaml().replace("cluster: true", "cluster: true\n      join: fresh");
            CompletableFuture<String> held = new CompletableFuture<>();
            Future<String> led = threads.submit(Kind.BEAN.in(start(yaml), () -> called(held)));
            await().until(() -> calls.get() == 1);
            Future<String> fresh = threads.submit(Kind.BEAN.in(start(yaml), () -> called(held)));
            await().until(() -> calls.get() == 2);
            held.complete("name 7");
            assertThat(led.get(60, TimeUnit.SECONDS)).isEqualTo("name 7");
            assertThat(fresh.get(60, TimeUnit.SECONDS)).isEqualTo("name 7");
        }

        @Test
        void anExecutorThatDoesNotSayItSharesNothing() throws Exception {
            ConfigurableApplicationContext context = start(yaml().replace("cluster: true", "cluster: false"));
            assertThat(Kind.BEAN.in(context, () -> "name 7").call()).isEqualTo("name 7");
            assertThat(context.getBean(ClusterCalls.class).counts().led()).isZero();
        }
    }

    @Nested
    class Switches {

        @ParameterizedTest
        @CsvSource({"collapse.executor.cluster.enabled", "collapse.executor.enabled"})
        void switchedOffNothingIsSharedAndNoSecretIsNeeded(String property) throws Exception {
            ConfigurableApplicationContext context =
                    start(yaml().replace("secret: " + SECRET, "# no secret") + property + ": false\n");
            assertThat(context.getBeansOfType(ClusterCalls.class)).isEmpty();
            assertThat(Kind.BEAN.in(context, () -> "name 7").call()).isEqualTo("name 7");
        }

        @Test
        void withoutASecretThereIsNoBeanAndNothingIsAsked() {
            assertThat(start("spring.data.redis.port: " + redis.port()).getBeansOfType(ClusterCalls.class))
                    .isEmpty();
        }

        @Test
        void itIsClosedWithTheContext() {
            ConfigurableApplicationContext context = start(yaml());
            ClusterCalls cluster = context.getBean(ClusterCalls.class);
            assertThat(cluster.counts().available()).isTrue();
            context.close();
            assertThat(cluster.counts().available()).isFalse();
        }

        @Test
        void withoutRedisTheApplicationStartsAndItsCallsAreMade() throws Exception {
            ConfigurableApplicationContext context = start(YAML.formatted(freePort()));
            assertThat(Kind.BEAN.in(context, () -> "name 7").call()).isEqualTo("name 7");
            assertThat(context.getBean(ClusterCalls.class).counts().unavailable())
                    .isEqualTo(1);
        }
    }

    @Nested
    class Observed {

        @Test
        void batchesAreCountedByWhatBecameOfThem() throws Exception {
            ConfigurableApplicationContext first = startWhole(yaml(), Registry.class);
            ConfigurableApplicationContext second = startWhole(yaml(), Registry.class);
            shared(first, second, Kind.BEAN, "name 7");
            assertThat(batches(first)).isEqualTo(Map.of("led", 1.0));
            assertThat(batches(second)).isEqualTo(Map.of("taken", 1.0));
            assertThat(available(second)).isEqualTo(1);
            second.getBean(ClusterCalls.class).close();
            assertThat(available(second)).isZero();
        }

        @Test
        void callsWithoutRedisAreCounted() throws Exception {
            ConfigurableApplicationContext context = startWhole(YAML.formatted(freePort()), Registry.class);
            Kind.BEAN.in(context, () -> "name 7").call();
            assertThat(batches(context)).isEqualTo(Map.of("unavailable", 1.0));
        }

        /** The counts that are not 0, by their outcomes. */
        private Map<String, Double> batches(ConfigurableApplicationContext context) {
            Map<String, Double> counts = new TreeMap<>();
            context.getBean(MeterRegistry.class).get("collapse.cluster.batches").functionCounters().stream()
                    .filter(counter -> counter.count() > 0)
                    .forEach(counter -> counts.put(counter.getId().getTag("outcome"), counter.count()));
            return counts;
        }

        private double available(ConfigurableApplicationContext context) {
            return context.getBean(MeterRegistry.class)
                    .get("collapse.cluster.available")
                    .gauge()
                    .value();
        }
    }

    @Test
    void theNameOfTheApplicationIsThePrefixIfNoneIsSet() {
        String yaml = yaml().replace("    prefix: shop\n", "");
        assertThat(start("spring.application.name: the shop\n" + yaml)
                        .getBean(CollapseClusterAutoConfiguration.Settings.class)
                        .options()
                        .prefix())
                .isEqualTo("collapse:the+shop");
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {

        @Bean
        ClusterCalls own(ReactiveRedisConnectionFactory factory) {
            return new ClusterCalls(
                    factory,
                    ClusterOptions.builder(SECRET.getBytes(StandardCharsets.UTF_8))
                            .prefix("shop")
                            .maxDelay(Duration.ofSeconds(10))
                            .maxWait(Duration.ofSeconds(20))
                            .joinMode(JoinMode.IN_FLIGHT)
                            .build());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Registry {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }
}
