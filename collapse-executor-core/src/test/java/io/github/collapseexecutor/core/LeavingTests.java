package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that are interrupted, cancelled or timed out, and leaders that are lost. */
class LeavingTests {

    private final Backend backend = new Backend();
    private final ManualTime time = new ManualTime();
    private final CollapseOptions oneAtATime =
            CollapseOptions.builder().maxConcurrentBatches(1).build();

    /** What a caller that left is told. */
    private static Class<? extends Throwable> departure(Kind kind) {
        return kind == Kind.BLOCKING ? InterruptedException.class : CancellationException.class;
    }

    private Subject subject(Kind kind, CollapseOptions options) {
        return kind.subject(options, backend, time);
    }

    private static List<Caller> submit(Subject subject, String... inputs) {
        List<Caller> callers = new ArrayList<>();
        for (String input : inputs) {
            callers.add(subject.submit(input).awaitJoined());
        }
        return callers;
    }

    @ParameterizedTest
    @EnumSource
    void P06_aCallerThatLeavesBeforeTheStartIsNotExecutedAndAffectsNobody(Kind kind) throws Exception {
        for (int leaver = 0; leaver < 4; leaver++) {
            Subject subject = subject(kind, oneAtATime);
            Caller first = subject.submit("first");
            Execution ahead = backend.next();
            List<Caller> callers = submit(subject, "0", "1", "2", "3");
            callers.get(leaver).leave();
            assertThat(callers.get(leaver).failure()).isInstanceOf(departure(kind));
            ahead.succeed();
            first.output();
            Execution execution = backend.next();
            assertThat(execution.inputs).hasSize(3).doesNotContain("" + leaver).isSorted();
            execution.succeed();
            for (int i = 0; i < 4; i++) {
                if (i != leaver) {
                    assertThat(callers.get(i).output()).isEqualTo("answer to " + i);
                }
            }
            Eventually.until(() -> subject.engine().groupCount() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whenEverybodyLeavesBeforeTheStartNothingIsExecutedAndNothingRemains(Kind kind) throws Exception {
        Subject subject = subject(kind, oneAtATime);
        subject.submit("first");
        Execution ahead = backend.next();
        for (Caller caller : submit(subject, "a", "b", "c")) {
            caller.leave();
            assertThat(caller.failure()).isInstanceOf(departure(kind));
        }
        ahead.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
        backend.expectNoneStarted();
        assertThat(backend.batches()).hasSize(1);
        Caller later = subject.submit("later");
        backend.next().succeed();
        assertThat(later.output()).isEqualTo("answer to later");
    }

    @ParameterizedTest
    @EnumSource
    void P06_aCallerThatLeavesABatchThatWaitsForTheClockTakesItsTimerAlong(Kind kind) throws Exception {
        Subject subject = subject(
                kind,
                CollapseOptions.builder()
                        .collectingWaitTime(Duration.ofMillis(5))
                        .build());
        Caller caller = subject.submit("a").awaitJoined();
        time.awaitSomebodyTimed();
        caller.leave();
        assertThat(caller.failure()).isInstanceOf(departure(kind));
        Eventually.until(() -> subject.engine().groupCount() == 0 && time.timed() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void P06_aCallerThatLeavesABatchInFlightAffectsNobody(Kind kind) throws Exception {
        Subject subject = subject(kind, oneAtATime);
        Caller first = subject.submit("first");
        Execution ahead = backend.next();
        List<Caller> callers = submit(subject, "a", "b", "c");
        ahead.succeed();
        first.output();
        Execution execution = backend.next();
        callers.get(1).leave();
        assertThat(callers.get(1).failure()).isInstanceOf(departure(kind));
        execution.succeed();
        assertThat(callers.get(0).output()).isEqualTo("answer to a");
        assertThat(callers.get(2).output()).isEqualTo("answer to c");
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void P06_aCallerIsTimedOutBeforeTheStart(Kind kind) throws Exception {
        Subject subject = subject(
                kind,
                CollapseOptions.builder()
                        .name("users")
                        .collectingWaitTime(Duration.ofHours(1))
                        .callTimeout(Duration.ofMillis(50))
                        .build());
        Caller caller = subject.submit("a").awaitJoined();
        time.awaitSomebodyTimed();
        time.advance(Duration.ofMillis(49));
        assertThat(caller.end()).isNotDone();
        time.awaitSomebodyTimed();
        time.advance(Duration.ofMillis(1));
        assertThat(caller.failure())
                .isInstanceOf(TimeoutException.class)
                .hasMessage("No answer of \"users\" within callTimeout = 50 ms");
        Eventually.until(() -> subject.engine().groupCount() == 0 && time.timed() == 0);
        assertThat(backend.batches()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void P06_aFollowerIsTimedOutWhileItsBatchRuns(Kind kind) throws Exception {
        Subject subject = subject(
                kind,
                CollapseOptions.builder()
                        .maxConcurrentBatches(1)
                        .callTimeout(Duration.ofMillis(50))
                        .build());
        subject.submit("first");
        Execution ahead = backend.next();
        time.advance(Duration.ofMillis(20));
        Caller leader = subject.submit("leader").awaitJoined();
        time.advance(Duration.ofMillis(20));
        Caller follower = subject.submit("follower").awaitJoined();
        ahead.succeed();
        Execution execution = backend.next();
        time.advance(Duration.ofMillis(49));
        assertThat(follower.end()).isNotDone();
        Eventually.until(() -> time.timed() > 0);
        time.advance(Duration.ofMillis(1));
        assertThat(follower.failure()).isInstanceOf(TimeoutException.class);
        if (kind == Kind.BLOCKING) {
            // The leader is in the call, which nobody can take it out of.
            execution.succeed();
            assertThat(leader.output()).isEqualTo("answer to leader");
        } else {
            assertThat(leader.failure()).isInstanceOf(TimeoutException.class);
            execution.result.complete(Backend.answers(execution.inputs));
        }
        Eventually.until(() -> subject.engine().groupCount() == 0 && time.timed() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerInTimeLeavesNoTimer(Kind kind) throws Exception {
        Subject subject = subject(
                kind, CollapseOptions.builder().callTimeout(Duration.ofHours(1)).build());
        Caller caller = subject.submit("a");
        backend.next().succeed();
        caller.output();
        Eventually.until(() -> time.timed() == 0);
    }

    @Test
    void P06_aLeaderThatIsInterruptedBeforeTheStartHandsTheBatchOn() throws Exception {
        Subject subject = subject(Kind.BLOCKING, oneAtATime);
        Caller first = subject.submit("first");
        Execution ahead = backend.next();
        List<Caller> callers = submit(subject, "a", "b", "c");
        callers.get(0).leave();
        assertThat(callers.get(0).failure()).isInstanceOf(InterruptedException.class);
        callers.get(1).leave();
        assertThat(callers.get(1).failure()).isInstanceOf(InterruptedException.class);
        ahead.succeed();
        first.output();
        Execution execution = backend.next();
        assertThat(execution.inputs).containsExactly("c");
        assertThat(execution.thread).isSameAs(((Caller.OnThread) callers.get(2)).thread);
        execution.succeed();
        assertThat(callers.get(2).output()).isEqualTo("answer to c");
    }

    @Test
    void P06_whenTheLeaderOfABatchThatWaitsForTheClockIsInterruptedAnotherCallerWaitsForIt() throws Exception {
        Subject subject = subject(
                Kind.BLOCKING,
                CollapseOptions.builder()
                        .collectingWaitTime(Duration.ofMillis(5))
                        .build());
        Caller leader = subject.submit("a").awaitJoined();
        time.awaitSomebodyTimed();
        Caller follower = subject.submit("b").awaitJoined();
        leader.leave();
        assertThat(leader.failure()).isInstanceOf(InterruptedException.class);
        time.awaitSomebodyTimed();
        time.advance(Duration.ofMillis(5));
        Execution execution = backend.next();
        assertThat(execution.inputs).containsExactly("b");
        execution.succeed();
        assertThat(follower.output()).isEqualTo("answer to b");
    }

    @Test
    void P06_aLeaderWhoseInterruptionBrokeTheExecutionHandsItToAFollowerOnce() throws Exception {
        Subject subject = subject(Kind.BLOCKING, oneAtATime);
        Caller first = subject.submit("first");
        Execution ahead = backend.next();
        List<Caller> callers = submit(subject, "a", "b", "c");
        ahead.succeed();
        first.output();
        assertThat(backend.next().inputs).containsExactly("a", "b", "c");
        callers.get(0).leave();
        assertThat(callers.get(0).failure()).isInstanceOf(InterruptedException.class);
        Execution again = backend.next();
        assertThat(again.inputs).containsExactly("b", "c");
        assertThat(again.thread).isSameAs(((Caller.OnThread) callers.get(1)).thread);
        again.succeed();
        assertThat(callers.get(1).output()).isEqualTo("answer to b");
        assertThat(callers.get(2).output()).isEqualTo("answer to c");
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @Test
    void anExecutionThatInterruptionBrokeTwiceEndsForEverybody() throws Exception {
        Subject subject = subject(Kind.BLOCKING, oneAtATime);
        Caller first = subject.submit("first");
        Execution ahead = backend.next();
        List<Caller> callers = submit(subject, "a", "b", "c");
        ahead.succeed();
        first.output();
        backend.next();
        callers.get(0).leave();
        callers.get(0).failure();
        backend.next();
        callers.get(1).leave();
        assertThat(callers.get(1).failure()).isInstanceOf(InterruptedException.class);
        assertThat(callers.get(2).failure())
                .isInstanceOf(CancellationException.class)
                .hasCauseInstanceOf(InterruptedException.class);
        Eventually.until(() -> subject.engine().groupCount() == 0);
        backend.expectNoneStarted();
    }

    @Test
    void aFailureWithTheThreadsInterruptFlagSetCountsAsInterruption() throws Exception {
        Subject subject = subject(Kind.BLOCKING, oneAtATime);
        Caller first = subject.submit("first");
        Execution ahead = backend.next();
        Backend other = new Backend();
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(oneAtATime, time);
        Caller lead = new Caller.OnThread(
                "lead",
                () -> executor.execute("g", () -> {
                    other.call(List.of("lead"));
                    return "held ".concat(ahead.await().get("first"));
                }));
        other.next();
        Caller.OnThread wrapping = new Caller.OnThread(
                "wrapping",
                () -> executor.execute("g", () -> {
                    other.call(List.of("wrapping"));
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("wrapped");
                }));
        wrapping.awaitJoined();
        Caller follower = new Caller.OnThread("follower", () -> executor.execute("g", () -> "by the follower"));
        follower.awaitJoined();
        ahead.succeed();
        first.output();
        assertThat(lead.output()).isEqualTo("held answer to first");
        assertThat(wrapping.failure()).isInstanceOf(IllegalStateException.class);
        assertThat(wrapping.interruptedAfter).isTrue();
        assertThat(follower.output()).isEqualTo("by the follower");
    }

    /** Two callers of one batch, the first of which leads; its call does what it is told. */
    private List<Caller> leaderAndFollower(CollapseOptions options, Caller.Callee call) throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options, time);
        Backend ahead = new Backend();
        Caller first = new Caller.OnThread(
                "first",
                () -> executor.execute(
                        "g", () -> ahead.call(List.of("first")).await().get("first")));
        Execution held = ahead.next();
        List<Caller> callers = new ArrayList<>();
        for (String name : List.of("leader", "follower")) {
            callers.add(new Caller.OnThread(name, () -> executor.execute("g", call::call)).awaitJoined());
        }
        held.succeed();
        first.output();
        return callers;
    }

    @Test
    void P06_anInterruptionAmongTheCausesRunsNoBatchTwice() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        List<Caller> callers = leaderAndFollower(oneAtATime, () -> {
            runs.incrementAndGet();
            throw new ExecutionException(new InterruptedException("another thread was interrupted"));
        });
        for (Caller caller : callers) {
            assertThat(caller.failure()).isInstanceOf(ExecutionException.class);
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void P06_theInterruptionOfAnotherThreadThatIsThrownOnReachesTheLeaderAlone() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        List<Caller> callers = leaderAndFollower(oneAtATime, () -> {
            if (runs.incrementAndGet() > 1) {
                return "of the second call";
            }
            throw CompletableFuture.supplyAsync(() -> new InterruptedException("another thread"))
                    .get();
        });
        assertThat(callers.get(0).failure()).hasMessage("another thread");
        assertThat(callers.get(1).output()).isEqualTo("of the second call");
    }

    /** A trace has 1 024 frames at most, so that the traces of a deep leader say nothing of whose they are. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1_000, 1_100, 3_000})
    void P06_aFollowerNeverGetsTheInterruptionOfItsLeaderHoweverDeepThatIs(int frames) throws Exception {
        AtomicInteger runs = new AtomicInteger();
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(oneAtATime, time);
        CountDownLatch inside = new CountDownLatch(1);
        Caller.OnThread first = new Caller.OnThread(
                "first",
                () -> deep(
                        frames,
                        () -> executor.execute("g", () -> {
                            inside.countDown();
                            new CountDownLatch(1).await();
                            return "never";
                        })));
        inside.await();
        Caller.OnThread second = new Caller.OnThread(
                "second",
                () -> deep(
                        frames,
                        () -> executor.execute("g", () -> {
                            if (runs.incrementAndGet() == 1) {
                                throw deep(frames, () -> new InterruptedException());
                            }
                            return "again";
                        })));
        second.awaitJoined();
        Caller third = new Caller.OnThread("third", () -> executor.execute("g", () -> "by the follower"));
        third.awaitJoined();
        first.leave();
        assertThat(first.failure()).isInstanceOf(InterruptedException.class);
        assertThat(second.failure()).isInstanceOf(InterruptedException.class);
        assertThat(third.output()).isEqualTo("by the follower");
    }

    private static <T> T deep(int frames, Callable<T> call) throws Exception {
        return frames == 0 ? call.call() : deep(frames - 1, call);
    }

    @Test
    void P06_aBatchThatMayBeExecutedAtMostOnceIsNotRepeatedByAFollower() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch inside = new CountDownLatch(1);
        List<Caller> callers =
                leaderAndFollower(oneAtATime.toBuilder().atMostOnce(true).build(), () -> {
                    runs.incrementAndGet();
                    inside.countDown();
                    never.await();
                    return "never";
                });
        inside.await();
        callers.get(0).leave();
        assertThat(callers.get(0).failure()).isInstanceOf(InterruptedException.class);
        assertThat(callers.get(1).failure()).isInstanceOf(CancellationException.class);
        assertThat(runs).hasValue(1);
    }

    @Test
    void P06_aLoneCallerWhoseThreadIsInterruptedRunsItsCallAsIfItHadCalledIt() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
        Caller caller = new Caller.OnThread("interrupted", () -> {
            Thread.currentThread().interrupt();
            StringBuilder seen = new StringBuilder();
            for (int i = 0; i < 3; i++) {
                seen.append(executor.<Boolean>execute(
                        "g", () -> Thread.currentThread().isInterrupted()));
            }
            return seen.toString();
        });
        assertThat(caller.output()).isEqualTo("truetruetrue");
    }

    @Test
    void aLoneLeadersInterruptionIsItsOwn() throws Exception {
        Subject subject = subject(Kind.BLOCKING, CollapseOptions.defaults());
        Caller caller = subject.submit("a");
        backend.next();
        caller.leave();
        assertThat(caller.failure()).isInstanceOf(InterruptedException.class);
        assertThat(subject.engine().groupCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = "FUTURE")
    void P06_whenTheLastCallerLeavesABatchInFlightItsFutureIsCancelledAndALaterCallerStartsAnew(Kind kind)
            throws Exception {
        for (JoinMode mode : JoinMode.values()) {
            Subject subject =
                    subject(kind, CollapseOptions.builder().joinMode(mode).build());
            List<Caller> callers = submit(subject, "a");
            Execution execution = backend.next();
            if (mode == JoinMode.IN_FLIGHT) {
                callers.addAll(submit(subject, "a", "a"));
            }
            for (Caller caller : callers) {
                assertThat(execution.result).isNotDone();
                caller.leave();
            }
            assertThat(execution.result).isCancelled();
            Eventually.until(() -> subject.engine().groupCount() == 0);
            Caller later = subject.submit("a");
            backend.next().succeed();
            assertThat(later.output()).isEqualTo("answer to a");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ASYNC", "FUTURE"})
    void aBatchThatEveryCallerLeavesJustAfterItsStartStillHasItsInputs(Kind kind) throws Exception {
        Subject subject = subject(kind, CollapseOptions.defaults());
        List<Caller> callers = new ArrayList<>(submit(subject, "a"));
        Execution a = backend.next();
        time.advance(Duration.ofMillis(10));
        callers.addAll(submit(subject, "b"));
        Execution b = backend.next();
        Caller gathered = subject.submit("c");
        // The timer of a batch is cancelled by its start, so that the caller leaves between the start and the
        // execution.
        time.whenCancelled = gathered::leave;
        b.succeed();
        assertThat(gathered.failure()).isInstanceOf(departure(kind));
        Execution c = backend.next();
        assertThat(c.inputs).containsExactly("c");
        c.result.complete(Map.of()); // cancelled already where a stage can be
        a.succeed();
        for (Caller caller : callers) {
            assertThat(caller.output()).startsWith("answer to ");
        }
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @Test
    void aFutureThatTheCallerCompletesItselfMakesTheCallerLeave() throws Exception {
        Subject subject = subject(Kind.FUTURE, oneAtATime);
        subject.submit("first");
        Execution ahead = backend.next();
        Caller.OfFuture completed = (Caller.OfFuture) subject.submit("a");
        Caller.OfFuture failed = (Caller.OfFuture) subject.submit("b");
        Caller stays = subject.submit("c");
        assertThat(completed.future.complete("mine")).isTrue();
        assertThat(failed.future.completeExceptionally(new TimeoutException("mine")))
                .isTrue();
        ahead.succeed();
        Execution execution = backend.next();
        assertThat(execution.inputs).containsExactly("c");
        execution.succeed();
        assertThat(completed.output()).isEqualTo("mine");
        assertThat(failed.failure()).hasMessage("mine");
        assertThat(stays.output()).isEqualTo("answer to c");
        assertThat(completed.future.cancel(true)).isFalse();
    }

    @Test
    void orTimeoutOfTheCallersFutureMakesTheCallerLeave() throws Exception {
        Subject subject = subject(Kind.FUTURE, oneAtATime);
        subject.submit("first");
        backend.next();
        Caller.OfFuture caller = (Caller.OfFuture) subject.submit("a");
        caller.future.orTimeout(1, TimeUnit.MILLISECONDS);
        assertThat(caller.failure()).isInstanceOf(TimeoutException.class);
    }
}
