package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.JoinMode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.ReactivePubSubCommands;
import org.springframework.data.redis.connection.ReactiveRedisConnection;
import org.springframework.data.redis.connection.ReactiveRedisConnectionFactory;
import org.springframework.data.redis.connection.ReactiveScriptingCommands;
import org.springframework.data.redis.connection.ReactiveSubscription;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A client of Redis, or what wraps it, may lack a single method, fail in it, or answer it with nothing or never. Callers of that instance, and those of another
 * one that wait for it, get a result all the same. Each method that the library calls is tried in each way.
 */
class EveryRedisMethodTests extends SharingFixture {

    private static final Set<Class<?>> TYPES = Set.of(
            ReactiveRedisConnectionFactory.class,
            ReactiveRedisConnection.class,
            ReactiveScriptingCommands.class,
            ReactivePubSubCommands.class,
            ReactiveSubscription.class);

    private static final int AT_ONCE = 8;

    /** What a method does instead. */
    private enum Way {
        THROWS {
            @Override
            Object of(Method method) {
                throw new UnsupportedOperationException(method.getName());
            }
        },
        /** As that of a library that is older than the API. */
        MISSING {
            @Override
            Object of(Method method) {
                throw new AbstractMethodError(method.getName());
            }
        },
        NULL {
            @Override
            @Nullable Object of(Method method) {
                return null;
            }
        },
        EMPTY {
            @Override
            @Nullable Object of(Method method) {
                return like(method, Mono.empty());
            }
        },
        FAILS {
            @Override
            @Nullable Object of(Method method) {
                return like(method, Mono.error(new RedisSystemException("NOPERM", null)));
            }
        },
        NEVER {
            @Override
            @Nullable Object of(Method method) {
                return like(method, Mono.never());
            }
        };

        abstract @Nullable Object of(Method method);

        private static @Nullable Object like(Method method, Mono<?> answer) {
            return method.getReturnType() == Mono.class ? answer : Flux.from(answer);
        }

        boolean suits(Method method) {
            return this == THROWS
                    || this == MISSING
                    || this == NULL
                    || Publisher.class.isAssignableFrom(method.getReturnType());
        }
    }

    /** What replaces one method of a factory and of all that comes from it. */
    private record Replacement(String method, @Nullable Way way, Map<String, Method> called) {

        <T> T in(Class<T> type, Object target) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, invoked, arguments) -> {
                        if (invoked.getDeclaringClass() == Object.class) {
                            return invoked.invoke(target, arguments);
                        }
                        String name = type.getSimpleName() + "." + invoked.getName();
                        called.put(name, invoked);
                        return way != null && name.equals(method)
                                ? way.of(invoked)
                                : result(target, invoked, arguments);
                    }));
        }

        private Object result(Object target, Method invoked, Object[] arguments) throws Throwable {
            Object result;
            try {
                result = invoked.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
            if (TYPES.contains(invoked.getReturnType())) {
                return in(invoked.getReturnType(), result);
            }
            return invoked.getName().equals("createSubscription")
                    ? ((Mono<?>) result).map(subscription -> in(ReactiveSubscription.class, subscription))
                    : result;
        }
    }

    private static ClusterOptions options() {
        return Instance.options()
                .maxDelay(Duration.ofMillis(400))
                .joinMode(JoinMode.IN_FLIGHT)
                .lease(Duration.ofSeconds(1))
                .maxWait(Duration.ofSeconds(2))
                .build();
    }

    /** One leads and is held, the other one asks; then both have their results. */
    private void assertAnswered(ClusterCalls leading, ClusterCalls asking, String key) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<String> end = new CompletableFuture<>();
        Future<String> first = submit(leading, key, () -> {
            begun.countDown();
            return end.get();
        });
        assertThat(begun.await(20, TimeUnit.SECONDS)).as("the call begins").isTrue();
        Future<String> second = submit(asking, key, () -> "own");
        try {
            second.get(200, TimeUnit.MILLISECONDS); // it has asked by then, and waits if it can
        } catch (TimeoutException waits) {
            assertThat(second).isNotDone();
        }
        end.complete("of the leader");
        assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo("of the leader");
        assertThat(second.get(20, TimeUnit.SECONDS)).isIn("of the leader", "own");
    }

    private Future<String> submit(ClusterCalls calls, String key, Callable<String> call) {
        return threads.submit(() -> calls.shared(key, call, Instance.TEXT).call());
    }

    private void assertAnswered(LettuceConnectionFactory factory, Replacement replacement, String key)
            throws Exception {
        ReactiveRedisConnectionFactory replaced = replacement.in(ReactiveRedisConnectionFactory.class, factory);
        try (ClusterCalls usual = new ClusterCalls(factory, options());
                ClusterCalls other = new ClusterCalls(replaced, options())) {
            assertAnswered(usual, other, key + " by the usual one");
            assertAnswered(other, usual, key + " by the other one");
            assertAnswered(other, other, key + " by itself");
        }
    }

    @Test
    void callersGetAResultWhateverMethodIsNotThere() throws Exception {
        LettuceConnectionFactory factory = redis.connectionFactory();
        try {
            Map<String, Method> called = new ConcurrentSkipListMap<>();
            assertAnswered(factory, new Replacement("none", null, called), "none");
            assertThat(called).containsKeys("ReactiveScriptingCommands.evalSha", "ReactiveSubscription.unsubscribe");
            Map<String, Callable<Void>> cases = new LinkedHashMap<>();
            called.forEach((name, method) -> {
                for (Way way : Way.values()) {
                    if (way.suits(method)) {
                        String title = name + " " + way;
                        Replacement replacement = new Replacement(name, way, new ConcurrentSkipListMap<>());
                        cases.put(title, () -> {
                            assertAnswered(factory, replacement, title);
                            return null;
                        });
                    }
                }
            });
            assertThat(failuresOf(cases)).isEmpty();
        } finally {
            factory.destroy();
        }
    }

    private List<String> failuresOf(Map<String, Callable<Void>> cases) throws InterruptedException {
        List<String> failures = new ArrayList<>();
        List<String> titles = new ArrayList<>(cases.keySet());
        for (int from = 0; from < titles.size(); from += AT_ONCE) {
            List<String> some = titles.subList(from, Math.min(from + AT_ONCE, titles.size()));
            List<Future<Void>> results =
                    threads.invokeAll(some.stream().map(cases::get).toList());
            for (int i = 0; i < some.size(); i++) {
                try {
                    results.get(i).get();
                } catch (ExecutionException e) {
                    failures.add(some.get(i) + ": " + e.getCause());
                }
            }
        }
        return failures;
    }
}
