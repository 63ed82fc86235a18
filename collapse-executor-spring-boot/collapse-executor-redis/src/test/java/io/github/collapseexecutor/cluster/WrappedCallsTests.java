package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.AsyncCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.LocalResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Executors whose calls are shared as a whole, by {@link ClusterCalls#wrapper}. */
class WrappedCallsTests extends SharingFixture {

    private static final Pattern WAITER = Pattern.compile("w.{16}");

    /** The executors of callables. */
    enum Kind {
        BLOCKING,
        ASYNC,
        FUTURE
    }

    /** What an instance of an application does. */
    private Callable<Object> asks(
            Kind kind, Instance instance, String name, Object group, CompletableFuture<Object> answer) {
        CollapseOptions options = options(instance, name);
        return switch (kind) {
            case BLOCKING ->
                () -> new BlockingCallableGroupCollapseExecutor(options)
                        .execute(group, () -> called(answer).get());
            case ASYNC ->
                () -> new AsyncCallableGroupCollapseExecutor(options)
                        .execute(group, () -> called(answer).get())
                        .get();
            case FUTURE ->
                () -> new FutureCallableGroupCollapseExecutor(options)
                        .execute(group, () -> called(answer))
                        .get();
        };
    }

    private static CollapseOptions options(Instance instance, String name) {
        return CollapseOptions.builder()
                .callWrapper(instance.calls()
                        .wrapper(name, ResultCodec.ofPlainValues().withFormat("text")))
                .build();
    }

    private CompletableFuture<Object> called(CompletableFuture<Object> answer) {
        calls.incrementAndGet();
        return answer;
    }

    private void awaitCalls(int count) {
        await().until(() -> calls.get() == count);
    }

    private void awaitOneWaiter() {
        await().until(() -> redis.commands().keys("collapse:2:*").stream()
                .flatMap(hash -> redis.commands().hkeys(hash).stream())
                .anyMatch(field -> WAITER.matcher(field).matches()));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void executorsOfTheSameNameShareTheCallOfAGroup(Kind kind) throws Exception {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        List<Object> group = List.of("user", 7);
        Future<Object> first = threads.submit(asks(kind, joining(), "users", group, answer));
        awaitCalls(1);
        Future<Object> second = threads.submit(asks(kind, joining(), "users", group, answer));
        awaitOneWaiter();
        answer.complete("name 7");
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("name 7");
        assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("name 7");
        assertThat(calls).hasValue(1);
    }

    @Test
    void anotherNameOrAnotherGroupIsAnotherCall() throws Exception {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        List<Future<Object>> asked = new ArrayList<>();
        asked.add(threads.submit(asks(Kind.BLOCKING, joining(), "users", 7, answer)));
        awaitCalls(1);
        asked.add(threads.submit(asks(Kind.BLOCKING, joining(), "orders", 7, answer)));
        awaitCalls(2);
        asked.add(threads.submit(asks(Kind.BLOCKING, joining(), "users", 7L, answer)));
        awaitCalls(3);
        answer.complete("done");
        for (Future<Object> one : asked) {
            assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo("done");
        }
    }

    @Test
    void theCallOfAGroupWithoutAPlainFormIsNotSharedAndOneWarningTellsSo() throws Exception {
        Object group = new Object();
        Instance instance = joining();
        CollapseOptions options = options(instance, "users");
        BlockingCallableGroupCollapseExecutor blocking = new BlockingCallableGroupCollapseExecutor(options);
        FutureCallableGroupCollapseExecutor future = new FutureCallableGroupCollapseExecutor(options);
        try (LogRecords log = new LogRecords()) {
            assertThat(blocking.<String>execute(group, () -> "own")).isEqualTo("own");
            assertThat(blocking.<String>execute(group, () -> "own")).isEqualTo("own");
            assertThat(future.execute(group, () -> CompletableFuture.completedFuture("own")))
                    .succeedsWithin(30, TimeUnit.SECONDS)
                    .isEqualTo("own");
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains(
                            "function users does not share",
                            "java.lang.Object is no plain value",
                            "Make groups and keys of");
        }
        assertThat(redis.commands().keys("*")).isEmpty();
        assertThat(instance.calls().counts().led()).isZero();
    }

    record ForOneInstance(String name) implements LocalResult {}

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aResultForOneInstanceReachesItsCallersAndLeavesTheCallToAnother(Kind kind) throws Exception {
        CompletableFuture<Object> own = new CompletableFuture<>();
        Future<Object> first = threads.submit(asks(kind, joining(), "users", 7, own));
        awaitCalls(1);
        Instance other = joining();
        Future<Object> second =
                threads.submit(asks(kind, other, "users", 7, CompletableFuture.completedFuture("name 7")));
        awaitOneWaiter();
        own.complete(new ForOneInstance("name"));
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo(new ForOneInstance("name"));
        assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo("name 7");
        assertThat(calls).hasValue(2);
        assertThat(other.calls().counts().led()).isEqualTo(1);
    }

    @Test
    void aResultThatTheCodecRefusesIsNotSharedAndReachesItsCaller() throws Exception {
        Object result = new Object();
        assertThat(asks(Kind.BLOCKING, joining(), "users", 7, CompletableFuture.completedFuture(result))
                        .call())
                .isSameAs(result);
    }
}
