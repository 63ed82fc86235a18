package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ClusterOptions;
import io.github.collapseexecutor.cluster.ResultCodec;
import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.embedded.RedisServer;

/** What stands under {@code collapse.executor.cluster}, with a real Redis: applications that share nothing else. */
@Timeout(120)
class ClusterConfigurationTests {

    private static final String SECRET = "a secret of the tests";

    /** Patient, and who waits for whom is said by the test. */
    private static final String YAML = """
            spring.data.redis.port: %d
            collapse.executor:
              cluster:
                secret: a secret of the tests
                prefix: shop
                max-delay: 10s
                max-wait: 20s
                join: in-flight
              executors:
                users:
                  cluster: true
            """;

    private static RedisServer redis;
    private static int port;

    private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger calls = new AtomicInteger();

    @BeforeAll
    static void startRedis() throws IOException {
        port = freePort();
        redis = RedisServer.newRedisServer().port(port).setting("save \"\"").build();
        redis.start();
    }

    @AfterAll
    static void stopRedis() throws IOException {
        redis.stop();
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        contexts.forEach(ConfigurableApplicationContext::close);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String yaml() {
        return YAML.formatted(port);
    }

    private ConfigurableApplicationContext start(String yaml, Class<?>... configurations) {
        ConfigurableApplicationContext context =
                new TestApplication().with(configurations).start(yaml);
        contexts.add(context);
        return context;
    }

    private static void awaitOneWaiter(ConfigurableApplicationContext context) {
        StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
        await().until(() -> template.keys("shop:1:*").stream()
                .flatMap(hash -> template.<String, String>opsForHash().keys(hash).stream())
                .anyMatch(field -> field.matches("w\\d+")));
    }

    private <R> R called(CompletableFuture<R> answer) throws Exception {
        calls.incrementAndGet();
        return answer.get();
    }

    /** What the executors of two applications give for one group, while the call of the first is under way. */
    private <R> List<R> shared(
            ConfigurableApplicationContext first, ConfigurableApplicationContext second, Asking asking, R answer)
            throws Exception {
        CompletableFuture<R> held = new CompletableFuture<>();
        Future<R> led = threads.submit(asking.in(first, () -> called(held)));
        await().until(() -> calls.get() == 1);
        Future<R> taken = threads.submit(asking.in(second, () -> called(held)));
        awaitOneWaiter(second);
        held.complete(answer);
        return List.of(led.get(60, TimeUnit.SECONDS), taken.get(60, TimeUnit.SECONDS));
    }

    /** How an application asks its executor users. */
    private interface Asking {

        <R> Callable<R> in(ConfigurableApplicationContext context, Callable<R> call);
    }

    /** The executors of callables that can be made by name. */
    enum Kind implements Asking {
        BEAN {
            @Override
            public <R> Callable<R> in(ConfigurableApplicationContext context, Callable<R> call) {
                BlockingCallableGroupCollapseExecutor executor =
                        (BlockingCallableGroupCollapseExecutor) context.getBean("users");
                return () -> executor.execute("user 7", call);
            }
        },
        ASYNC {
            @Override
            public <R> Callable<R> in(ConfigurableApplicationContext context, Callable<R> call) {
                AsyncCallableGroupCollapseExecutor executor =
                        context.getBean(NamedExecutors.class).make("users", AsyncCallableGroupCollapseExecutor::new);
                return () -> executor.<R>execute("user 7", call).get();
            }
        },
        FUTURE {
            @Override
            public <R> Callable<R> in(ConfigurableApplicationContext context, Callable<R> call) {
                FutureCallableGroupCollapseExecutor executor =
                        context.getBean(NamedExecutors.class).make("users", FutureCallableGroupCollapseExecutor::new);
                return () -> executor.execute("user 7", () -> CompletableFuture.supplyAsync(() -> joined(call)))
                        .get();
            }

            private <R> R joined(Callable<R> call) {
                try {
                    return call.call();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

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
                    start(yaml().replace("secret: " + SECRET, "lease: 2s") + property + ": false\n");
            assertThat(context.getBeansOfType(ClusterCalls.class)).isEmpty();
            assertThat(Kind.BEAN.in(context, () -> "name 7").call()).isEqualTo("name 7");
        }

        @Test
        void withoutASecretThereIsNoBeanAndNothingIsAsked() {
            assertThat(start("spring.data.redis.port: " + port).getBeansOfType(ClusterCalls.class))
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
            ConfigurableApplicationContext first = start(yaml(), Registry.class);
            ConfigurableApplicationContext second = start(yaml(), Registry.class);
            shared(first, second, Kind.BEAN, "name 7");
            assertThat(batches(first)).isEqualTo(Map.of("led", 1.0));
            assertThat(batches(second)).isEqualTo(Map.of("taken", 1.0));
            assertThat(available(second)).isEqualTo(1);
            second.getBean(ClusterCalls.class).close();
            assertThat(available(second)).isZero();
        }

        @Test
        void callsWithoutRedisAreCounted() throws Exception {
            ConfigurableApplicationContext context = start(YAML.formatted(freePort()), Registry.class);
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

    @Nested
    @ExtendWith(OutputCaptureExtension.class)
    class Mistakes {

        @AfterEach
        void forgetTheReport() {
            RecordingFailureAnalysisReporter.take();
        }

        @Test
        void aMissingSecretIsRefusedWithTheRemedy() {
            assertThat(new TestApplication().failure(yaml().replace("secret: " + SECRET, "lease: 2s")))
                    .contains("Property: collapse.executor.cluster.secret")
                    .contains("it is missing, and collapse.executor.executors.users.cluster needs it")
                    .contains("Set it to at least 16 random bytes", "cluster.enabled: false");
        }

        /** A configuration that is common to all applications would have them share. */
        @Test
        void anApplicationWithoutANameNeedsAPrefix() {
            assertThat(new TestApplication().failure(yaml().replace("    prefix: shop\n", "")))
                    .contains("Property: collapse.executor.cluster.prefix")
                    .contains("neither it nor spring.application.name is set")
                    .contains("Set spring.application.name, or collapse.executor.cluster.prefix");
        }

        @ParameterizedTest
        @CsvSource({"secret: s3cret", "secret: {nested: s3cret}"})
        void aSecretIsNotShown(String secret) {
            assertThat(new TestApplication().failure(yaml().replace("secret: " + SECRET, secret)))
                    .contains("Property: collapse.executor.cluster.secret")
                    .contains("Value: \"(not shown)\"")
                    .doesNotContain("s3cret");
        }

        @Test
        void thePropertiesDoNotShowTheSecret() {
            assertThat(start(yaml()).getBean(CollapseExecutorProperties.class))
                    .asString()
                    .contains("prefix=shop")
                    .doesNotContain(SECRET);
        }

        @ParameterizedTest
        @CsvSource({
            "prefix, a{b}, it must not be empty",
            "max-delay, 0, it must be from 1 ms to 20 s",
            "lease, 1m, it must be from 1 ms to 20 s",
            "max-wait, 0, it must be from 1 ms to 20 s",
            "max-wait-ratio, 1.0, it must be from 0 to below 1",
            "max-result-size, 1GB, it must be from 1 byte to 256 MiB",
            "max-result-size, 9000GB, it must be from 1 byte to 256 MiB",
            "join, soon, it must be fresh or in-flight",
        })
        void aValueThatIsNotAllowedIsRefused(String key, String value, String reason) {
            assertThat(new TestApplication().failure("collapse.executor.cluster." + key + ": \"" + value + "\""))
                    .contains("Property: collapse.executor.cluster." + key)
                    .contains("Value: \"" + value + "\"")
                    .contains(reason);
        }

        @Test
        void anExecutorOfAFunctionIsRefused() {
            assertThat(new TestApplication().with(OfFunction.class).failure(yaml()))
                    .contains("Property: collapse.executor.executors.users.cluster")
                    .contains("executors of callables share calls with other instances");
        }

        @Test
        void aSectionIsRefused() {
            assertThat(new TestApplication().failure(yaml().replace("users:", "rest-template:")))
                    .contains("Property: collapse.executor.executors.rest-template.cluster")
                    .contains("this is the name of a section", "collapse.executor.rest-template.cluster and");
        }

        @Test
        void twoCodecsForOneExecutorAreRefused() {
            assertThat(new TestApplication()
                            .with(NameCodec.class, AnotherCodec.class, OfCallables.class)
                            .failure(yaml()))
                    .contains("Property: collapse.executor.executors.users.cluster")
                    .contains("the beans nameCodec, anotherCodec are all codecs");
        }

        @Test
        void withoutAConnectionFactoryTheRemedyIsNamed() {
            assertThat(new TestApplication().alone().failure(yaml()))
                    .contains("Property: collapse.executor.executors.users.cluster")
                    .contains("there is not one ReactiveRedisConnectionFactory bean", "Lettuce", "@Primary");
        }

        @Test
        void anAnnotatedMethodIsWarnedOf(CapturedOutput output) {
            start(yaml().replace("users:", "\"[names.byId]\":"), Names.class);
            assertThat(output.getAll())
                    .containsOnlyOnce(
                            "collapse.executor.executors[names.byId].cluster has no effect: annotated methods");
        }
    }

    /** A result that is no plain value. */
    record Name(String value) {}

    @Configuration(proxyBeanMethods = false)
    static class NameCodec {

        @Bean
        @Qualifier("users") ResultCodec<Name> nameCodec() {
            return ResultCodec.of(
                    name -> name.value().getBytes(StandardCharsets.UTF_8),
                    bytes -> new Name(new String(bytes, StandardCharsets.UTF_8)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherCodec {

        @Bean
        @Qualifier("users") ResultCodec<Object> anotherCodec() {
            return ResultCodec.ofPlainValues();
        }

        @Bean
        @Qualifier("others") ResultCodec<Object> codecOfOthers() {
            return ResultCodec.ofPlainValues();
        }
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
    static class OfCallables {

        OfCallables(@Qualifier("users") BlockingCallableGroupCollapseExecutor users) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OfFunction {

        OfFunction(NamedExecutors executors) {
            Object unused = executors.make(
                    "users",
                    options -> CollapseExecutors.<Integer, String>blockingByKey(
                            ids -> Map.of(), MissingKeyPolicy.NULL, options));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Registry {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }

    @Configuration("names")
    static class Names {

        @Collapsible(name = "names.byId")
        public String byId(int id) {
            return "name " + id;
        }
    }
}
