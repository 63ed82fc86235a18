package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After a write, an executor that shares calls in flight is told to share those no more. */
class ForgetTests {

    private final Backend backend = new Backend();
    private final ManualTime time = new ManualTime();
    private final CollapseOptions options = CollapseOptions.builder()
            .joinMode(JoinMode.IN_FLIGHT)
            .collectingWaitTime(Duration.ofNanos(-1))
            .build();

    @ParameterizedTest
    @EnumSource
    void P03_aLaterCallDoesNotShareWhatWasForgotten(Kind kind) throws Exception {
        Subject subject = kind.subject(options, backend, time);
        Caller before = subject.submit("a");
        Execution old = backend.next();
        Caller along = subject.submit("a").awaitJoined();
        subject.forget("a");
        Caller after = subject.submit("a");
        Execution anew = backend.next();
        Caller last = subject.submit("a").awaitJoined();
        anew.succeed();
        assertThat(after.output()).isEqualTo("answer to a");
        assertThat(last.output()).isEqualTo("answer to a");
        assertThat(before.end()).isNotDone();
        old.succeed();
        assertThat(before.output()).isEqualTo("answer to a");
        assertThat(along.output()).isEqualTo("answer to a");
        assertThat(backend.batches()).hasSize(2);
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void otherInputsOfTheSameExecutionAreSharedStill(Kind kind) throws Exception {
        Subject subject =
                kind.subject(options.toBuilder().maxConcurrentBatches(1).build(), backend, time);
        Caller first = subject.submit("first");
        Execution ahead = backend.next();
        Caller a = subject.submit("a").awaitJoined();
        Caller b = subject.submit("b").awaitJoined();
        ahead.succeed();
        first.output();
        Execution both = backend.next();
        assertThat(both.inputs).containsExactly("a", "b");
        subject.forget("a");
        Caller otherB = subject.submit("b").awaitJoined();
        Caller otherA = subject.submit("a").awaitJoined();
        both.succeed();
        Execution anew = backend.next();
        assertThat(anew.inputs).containsExactly("a");
        anew.succeed();
        for (Caller caller : List.of(a, b, otherA, otherB)) {
            assertThat(caller.output()).startsWith("answer to ");
        }
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void anInputThatWaitsForItsStartIsSharedOnceItRuns(Kind kind) throws Exception {
        Subject subject =
                kind.subject(options.toBuilder().maxConcurrentBatches(1).build(), backend, time);
        Caller first = subject.submit("first");
        Execution ahead = backend.next();
        Caller waits = subject.submit("a").awaitJoined();
        subject.forget("a");
        ahead.succeed();
        first.output();
        Execution later = backend.next();
        Caller joins = subject.submit("a").awaitJoined();
        later.succeed();
        assertThat(waits.output()).isEqualTo("answer to a");
        assertThat(joins.output()).isEqualTo("answer to a");
        assertThat(backend.batches()).hasSize(2);
    }

    /** Old executions hang while new ones come and are forgotten; they end in another order than they began in. */
    @ParameterizedTest
    @EnumSource
    void manyForgottenExecutionsEndInAnyOrder(Kind kind) throws Exception {
        Subject subject = kind.subject(options.toBuilder().maxWaitRatio(0).build(), backend, time);
        List<Execution> executions = new ArrayList<>();
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            subject.forget("a");
            callers.add(subject.submit("a"));
            executions.add(backend.next());
        }
        executions.get(1).succeed();
        callers.add(subject.submit("a").awaitJoined());
        executions.get(3).succeed();
        executions.get(0).succeed();
        executions.get(2).succeed();
        for (Caller caller : callers) {
            assertThat(caller.output()).isEqualTo("answer to a");
        }
        assertThat(backend.batches()).hasSize(4);
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void whereNothingIsInFlightOrSharedItDoesNothing(Kind kind) throws Exception {
        Subject idle = kind.subject(options, backend, time);
        idle.forget("a");
        assertThat(idle.engine().groupCount()).isZero();

        Subject fresh = kind.subject(CollapseOptions.defaults(), backend, time);
        Caller caller = fresh.submit("a");
        Execution execution = backend.next();
        fresh.forget("a");
        execution.succeed();
        assertThat(caller.output()).isEqualTo("answer to a");
    }

    @ParameterizedTest
    @EnumSource
    void aFunctionsExecutorForgetsByItsGroups(Kind kind) throws Exception {
        InputOptions<String> grouped = options.groupBy(Subject::group);
        switch (kind) {
            case BLOCKING -> {
                BlockingCollapseExecutor<String, String> executor =
                        CollapseExecutors.blockingInOrder(backend::outputs, grouped);
                Caller first = new Caller.OnThread("first", () -> executor.execute("one/a"));
                Execution old = backend.next();
                executor.forget("two/a");
                Caller joins = new Caller.OnThread("joins", () -> executor.execute("one/a")).awaitJoined();
                executor.forget("one/a");
                Caller anew = new Caller.OnThread("anew", () -> executor.execute("one/a"));
                expectTwoExecutions(old, first, joins, anew);
            }
            case ASYNC -> expectTwoExecutions(CollapseExecutors.asyncInOrder(backend::outputs, grouped));
            case FUTURE ->
                expectTwoExecutions(CollapseExecutors.futureInOrder(
                        (List<String> inputs) ->
                                backend.call(inputs).result.thenApply(outputs -> List.copyOf(outputs.values())),
                        grouped));
        }
    }

    private void expectTwoExecutions(FutureCollapseExecutor<String, String> executor) throws Exception {
        Caller first = new Caller.OfFuture(executor.execute("one/a"));
        Execution old = backend.next();
        executor.forget("two/a");
        Caller joins = new Caller.OfFuture(executor.execute("one/a"));
        executor.forget("one/a");
        expectTwoExecutions(old, first, joins, new Caller.OfFuture(executor.execute("one/a")));
    }

    private void expectTwoExecutions(Execution old, Caller first, Caller joins, Caller anew) throws Exception {
        backend.next().succeed();
        assertThat(anew.output()).isEqualTo("answer to one/a");
        assertThat(joins.end()).isNotDone();
        old.succeed();
        assertThat(joins.output()).isEqualTo(first.output());
        assertThat(backend.batches()).hasSize(2);
    }

    @Test
    void callablesOfAGroupAreForgotten() throws Exception {
        AsyncCallableGroupCollapseExecutor async = new AsyncCallableGroupCollapseExecutor(options);
        FutureCallableGroupCollapseExecutor future = new FutureCallableGroupCollapseExecutor(options);
        BlockingCallableGroupCollapseExecutor blocking = new BlockingCallableGroupCollapseExecutor(options, time);

        CompletableFuture<String> old = new CompletableFuture<>();
        CompletableFuture<String> first = future.execute("group", () -> old);
        CompletableFuture<String> along = future.execute("group", () -> new CompletableFuture<>());
        future.forget("group");
        future.forget("another");
        assertThat(future.<String>execute("group", () -> CompletableFuture.completedFuture("new"))
                        .get())
                .isEqualTo("new");
        assertThat(along).isNotDone();
        old.complete("old");
        assertThat(first.get()).isEqualTo("old");
        assertThat(along.get()).isEqualTo("old");

        Caller before = new Caller.OnThread(
                "before",
                () -> blocking.execute(
                        "group", () -> backend.call(List.of("old")).await().get("old")));
        Execution held = backend.next();
        Caller joined =
                new Caller.OnThread("joined", () -> blocking.execute("group", () -> "not called")).awaitJoined();
        blocking.forget("group");
        assertThat(blocking.<String>execute("group", () -> "new")).isEqualTo("new");
        held.succeed();
        assertThat(before.output()).isEqualTo("answer to old");
        assertThat(joined.output()).isEqualTo("answer to old");

        Caller running = new Caller.OfFuture(async.execute(
                "group", () -> backend.call(List.of("old")).await().get("old")));
        Execution runs = backend.next();
        async.forget("group");
        assertThat(new Caller.OfFuture(async.execute("group", () -> "new")).output())
                .isEqualTo("new");
        runs.succeed();
        assertThat(running.output()).isEqualTo("answer to old");
    }

    @ParameterizedTest
    @EnumSource
    void P02_anInputWhoseHashCodeFailsFailsTheForgetAlone(Kind kind) {
        Object broken = new Object() {
            @Override
            public int hashCode() {
                throw new IllegalStateException("broken");
            }
        };
        CollapseEngine<?, ?> engine = kind.subject(options, backend, time).engine();
        assertThatThrownBy(() -> engine.forget("group", broken)).hasMessage("broken");
        assertThatThrownBy(() -> engine.forget(broken, "a")).hasMessage("broken");
        assertThatThrownBy(() -> new FutureCallableGroupCollapseExecutor().forget(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("group");
    }
}
