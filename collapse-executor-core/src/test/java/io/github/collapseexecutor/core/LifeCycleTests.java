package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C17: counts of what is in an executor, and its end. */
class LifeCycleTests {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Backend backend = new Backend();
    private final ManualTime time = new ManualTime();
    private final CollapseOptions oneAtATime =
            CollapseOptions.builder().name("users").maxConcurrentBatches(1).build();

    private static void expectCounts(CollapseExecutor executor, int callers, int gathering, int inFlight, int groups) {
        assertThat(executor.counts())
                .hasToString("callers=" + callers + ", gathering=" + gathering + ", batchesInFlight=" + inFlight
                        + ", groups=" + groups);
    }

    private static void expectRefused(Caller caller) throws Exception {
        assertThat(caller.failure())
                .isInstanceOf(ExecutorClosedException.class)
                .hasMessageStartingWith("Executor \"users\" was closed before this call was run");
    }

    private static void expectClosed(Subject subject) {
        assertThatThrownBy(() -> subject.callOnThisThread("late"))
                .isInstanceOf(ExecutorClosedException.class)
                .hasMessageStartingWith("Executor \"users\" is closed");
    }

    @ParameterizedTest
    @EnumSource
    void P17_callersInputsBatchesAndGroupsAreCountedWhereNothingIsBounded(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend);
        expectCounts(subject.executor(), 0, 0, 0, 0);
        Caller x = subject.submit("x/first");
        Execution inX = backend.next();
        Caller y = subject.submit("y/first");
        Execution inY = backend.next();
        Caller a = subject.submit("x/a").awaitJoined();
        Caller b = subject.submit("x/b").awaitJoined();
        Caller c = subject.submit("y/c").awaitJoined();
        expectCounts(subject.executor(), 5, 3, 2, 2);
        b.leave();
        b.failure();
        expectCounts(subject.executor(), 4, 2, 2, 2);
        inY.succeed();
        backend.next().succeed();
        y.output();
        c.output();
        Eventually.until(() -> subject.engine().groupCount() == 1);
        expectCounts(subject.executor(), 2, 1, 1, 1);
        inX.succeed();
        Execution last = backend.next();
        x.output();
        expectCounts(subject.executor(), 1, 0, 1, 1);
        last.succeed();
        a.output();
        Eventually.until(() -> subject.engine().groupCount() == 0);
        expectCounts(subject.executor(), 0, 0, 0, 0);
    }

    @ParameterizedTest
    @EnumSource
    void P17_callersThatJoinInFlightAndLeaveAreCounted(Kind kind) throws Exception {
        Subject subject =
                kind.subject(oneAtATime.toBuilder().joinMode(JoinMode.IN_FLIGHT).build(), backend);
        Caller leader = subject.submit("a");
        Execution execution = backend.next();
        Caller follower = subject.submit("a").awaitJoined();
        Caller leaving = subject.submit("a").awaitJoined();
        expectCounts(subject.executor(), 3, 0, 1, 1);
        leaving.leave();
        leaving.failure();
        expectCounts(subject.executor(), 2, 0, 1, 1);
        execution.succeed();
        leader.output();
        follower.output();
        Eventually.until(() -> subject.engine().groupCount() == 0);
        expectCounts(subject.executor(), 0, 0, 0, 0);
    }

    @ParameterizedTest
    @EnumSource
    void P12_aClosedExecutorRefusesCalls(Kind kind) {
        CollapseOptions options = oneAtATime.toBuilder().maxPending(1).build();
        Subject subject = kind.subject(options, backend.answering());
        assertThat(subject.executor().close(LONG)).isTrue();
        for (int i = 0; i < 2; i++) {
            expectClosed(subject);
        }
        expectCounts(subject.executor(), 0, 0, 0, 0);
        assertThat(subject.executor().close(Duration.ofSeconds(-1))).isTrue();
        subject.executor().close();
        assertThat(backend.batches()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void P12_closeWaitsForEveryCallThatIsPresent(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend);
        Caller first = subject.submit("first");
        Execution inFlight = backend.next();
        Caller gathered = subject.submit("gathered").awaitJoined();
        Caller inOtherGroup = subject.submit("other/group");
        Execution other = backend.next();
        Closer closer = new Closer(subject.executor(), LONG).awaitWaiting();
        Closer another = new Closer(subject.executor(), Duration.ofDays(1_000_000)).awaitWaiting();
        expectClosed(subject);
        other.succeed();
        inFlight.succeed();
        Execution second = backend.next();
        assertThat(second.inputs).containsExactly("gathered");
        closer.awaitWaiting();
        second.succeed();
        assertThat(closer.result()).isTrue();
        assertThat(another.result()).isTrue();
        assertThat(first.output()).isEqualTo("answer to first");
        assertThat(gathered.output()).isEqualTo("answer to gathered");
        assertThat(inOtherGroup.output()).isEqualTo("answer to other/group");
    }

    @ParameterizedTest
    @EnumSource
    void P12_atTheDeadlineWhatHasNotStartedFailsAndWhatIsInFlightGoesOn(Kind kind) throws Exception {
        List<BatchSummary> summaries = new ArrayList<>();
        Subject subject = kind.subject(
                oneAtATime.toBuilder()
                        .maxBatchSize(2)
                        .listener(summary -> {
                            synchronized (summaries) {
                                summaries.add(summary);
                            }
                        })
                        .build(),
                backend,
                time);
        Caller first = subject.submit("first");
        Execution inFlight = backend.next();
        List<Caller> gathered = new ArrayList<>();
        for (String input : List.of("a", "b", "c", "d", "e")) {
            gathered.add(subject.submit(input).awaitJoined());
        }
        Closer closer = new Closer(subject.executor(), Duration.ofSeconds(5)).awaitWaiting();
        time.awaitSomebodyTimed();
        time.advance(Duration.ofSeconds(5));
        assertThat(closer.result()).isFalse();
        for (Caller caller : gathered) {
            expectRefused(caller);
        }
        expectCounts(subject.executor(), 1, 0, 1, 1);
        inFlight.succeed();
        assertThat(first.output()).isEqualTo("answer to first");
        Eventually.until(() -> subject.engine().groupCount() == 0);
        assertThat(subject.executor().close(LONG)).isTrue();
        assertThat(backend.batches()).containsExactly(List.of("first"));
        Eventually.until(() -> {
            synchronized (summaries) {
                return summaries.size() == 4;
            }
        });
        assertThat(summaries.subList(0, 3)).allSatisfy(summary -> {
            assertThat(summary.outcome()).isEqualTo(BatchSummary.Outcome.FAILED);
            assertThat(summary.failure()).isInstanceOf(ExecutorClosedException.class);
            assertThat(summary.waitNanos()).isEqualTo(Duration.ofSeconds(5).toNanos());
            assertThat(summary.durationNanos()).isZero();
        });
    }

    @ParameterizedTest
    @EnumSource
    void P12_aBatchThatCollectsFailsAtTheDeadlineAndItsTimerIsGone(Kind kind) throws Exception {
        CollapseOptions collecting =
                oneAtATime.toBuilder().collectingWaitTime(Duration.ofHours(1)).build();
        Subject subject = kind.subject(collecting, backend, time);
        Caller caller = subject.submit("a").awaitJoined();
        time.awaitSomebodyTimed();
        assertThat(subject.executor().close(Duration.ZERO)).isFalse();
        expectRefused(caller);
        Eventually.until(() -> time.timed() == 0);
        expectCounts(subject.executor(), 0, 0, 0, 0);
        backend.expectNoneStarted();
    }

    @ParameterizedTest
    @EnumSource
    void P12_aCloserThatIsInterruptedWaitsNoLonger(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend);
        Caller first = subject.submit("first");
        Execution inFlight = backend.next();
        Caller gathered = subject.submit("gathered").awaitJoined();
        Closer closer = new Closer(subject.executor(), LONG).awaitWaiting();
        closer.thread.interrupt();
        assertThat(closer.result()).isFalse();
        assertThat(closer.interruptedAfter).isTrue();
        expectRefused(gathered);
        inFlight.succeed();
        first.output();
    }

    @Test
    void P12_aBatchThatItsExecutorHasTakenAndNotBegunFailsAtTheDeadline() throws Exception {
        LinkedBlockingQueue<Runnable> taken = new LinkedBlockingQueue<>();
        FutureCollapseExecutor<String, String> executor =
                CollapseExecutors.asyncInOrder(backend::outputs, oneAtATime, taken::add);
        Caller caller = new Caller.OfFuture(executor.execute("a"));
        expectCounts(executor, 1, 1, 0, 1);
        assertThat(executor.close(Duration.ZERO)).isFalse();
        expectRefused(caller);
        expectCounts(executor, 0, 0, 0, 0);
        taken.remove().run();
        backend.expectNoneStarted();
    }

    @ParameterizedTest
    @EnumSource
    void P12_noCallBeginsAfterCloseAndEveryCallEnds(Kind kind) throws Exception {
        for (int round = 0; round < 20; round++) {
            Backend answering = new Backend().answering();
            Subject subject = kind.subject(oneAtATime, answering);
            List<FutureTask<Void>> callers = new ArrayList<>();
            CompletableFuture<Void> begun = new CompletableFuture<>();
            for (int i = 0; i < 4; i++) {
                callers.add(callUntilClosed(subject, begun, i));
            }
            begun.get(10, TimeUnit.SECONDS);
            assertThat(subject.executor().close(LONG)).isTrue();
            int executions = answering.batches().size();
            for (FutureTask<Void> caller : callers) {
                caller.get(10, TimeUnit.SECONDS);
            }
            expectCounts(subject.executor(), 0, 0, 0, 0); // only now: a caller that is refused late was counted before
            assertThat(answering.batches()).hasSize(executions);
        }
    }

    private static FutureTask<Void> callUntilClosed(Subject subject, CompletableFuture<Void> begun, int number) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            for (int i = 0; ; i++) {
                String input = number % 2 + "/" + number + "." + i;
                try {
                    assertThat(subject.callOnThisThread(input)).isEqualTo("answer to " + input);
                } catch (ExecutorClosedException closed) {
                    return null;
                }
                begun.complete(null);
            }
        });
        Thread thread = new Thread(task, "caller of closing");
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    @Test
    void P12_everyOtherExecutorIsCountedAndClosedToo() throws Exception {
        BlockingCallableGroupCollapseExecutor blocking = new BlockingCallableGroupCollapseExecutor(oneAtATime);
        AsyncCallableGroupCollapseExecutor async = new AsyncCallableGroupCollapseExecutor(oneAtATime);
        FutureCallableGroupCollapseExecutor future = new FutureCallableGroupCollapseExecutor(oneAtATime);
        BlockingCollapseExecutor<String, String> blockingFunction =
                CollapseExecutors.blockingInOrder(inputs -> inputs, oneAtATime);
        FutureCollapseExecutor<String, String> asyncFunction =
                CollapseExecutors.asyncInOrder(inputs -> inputs, oneAtATime);
        FutureCollapseExecutor<String, String> futureFunction =
                CollapseExecutors.futureInOrder(CompletableFuture::completedFuture, oneAtATime);
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<String> inFlight = future.execute("g", () -> answer);
        expectCounts(future, 1, 0, 1, 1);
        answer.complete("answer");
        assertThat(inFlight).isCompletedWithValue("answer");
        for (CollapseExecutor executor :
                List.of(blocking, async, future, blockingFunction, asyncFunction, futureFunction)) {
            expectCounts(executor, 0, 0, 0, 0);
            executor.close();
        }
        Callable<String> call = () -> "never";
        assertThatThrownBy(() -> blocking.execute("g", call)).isInstanceOf(ExecutorClosedException.class);
        assertThatThrownBy(() -> async.execute("g", call)).isInstanceOf(ExecutorClosedException.class);
        assertThatThrownBy(() -> future.execute("g", () -> answer)).isInstanceOf(ExecutorClosedException.class);
        assertThatThrownBy(() -> blockingFunction.execute("a")).isInstanceOf(ExecutorClosedException.class);
        assertThatThrownBy(() -> asyncFunction.execute("a")).isInstanceOf(ExecutorClosedException.class);
        assertThatThrownBy(() -> futureFunction.execute("a")).isInstanceOf(ExecutorClosedException.class);
    }
}
