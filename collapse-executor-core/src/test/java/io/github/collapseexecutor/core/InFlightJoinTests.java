package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link JoinMode#IN_FLIGHT}: callers that accept an answer already under way. */
class InFlightJoinTests {

    private final Backend backend = new Backend();
    private final ManualTime time = new ManualTime();
    private final CollapseOptions options =
            CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build();

    @ParameterizedTest
    @EnumSource
    void equalInputsShareAnExecutionInFlight(Kind kind) throws Exception {
        Subject subject = kind.subject(options, backend, time);
        List<Caller> callers = new ArrayList<>();
        callers.add(subject.submit("a"));
        Execution execution = backend.next();
        for (int i = 0; i < 5; i++) {
            callers.add(subject.submit("a").awaitJoined());
        }
        execution.succeed();
        for (Caller caller : callers) {
            assertThat(caller.output()).isEqualTo("answer to a");
        }
        assertThat(backend.batches()).hasSize(1);
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void otherInputsOfTheGroupDoNot(Kind kind) throws Exception {
        Subject subject = kind.subject(options, backend, time);
        Caller a = subject.submit("a");
        Execution first = backend.next();
        Caller b = subject.submit("b");
        Execution second = backend.next();
        assertThat(second.inputs).containsExactly("b");
        Caller again = subject.submit("b").awaitJoined();
        first.succeed();
        second.succeed();
        assertThat(a.output()).isEqualTo("answer to a");
        assertThat(b.output()).isEqualTo("answer to b");
        assertThat(again.output()).isEqualTo("answer to b");
        assertThat(backend.batches()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void aFailureIsSharedToo(Kind kind) throws Exception {
        Subject subject = kind.subject(options, backend, time);
        Caller first = subject.submit("a");
        Execution execution = backend.next();
        Caller second = subject.submit("a").awaitJoined();
        IOException failure = new IOException("down");
        execution.fail(failure);
        assertThat(first.failure()).isSameAs(failure);
        assertThat(second.failure()).isSameAs(failure);
    }

    @ParameterizedTest
    @EnumSource
    void aCallerAfterTheEndStartsAnew(Kind kind) throws Exception {
        Subject subject = kind.subject(options, backend, time);
        for (int i = 0; i < 3; i++) {
            Caller caller = subject.submit("a");
            backend.next().succeed();
            caller.output();
        }
        assertThat(backend.batches()).hasSize(3);
    }

    @Test
    void aCallThatLatecomersShareIsMadeWithoutAYield() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options, time);
        assertThat(executor.<String>execute("group", () -> "output")).isEqualTo("output");
        assertThat(time.yields).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void aBatchThatOtherInputsCannotJoinLaterYieldsForThem(Kind kind) throws Exception {
        Subject subject = kind.subject(options, backend, time);
        time.duringNextYield(() -> subject.submit("b").awaitJoined());
        subject.submit("a");
        Execution together = backend.next();
        assertThat(together.inputs).containsExactly("a", "b");
        together.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void aReportOfFourSecondsThatIsAskedForEveryQuarterOfASecondRunsOnce(Kind kind) throws Exception {
        Subject subject = kind.subject(options, backend, time);
        List<Caller> callers = new ArrayList<>();
        callers.add(subject.submit("report"));
        Execution report = backend.next();
        for (int quarter = 1; quarter < 16; quarter++) {
            time.advance(Duration.ofMillis(250));
            callers.add(subject.submit("report").awaitJoined());
        }
        report.succeed();
        for (Caller caller : callers) {
            assertThat(caller.output()).isEqualTo("answer to report");
        }
        assertThat(backend.batches()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aCallOlderThanMaxJoinAgeTakesNoNewcomersWithIt(Kind kind) throws Exception {
        Subject subject = kind.subject(
                options.toBuilder().maxJoinAge(Duration.ofMillis(100)).build(), backend, time);
        Caller hung = subject.submit("a");
        Execution hangs = backend.next();
        time.advance(Duration.ofMillis(100));
        Caller along = subject.submit("a").awaitJoined();
        backend.expectNoneStarted();
        time.advance(Duration.ofNanos(1));
        Caller newcomer = subject.submit("a");
        backend.next().succeed();
        assertThat(newcomer.output()).isEqualTo("answer to a");
        assertThat(hung.end()).isNotDone();
        hangs.succeed();
        assertThat(hung.output()).isEqualTo("answer to a");
        assertThat(along.output()).isEqualTo("answer to a");
    }

    @ParameterizedTest
    @EnumSource
    void anInputThatWasWithdrawnIsNotShared(Kind kind) throws Exception {
        Subject subject =
                kind.subject(options.toBuilder().maxConcurrentBatches(1).build(), backend, time);
        subject.submit("first");
        Execution first = backend.next();
        Caller withdrawn = subject.submit("a").awaitJoined();
        Caller other = subject.submit("b").awaitJoined();
        withdrawn.leave();
        withdrawn.failure();
        first.succeed();
        Execution second = backend.next();
        assertThat(second.inputs).containsExactly("b");
        Caller later = subject.submit("a").awaitJoined();
        second.succeed();
        Execution third = backend.next();
        assertThat(third.inputs).containsExactly("a");
        third.succeed();
        assertThat(later.output()).isEqualTo("answer to a");
        assertThat(other.output()).isEqualTo("answer to b");
    }

    @ParameterizedTest
    @EnumSource
    void anInputThatWasWithdrawnHidesNoEqualOne(Kind kind) throws Exception {
        Subject subject =
                kind.subject(options.toBuilder().maxConcurrentBatches(1).build(), backend, time);
        subject.submit("first");
        Execution first = backend.next();
        Caller stays = subject.submit("a").awaitJoined();
        for (int i = 0; i < 2; i++) {
            Caller withdrawn = subject.submit("a").awaitJoined();
            withdrawn.leave();
            withdrawn.failure();
        }
        first.succeed();
        Execution second = backend.next();
        Caller sharer = subject.submit("a").awaitJoined();
        second.succeed();
        assertThat(stays.output()).isEqualTo("answer to a");
        assertThat(sharer.output()).isEqualTo("answer to a");
        assertThat(backend.batches()).containsExactly(List.of("first"), List.of("a"));
    }

    @ParameterizedTest
    @EnumSource
    void aCallerThatSharesMayLeaveAndSoMayTheOneItSharesWith(Kind kind) throws Exception {
        Subject subject =
                kind.subject(options.toBuilder().maxConcurrentBatches(1).build(), backend, time);
        subject.submit("first");
        Execution first = backend.next();
        Caller leader = subject.submit("leader").awaitJoined();
        Caller source = subject.submit("a").awaitJoined();
        first.succeed();
        Execution execution = backend.next();
        Caller sharer = subject.submit("a").awaitJoined();
        Caller other = subject.submit("a").awaitJoined();
        other.leave();
        other.failure();
        source.leave();
        source.failure();
        execution.succeed();
        assertThat(leader.output()).isEqualTo("answer to leader");
        assertThat(sharer.output()).isEqualTo("answer to a");
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatALaterOneHasOvertakenIsStillJoined(Kind kind) throws Exception {
        Subject subject = kind.subject(options, backend, time);
        List<Caller> slow = new ArrayList<>();
        slow.add(subject.submit("slow"));
        Execution slowOne = backend.next();
        for (int i = 0; i < 3; i++) {
            Caller fast = subject.submit("fast");
            backend.next().succeed();
            fast.output();
            slow.add(subject.submit("slow").awaitJoined());
            backend.expectNoneStarted();
        }
        slowOne.succeed();
        for (Caller caller : slow) {
            assertThat(caller.output()).isEqualTo("answer to slow");
        }
        Caller anew = subject.submit("slow");
        backend.next().succeed();
        anew.output();
        assertThat(backend.batches()).hasSize(5);
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @Test
    void aBatchThatIsHandedOverDoesNotOutgrowItsSize() throws Exception {
        Subject subject =
                Kind.BLOCKING.subject(options.toBuilder().maxBatchSize(1).build(), backend, time);
        Caller leader = subject.submit("a");
        backend.next();
        List<Caller> sharers = List.of(
                subject.submit("a").awaitJoined(),
                subject.submit("a").awaitJoined(),
                subject.submit("a").awaitJoined());
        leader.leave();
        Execution again = backend.next();
        assertThat(again.inputs).containsExactly("a");
        again.succeed();
        for (Caller sharer : sharers) {
            assertThat(sharer.output()).isEqualTo("answer to a");
        }
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @Test
    void aLeaderThatIsInterruptedHandsItsCallToACallerThatSharedIt() throws Exception {
        Subject subject = Kind.BLOCKING.subject(options, backend, time);
        Caller leader = subject.submit("a");
        backend.next();
        List<Caller> sharers = List.of(
                subject.submit("a").awaitJoined(),
                subject.submit("a").awaitJoined(),
                subject.submit("a").awaitJoined());
        leader.leave();
        assertThat(leader.failure()).isInstanceOf(InterruptedException.class);
        Execution again = backend.next();
        assertThat(again.thread).isSameAs(((Caller.OnThread) sharers.get(0)).thread);
        again.succeed();
        for (Caller sharer : sharers) {
            assertThat(sharer.output()).isEqualTo("answer to a");
        }
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @Test
    void aGroupsCallThatWasHandedOverIsStillJoinedAndNeverLost() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options, time);
        Caller.Callee callee = () -> executor.execute(
                "group", () -> backend.call(List.of("call")).await().get("call"));
        Caller leader = new Caller.OnThread("leader", callee);
        backend.next();
        Caller second = new Caller.OnThread("second", callee).awaitJoined();
        leader.leave();
        assertThat(leader.failure()).isInstanceOf(InterruptedException.class);
        Execution again = backend.next();
        Caller late = new Caller.OnThread("late", callee).awaitJoined();
        backend.expectNoneStarted();
        again.succeed();
        assertThat(second.output()).isEqualTo("answer to call");
        assertThat(late.output()).isEqualTo("answer to call");
        assertThat(backend.batches()).hasSize(2);
        Eventually.until(() -> executor.engine().groupCount() == 0);
    }

    @Test
    void P02_aFailingEqualsOfAnInputHitsItsOwnCaller() throws Exception {
        class Input {
            @Override
            public int hashCode() {
                return 1;
            }

            @Override
            public boolean equals(Object other) {
                throw new IllegalStateException("equals");
            }
        }
        BlockingCollapseExecutor<Object, Object> executor = CollapseExecutors.blockingInOrder(
                inputs -> {
                    backend.call(List.of("call")).await();
                    return inputs;
                },
                options);
        Caller holder = new Caller.OnThread("holder", () -> executor.execute(new Input()) == null ? "" : "held");
        Execution held = backend.next();
        Caller bad = new Caller.OnThread("bad", () -> executor.execute(new Input()) == null ? "" : "shared");
        assertThat(bad.failure()).hasMessage("equals");
        held.succeed();
        assertThat(holder.output()).isEqualTo("held");
    }

    @Test
    void P06_aBatchThatALaterOneHasOvertakenIsHandedOnToACallerThatJoinedIt() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(
                options.toBuilder().maxWaitRatio(0).build());
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Caller leader = new Caller.OnThread(
                "leader",
                () -> executor.execute("group", () -> {
                    entered.countDown();
                    never.await();
                    return "by the leader";
                }));
        entered.await();
        Caller follower = new Caller.OnThread("follower", () -> executor.execute("group", () -> "by the follower"));
        follower.awaitJoined();
        CallOptions fresh = CallOptions.defaults().joinMode(JoinMode.FRESH);
        String later = executor.execute("group", () -> "later", fresh);
        assertThat(later).isEqualTo("later");
        leader.leave();
        assertThat(leader.failure()).isInstanceOf(InterruptedException.class);
        assertThat(follower.output()).isEqualTo("by the follower");
    }
}
