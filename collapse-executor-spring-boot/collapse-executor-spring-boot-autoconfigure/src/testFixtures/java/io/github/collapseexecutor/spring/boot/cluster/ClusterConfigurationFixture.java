package io.github.collapseexecutor.spring.boot.cluster;

import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.ClusterRedis;
import io.github.collapseexecutor.cluster.ResultCodec;
import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.spring.boot.NamedExecutors;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Applications that share nothing but a real Redis, and executors of theirs whose calls a test holds. */
public abstract class ClusterConfigurationFixture {

    public static final String SECRET = "a secret of the tests";

    /** Patient, and who waits for whom is said by the test. */
    public static final String YAML = """
            spring.data.redis.port: %d
            collapse.executor:
              join: in-flight
              cluster:
                secret: a secret of the tests
                prefix: shop
                max-delay: 10s
                lease: 20s
                max-wait: 20s
                join: in-flight
              executors:
                users:
                  cluster: true
            """;

    public static ClusterRedis redis;

    public final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

    public final ExecutorService threads = Executors.newCachedThreadPool();

    public final AtomicInteger calls = new AtomicInteger();

    @BeforeAll
    public static void startRedis() throws IOException {
        redis = new ClusterRedis();
    }

    @AfterAll
    public static void stopRedis() throws IOException {
        redis.close();
    }

    @AfterEach
    public void end() {
        threads.shutdownNow();
        contexts.forEach(ConfigurableApplicationContext::close);
        redis.commands().flushall(); // a waiter of this test is not one of the next
    }

    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    public static String yaml() {
        return YAML.formatted(redis.port());
    }

    public ConfigurableApplicationContext start(String yaml, Class<?>... configurations) {
        return started(new TestApplication().aloneWithRedis(), yaml, configurations);
    }

    /** Starts an application that has all that Boot configures, so meters, too. */
    public ConfigurableApplicationContext startWhole(String yaml, Class<?>... configurations) {
        return started(new TestApplication(), yaml, configurations);
    }

    private ConfigurableApplicationContext started(
            TestApplication application, String yaml, Class<?>... configurations) {
        ConfigurableApplicationContext context =
                application.with(configurations).start(yaml);
        contexts.add(context);
        return context;
    }

    public static void awaitOneWaiter(ConfigurableApplicationContext context) {
        StringRedisTemplate template = context.getBean(StringRedisTemplate.class);
        await().until(() -> template.keys("shop:*").stream()
                .flatMap(hash -> template.<String, String>opsForHash().keys(hash).stream())
                .anyMatch(field -> field.matches("w.{16}")));
    }

    public <R> R called(CompletableFuture<R> answer) throws Exception {
        calls.incrementAndGet();
        return answer.get();
    }

    /** What the executors of two applications give for one group, while the call of the first is under way. */
    public <R> List<R> shared(
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

    /** How an application asks its executor users, which shares nothing before it has seen the type of a result. */
    public interface Asking {

        <R> Callable<R> in(ConfigurableApplicationContext context, Callable<R> call);
    }

    /** The executors of callables that can be made by name. */
    public enum Kind implements Asking {
        BEAN {
            @Override
            public <R> Callable<R> in(ConfigurableApplicationContext context, Callable<R> call) {
                BlockingCallableGroupCollapseExecutor executor =
                        (BlockingCallableGroupCollapseExecutor) context.getBean("users");
                return () -> {
                    executor.execute("first", () -> "whose type is known then");
                    return executor.execute("user 7", call);
                };
            }
        },
        ASYNC {
            @Override
            public <R> Callable<R> in(ConfigurableApplicationContext context, Callable<R> call) {
                AsyncCallableGroupCollapseExecutor executor =
                        context.getBean(NamedExecutors.class).make("users", AsyncCallableGroupCollapseExecutor::new);
                return () -> {
                    executor.execute("first", () -> "whose type is known then").get();
                    return executor.<R>execute("user 7", call).get();
                };
            }
        },
        FUTURE {
            @Override
            public <R> Callable<R> in(ConfigurableApplicationContext context, Callable<R> call) {
                FutureCallableGroupCollapseExecutor executor =
                        context.getBean(NamedExecutors.class).make("users", FutureCallableGroupCollapseExecutor::new);
                return () -> {
                    executor.execute("first", () -> CompletableFuture.completedFuture("whose type is known then"))
                            .get();
                    return executor.execute("user 7", () -> CompletableFuture.supplyAsync(() -> joined(call)))
                            .get();
                };
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

    /** A result that is no plain value. */
    public record Name(String value) {}

    @Configuration(proxyBeanMethods = false)
    public static class NameCodec {

        @Bean
        @Qualifier("users") ResultCodec<Name> nameCodec() {
            return ResultCodec.of(
                    name -> name.value().getBytes(StandardCharsets.UTF_8),
                    bytes -> new Name(new String(bytes, StandardCharsets.UTF_8)));
        }
    }
}
