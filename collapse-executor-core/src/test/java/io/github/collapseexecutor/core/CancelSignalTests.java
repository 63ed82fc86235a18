package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocking callers whose waiting another thread ends, without interrupting theirs. */
class CancelSignalTests {

    private final BlockingCallableGroupCollapseExecutor executor =
            new BlockingCallableGroupCollapseExecutor(CollapseOptions.builder()
                    .name("users")
                    .joinMode(JoinMode.IN_FLIGHT)
                    .maxWait(Duration.ofHours(1))
                    .build());
    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CompletableFuture<String> cancelSignal = new CompletableFuture<>();

    private static CallOptions cancelledBy(CompletableFuture<?> signal) {
        return CallOptions.defaults().cancelSignal(signal);
    }

    private String heldCall() throws InterruptedException {
        called.countDown();
        gate.await();
        return "held";
    }

    private Caller.OnThread leader() throws InterruptedException {
        Caller.OnThread leader = new Caller.OnThread("leader", () -> executor.execute("group", this::heldCall));
        called.await();
        return leader;
    }

    private Caller.OnThread follower(CompletableFuture<String> leaving) {
        return new Caller.OnThread("follower", () -> executor.execute("group", () -> "own", cancelledBy(leaving)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void P06_aFollowerThatIsCancelledLeavesAtOnceAndAffectsNobody(boolean normally) throws Exception {
        Caller.OnThread leader = leader();
        Caller.OnThread leaving = follower(cancelSignal);
        Caller.OnThread staying = follower(new CompletableFuture<>());
        leaving.awaitJoined();
        staying.awaitJoined();
        assertThat(normally ? cancelSignal.complete("now") : cancelSignal.completeExceptionally(new TimeoutException()))
                .isTrue();
        assertThat(leaving.failure())
                .isInstanceOf(CancellationException.class)
                .hasMessage("Cancelled while it waited for an answer of \"users\"");
        assertThat(leaving.interruptedAfter).isFalse();
        gate.countDown();
        assertThat(leader.output()).isEqualTo("held");
        assertThat(staying.output()).isEqualTo("held");
    }

    @Test
    void aFollowerThatWasCancelledBeforeItArrivedLeavesAtOnce() throws Exception {
        Caller.OnThread leader = leader();
        cancelSignal.cancel(false);
        assertThat(follower(cancelSignal).failure()).isInstanceOf(CancellationException.class);
        gate.countDown();
        assertThat(leader.output()).isEqualTo("held");
    }

    @Test
    void anInterruptThatMeetsItIsNotHidden() throws Exception {
        Caller.OnThread leader = leader();
        CompletableFuture<String> interrupted = new CompletableFuture<>();
        Caller.OnThread leaving = new Caller.OnThread("leaving", () -> {
            try {
                return executor.execute("group", () -> "own", cancelledBy(cancelSignal));
            } catch (InterruptedException e) {
                return "told";
            } catch (CancellationException e) {
                interrupted.join();
                return Thread.currentThread().isInterrupted() ? "told" : "not told";
            }
        });
        leaving.awaitJoined();
        cancelSignal.complete("now");
        leaving.thread.interrupt();
        interrupted.complete("now");
        assertThat(leaving.output()).isEqualTo("told");
        gate.countDown();
        assertThat(leader.output()).isEqualTo("held");
    }

    @Test
    void aCallerThatIsCancelledBeforeItsBatchStartsIsNotExecuted() throws Exception {
        BlockingCallableGroupCollapseExecutor oneAtATime = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().maxConcurrentBatches(1).build());
        Caller.OnThread first = new Caller.OnThread("first", () -> oneAtATime.execute("group", this::heldCall));
        called.await();
        Caller.OnThread leaving = new Caller.OnThread(
                "leaving",
                () -> oneAtATime.execute(
                        "group",
                        () -> {
                            throw new AssertionError("It has left");
                        },
                        cancelledBy(cancelSignal)));
        leaving.awaitJoined();
        Caller.OnThread next = new Caller.OnThread("next", () -> oneAtATime.execute("group", () -> "next"));
        next.awaitJoined();
        cancelSignal.complete("now");
        assertThat(leaving.failure()).isInstanceOf(CancellationException.class);
        gate.countDown();
        assertThat(first.output()).isEqualTo("held");
        assertThat(next.output()).isEqualTo("next");
        Eventually.until(() -> oneAtATime.engine().groupCount() == 0);
    }

    @Test
    void aCallOnTheCallersOwnThreadIsNotCutShort() throws Exception {
        Caller.OnThread leader = new Caller.OnThread(
                "leader", () -> executor.execute("group", this::heldCall, cancelledBy(cancelSignal)));
        called.await();
        cancelSignal.complete("now");
        gate.countDown();
        assertThat(leader.output()).isEqualTo("held");
        assertThat(executor.<String>execute("group", () -> "own", cancelledBy(cancelSignal)))
                .isEqualTo("own");
    }

    @Test
    void P06_theFailureOfALeaderThatWasCancelledIsItsOwnAndAFollowerRepeatsTheCall() throws Exception {
        IllegalStateException broken = new IllegalStateException("broken off");
        Caller.OnThread leader = new Caller.OnThread(
                "leader",
                () -> executor.execute(
                        "group",
                        () -> {
                            heldCall();
                            throw broken;
                        },
                        cancelledBy(cancelSignal)));
        called.await();
        Caller.OnThread follower = follower(new CompletableFuture<>());
        follower.awaitJoined();
        cancelSignal.complete("now");
        gate.countDown();
        assertThat(leader.failure()).isSameAs(broken);
        assertThat(follower.output()).isEqualTo("own");
    }

    private WeakReference<String> answerOfAFollower() throws Exception {
        Caller.OnThread leader = new Caller.OnThread(
                "leader", () -> executor.execute("group", () -> heldCall() + " on " + Thread.currentThread()));
        called.await();
        Caller.OnThread follower = follower(cancelSignal);
        follower.awaitJoined();
        gate.countDown();
        assertThat(leader.output()).startsWith("held on");
        return new WeakReference<>(follower.output());
    }

    @Test
    void P14_aKeptSignalKeepsNothingOfACallThatHasEnded() throws Exception {
        WeakReference<String> answer = answerOfAFollower();
        Eventually.until(() -> {
            System.gc();
            return answer.get() == null;
        });
        assertThat(cancelSignal).isNotDone();
    }

    @Test
    void P07_theFailureOfALeaderThatWasNotCancelledIsThatOfAll() throws Exception {
        IllegalStateException broken = new IllegalStateException("broken");
        Caller.OnThread leader = new Caller.OnThread(
                "leader",
                () -> executor.execute(
                        "group",
                        () -> {
                            heldCall();
                            throw broken;
                        },
                        cancelledBy(cancelSignal)));
        called.await();
        Caller.OnThread follower = follower(new CompletableFuture<>());
        follower.awaitJoined();
        gate.countDown();
        assertThat(leader.failure()).isSameAs(broken);
        assertThat(follower.failure()).isSameAs(broken);
    }
}
