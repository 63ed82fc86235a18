package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A follower that wants to leave when its batch has ended and its outcome is not visible yet: it stays for the outcome. */
class LeavingTooLateTests {

    private final Backend backend = new Backend();
    private final AtomicReference<Runnable> beforePublication = new AtomicReference<>(() -> {});
    /** How often a caller began to wait. */
    private final AtomicInteger waits = new AtomicInteger();

    /** The machine's time; a thread that closes is woken when the last group has left, just before the outcomes are published. */
    private final EngineScheduler time = new EngineScheduler() {
        @Override
        public long nanoTime() {
            return SystemScheduler.INSTANCE.nanoTime();
        }

        @Override
        public void park(Object blocker, long nanos) {
            if (blocker instanceof Batch) {
                waits.incrementAndGet();
            }
            SystemScheduler.INSTANCE.park(blocker, nanos);
        }

        @Override
        public void unpark(Thread thread) {
            if (thread.getName().equals("closer")) {
                beforePublication.getAndSet(() -> {}).run();
            }
            SystemScheduler.INSTANCE.unpark(thread);
        }

        @Override
        public void yieldProcessor() {
            SystemScheduler.INSTANCE.yieldProcessor();
        }

        @Override
        public Future<?> schedule(Runnable task, long nanos) {
            return SystemScheduler.INSTANCE.schedule(task, nanos);
        }
    };

    /** Wakes a thread that waits, and returns when it has taken note of why and waits again. */
    private void wake(Thread thread, Runnable reason) {
        int before = waits.get();
        reason.run();
        Eventually.until(
                () -> waits.get() > before && !thread.isInterrupted() && thread.getState() == Thread.State.WAITING);
    }

    /** Has a follower do something just before its outcome is published, then gives it the outcome; returns the follower. */
    private Caller.OnThread follow(CallOptions options, Consumer<Thread> tooLate) throws Exception {
        CollapseOptions oneAtATime =
                CollapseOptions.builder().maxConcurrentBatches(1).build();
        Subject subject = Kind.BLOCKING.subject(oneAtATime, backend, time);
        Caller ahead = subject.submit("ahead");
        Execution first = backend.next();
        Caller leader = subject.submit("leader").awaitJoined();
        Caller.OnThread follower =
                (Caller.OnThread) subject.submit("follower", options).awaitJoined();
        first.succeed();
        Execution second = backend.next();
        assertThat(second.inputs).containsExactly("leader", "follower");
        Closer closer = new Closer(subject.executor(), Duration.ofMinutes(1)).awaitWaiting();
        beforePublication.set(() -> tooLate.accept(follower.thread));
        second.succeed();
        assertThat(ahead.output()).isEqualTo("answer to ahead");
        assertThat(leader.output()).isEqualTo("answer to leader");
        assertThat(follower.output()).isEqualTo("answer to follower");
        assertThat(closer.result()).isTrue();
        return follower;
    }

    @Test
    void P06_anInterruptionThatComesTooLateIsLeftToTheCaller() throws Exception {
        Caller.OnThread follower = follow(CallOptions.defaults(), thread -> wake(thread, thread::interrupt));
        assertThat(follower.interruptedAfter).isTrue();
    }

    @Test
    void P06_anInterruptionAfterACancellationThatCameTooLateIsLeftToTheCaller() throws Exception {
        CompletableFuture<Void> cancel = new CompletableFuture<>();
        Caller.OnThread follower = follow(CallOptions.defaults().cancelSignal(cancel), thread -> {
            wake(thread, () -> cancel.complete(null));
            wake(thread, thread::interrupt);
        });
        assertThat(follower.interruptedAfter).isTrue();
    }

    @Test
    void P06_aCallerThatWantedToLeaveTooLateAndWasNotInterruptedIsNotInterrupted() throws Exception {
        CompletableFuture<Void> cancel = new CompletableFuture<>();
        Caller.OnThread follower = follow(
                CallOptions.defaults().cancelSignal(cancel), thread -> wake(thread, () -> cancel.complete(null)));
        assertThat(follower.interruptedAfter).isFalse();
    }
}
