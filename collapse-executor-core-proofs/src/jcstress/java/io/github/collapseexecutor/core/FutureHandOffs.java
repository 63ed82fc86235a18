package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** The hand-offs of the future executor's runner: any thread that comes by may go on with a batch, and exactly one does. */
final class FutureHandOffs {

    private FutureHandOffs() {}

    /** A stage completes while the thread that began the batch leaves it to the stage's thread. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "by the beginner: answered, nothing remains", expect = ACCEPTABLE, desc = "It found a result.")
    @Outcome(id = "by the completer: answered, nothing remains", expect = ACCEPTABLE, desc = "It found nobody.")
    @State
    public static class CompletionAgainstBegin {

        private final HeldStages stages = new HeldStages(CollapseOptions.defaults(), 1);
        private CompletableFuture<Integer> future;

        @Actor
        public void begin() {
            future = stages.execute(1);
        }

        @Actor
        public void complete() {
            stages.held(0).complete();
        }

        @Arbiter
        public void settle(LL_Result r) {
            HeldStages.Execution execution = stages.executionOf(1);
            String by = execution.boundBy == execution.begunBy ? "by the beginner: " : "by the completer: ";
            r.r1 = by + stages.end(future, 1);
            r.r2 = stages.rest();
        }
    }

    /** The same at the last moment: the stage has been given whom to tell, and tells it at once. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "by the beginner: answered, nothing remains", expect = ACCEPTABLE, desc = "It found a result.")
    @Outcome(id = "by the completer: answered, nothing remains", expect = ACCEPTABLE, desc = "It found nobody.")
    @State
    public static class CompletionAgainstLeaving {

        private static final int DELAYS = 16;
        private static int delay;

        /** A stage that is in the actors' hands. */
        private static final class Stage extends CompletableFuture<HeldStages.Execution> {

            private volatile @Nullable BiConsumer<? super HeldStages.Execution, ? super Throwable> told;

            @Override
            public CompletableFuture<HeldStages.Execution> whenComplete(
                    BiConsumer<? super HeldStages.Execution, ? super Throwable> action) {
                told = action;
                // As long as the other actor takes to see it, more or less: the counter needs to be no more exact.
                delay = (delay + 1) % DELAYS;
                for (int spin = delay; spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                return this;
            }

            BiConsumer<? super HeldStages.Execution, ? super Throwable> awaitTold() {
                BiConsumer<? super HeldStages.Execution, ? super Throwable> action;
                do {
                    Thread.onSpinWait();
                    action = told;
                } while (action == null);
                return action;
            }
        }

        private final Stage stage = new Stage();
        private final HeldStages stages = new HeldStages(CollapseOptions.defaults(), new HeldStages.Execution(stage));
        private CompletableFuture<Integer> future;

        @Actor
        public void begin() {
            future = stages.execute(1);
        }

        @Actor
        public void complete() {
            stage.awaitTold().accept(stages.held(0), null);
        }

        @Arbiter
        public void settle(LL_Result r) {
            HeldStages.Execution execution = stages.executionOf(1);
            String by = execution.boundBy == execution.begunBy ? "by the beginner: " : "by the completer: ";
            r.r1 = by + stages.end(future, 1);
            r.r2 = stages.rest();
        }
    }

    /** A batch is in the hands of its executor when its only caller cancels. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "left, 0 calls, 1 task, nothing remains", expect = ACCEPTABLE, desc = "The batch dissolved.")
    @Outcome(id = "left, 1 calls, 1 task, nothing remains", expect = ACCEPTABLE, desc = "It left a batch in flight.")
    @Outcome(id = "answered, 1 calls, 1 task, nothing remains", expect = ACCEPTABLE, desc = "It left too late.")
    @State
    public static class DispatchAgainstCancel {

        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final HeldStages stages = new HeldStages(BareEngine.ONE_AT_A_TIME, 0, tasks::add);
        private final CompletableFuture<Integer> future = stages.execute(1);

        @Actor
        public void run() {
            tasks.remove().run();
        }

        @Actor
        public void cancel() {
            future.cancel(true);
        }

        @Arbiter
        public void settle(LLL_Result r) {
            r.r1 = stages.end(future, 1) + ", " + stages.executions() + " calls";
            // The place is free again: the next batch is dispatched at once.
            CompletableFuture<Integer> unused = stages.execute(2);
            r.r2 = tasks.size() + " task";
            tasks.forEach(Runnable::run);
            r.r3 = stages.rest();
        }
    }

    /** The opener of a batch sets a timer for it while another caller makes it large enough to start. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "timer: answered, answered, nothing remains", expect = ACCEPTABLE, desc = "The timer was cancelled.")
    @Outcome(
            id = "no timer: answered, answered, nothing remains",
            expect = ACCEPTABLE_INTERESTING,
            desc = "The opener found the batch large enough already.")
    @State
    public static class TimerAgainstThreshold {

        private static final CollapseOptions OPTIONS = CollapseOptions.builder()
                .collectingWaitTime(Duration.ofMillis(1))
                .waitThreshold(2)
                .build();

        private final HeldStages stages = new HeldStages(OPTIONS, 0);
        private CompletableFuture<Integer> ofOne;
        private CompletableFuture<Integer> ofOther;

        @Actor
        public void one() {
            ofOne = stages.execute(1);
        }

        @Actor
        public void other() {
            ofOther = stages.execute(2);
        }

        @Arbiter
        public void settle(LL_Result r) {
            String timer = stages.time.timer.get() == null ? "no timer: " : "timer: ";
            r.r1 = timer + stages.end(ofOne, 1) + ", " + stages.end(ofOther, 2);
            r.r2 = stages.rest();
        }
    }

    /** The timer of a batch rings while another caller makes it large enough to start. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "by the timer: answered, answered, nothing remains", expect = ACCEPTABLE, desc = "It rang first.")
    @Outcome(id = "by the joiner: answered, answered, nothing remains", expect = ACCEPTABLE, desc = "It came first.")
    @Outcome(id = "[02] times: .*", expect = FORBIDDEN, desc = "Nobody dispatched the batch, or both did.")
    @State
    public static class TimerAgainstJoin {

        private final Queue<Thread> dispatchers = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final HeldStages stages = new HeldStages(TimerAgainstThreshold.OPTIONS, 0, task -> {
            dispatchers.add(Thread.currentThread());
            tasks.add(task);
        });
        private final CompletableFuture<Integer> opener = stages.execute(1);
        private CompletableFuture<Integer> joiner;
        private Thread ringer;

        public TimerAgainstJoin() {
            stages.time.now = Duration.ofMillis(1).toNanos();
        }

        @Actor
        public void ring() {
            ringer = Thread.currentThread();
            stages.time.ring();
        }

        @Actor
        public void join() {
            joiner = stages.execute(2);
        }

        @Arbiter
        public void settle(LL_Result r) {
            String by = dispatchers.size() != 1
                    ? dispatchers.size() + " times: "
                    : dispatchers.peek() == ringer ? "by the timer: " : "by the joiner: ";
            tasks.forEach(Runnable::run);
            r.r1 = by + stages.end(opener, 1) + ", " + stages.end(joiner, 2);
            r.r2 = stages.rest();
        }
    }

    /** A timer rings before its time while the opener of the batch is still about to leave it with the batch. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "while it does: answered, nothing remains", expect = ACCEPTABLE, desc = "The opener was on its way.")
    @Outcome(id = "after it did: answered, nothing remains", expect = ACCEPTABLE, desc = "The opener had left it.")
    @State
    public static class TimerAgainstItsOpener {

        private final HeldStages stages = new HeldStages(TimerAgainstThreshold.OPTIONS, 0);
        private CompletableFuture<Integer> opener;
        private volatile boolean attached;
        private boolean wasAttached;

        @Actor
        public void open() {
            opener = stages.execute(1);
            attached = true;
        }

        @Actor
        public void ring() {
            while (stages.time.timer.get() == null) {
                Thread.onSpinWait();
            }
            wasAttached = attached;
            stages.time.ring();
        }

        @Arbiter
        public void settle(LL_Result r) {
            stages.time.now = Duration.ofMillis(1).toNanos();
            stages.time.ring();
            r.r1 = (wasAttached ? "after it did: " : "while it does: ") + stages.end(opener, 1);
            r.r2 = stages.rest();
        }
    }

    /** The only caller of a batch leaves while its function is on the way to return the stage to be cancelled. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "left, not called, nothing remains", expect = ACCEPTABLE, desc = "It left before the start.")
    @Outcome(id = "left, call cancelled, nothing remains", expect = ACCEPTABLE, desc = "It left a batch in flight.")
    @Outcome(id = "left, call goes on, .*", expect = FORBIDDEN, desc = "A call goes on that nobody waits for.")
    @State
    public static class CancelAgainstFunction {

        private final HeldStages stages = new HeldStages(BareEngine.ONE_AT_A_TIME, 2);
        private final CompletableFuture<Integer> future;

        public CancelAgainstFunction() {
            CompletableFuture<Integer> unused = stages.execute(1);
            future = stages.execute(2);
        }

        @Actor
        public void begin() {
            stages.held(0).complete();
        }

        @Actor
        public void cancel() {
            future.cancel(true);
        }

        @Arbiter
        public void settle(LLL_Result r) {
            r.r1 = stages.end(future, 2);
            r.r2 = stages.executions() == 1
                    ? "not called"
                    : stages.held(1).stage.isCancelled() ? "call cancelled" : "call goes on";
            r.r3 = stages.rest();
        }
    }
}
