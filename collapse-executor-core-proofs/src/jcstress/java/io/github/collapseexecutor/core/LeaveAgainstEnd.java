package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A caller that leaves while its batch ends: either it has left or it is answered, never both and never neither. */
final class LeaveAgainstEnd {

    private LeaveAgainstEnd() {}

    /** The engine alone. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "gone: left, nothing remains", expect = ACCEPTABLE, desc = "It left before the end.")
    @Outcome(id = "told to stay: answered, nothing remains", expect = ACCEPTABLE, desc = "It wanted to leave too late.")
    @State
    public static class OfAFollower {

        private final BareEngine bare = new BareEngine(BareEngine.ONE_AT_A_TIME);
        private final ProbeCall follower = new ProbeCall(2);
        private final Batch<Integer, Integer> batch;
        private LeaveResult<Integer, Integer> left;

        public OfAFollower() {
            ProbeCall ahead = new ProbeCall(0);
            ProbeCall leader = new ProbeCall(1);
            bare.submit(ahead);
            bare.submit(leader);
            bare.submit(follower);
            bare.run(ahead.batch());
            batch = leader.batch();
            bare.lead(batch, leader);
            bare.execute(batch);
        }

        @Actor
        public void end() {
            bare.end(batch);
        }

        @Actor
        public void leave() {
            left = bare.leave(follower);
        }

        @Arbiter
        public void settle(LL_Result r) {
            r.r1 = (left.tooLate ? "told to stay: " : "gone: ") + follower.end();
            r.r2 = bare.rest();
        }
    }

    /** A whole call of the blocking runner, which shares a call in flight and is interrupted as that ends. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "out, nothing remains", expect = ACCEPTABLE, desc = "It left, and its interruption is used up.")
    @Outcome(
            id = "answered, still interrupted, nothing remains",
            expect = ACCEPTABLE,
            desc = "It was answered, and its interruption is kept for the code that asks next.")
    @Outcome(id = "answered, nothing remains", expect = FORBIDDEN, desc = "An interruption was swallowed.")
    @Outcome(id = "out, still interrupted, .*", expect = FORBIDDEN, desc = "One interruption was reported twice.")
    @State
    public static class OfAnInterruptedCall {

        private final BlockingRunner<Integer, Integer, Integer> runner =
                new BlockingRunner<>(BareEngine.IN_FLIGHT, true, new WholeCalls.Work(), new StoppedTime());
        private final ProbeCall inFlight = new ProbeCall(1);
        private volatile Thread waiting;

        public OfAnInterruptedCall() {
            runner.engine().submit(BareEngine.GROUP, inFlight);
        }

        @Actor
        public void call(LL_Result r) {
            waiting = Thread.currentThread();
            r.r1 = WholeCalls.end(() -> runner.execute(BareEngine.GROUP, 1), BareEngine.answerTo(1));
        }

        @Actor
        public void end() {
            while (waiting == null) {
                Thread.onSpinWait();
            }
            waiting.interrupt();
            Batch<Integer, Integer> batch = inFlight.batch();
            inFlight.bindOutput(BareEngine.answerTo(1));
            runner.engine().end(batch);
            batch.deliver();
        }

        @Arbiter
        public void settle(LL_Result r) {
            r.r2 = BareEngine.rest(runner.engine());
        }
    }

    /** A future that is cancelled as its stage completes; its place among the callers is given back once. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "left, call cancelled, 1 place, nothing remains",
            expect = ACCEPTABLE,
            desc = "It left before the end, and nobody waits for the call.")
    @Outcome(
            id = "left, call ended, 1 place, nothing remains",
            expect = ACCEPTABLE_INTERESTING,
            desc = "It left between the end of the call and its answer.")
    @Outcome(id = "answered, call ended, 1 place, nothing remains", expect = ACCEPTABLE, desc = "It left too late.")
    @Outcome(id = ".*, 0 place, .*", expect = FORBIDDEN, desc = "The caller that has gone still counts.")
    @Outcome(id = ".*, 2 place, .*", expect = FORBIDDEN, desc = "The caller was counted out twice.")
    @State
    public static class OfACancelledFuture {

        private static final CollapseOptions OPTIONS =
                CollapseOptions.builder().maxPending(1).build();

        private final HeldStages stages = new HeldStages(OPTIONS, 2);
        private final CompletableFuture<Integer> future = stages.execute(1);

        @Actor
        public void complete() {
            stages.held(0).complete();
        }

        @Actor
        public void cancel() {
            future.cancel(true);
        }

        @Arbiter
        public void settle(LLL_Result r) {
            String call = stages.held(0).stage.isCancelled() ? "call cancelled" : "call ended";
            r.r1 = stages.end(future, 1) + ", " + call;
            r.r2 = stages.places() + " place";
            stages.held(1).complete();
            r.r3 = stages.rest();
        }
    }

    /** A call whose time is out as its stage completes; its timer goes with it. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "timed out, call cancelled, nothing remains", expect = ACCEPTABLE, desc = "Its time was out first.")
    @Outcome(
            id = "timed out, call ended, nothing remains",
            expect = ACCEPTABLE_INTERESTING,
            desc = "Its time was out between the end of the call and its answer.")
    @Outcome(id = "answered, call ended, nothing remains", expect = ACCEPTABLE, desc = "It was answered in time.")
    @State
    public static class OfATimedOutFuture {

        private static final CollapseOptions OPTIONS =
                CollapseOptions.builder().callTimeout(Duration.ofSeconds(1)).build();

        private final HeldStages stages = new HeldStages(OPTIONS, 1);
        private final CompletableFuture<Integer> future = stages.execute(1);

        @Actor
        public void complete() {
            stages.held(0).complete();
        }

        @Actor
        public void ring() {
            stages.time.ring();
        }

        @Arbiter
        public void settle(LL_Result r) {
            String call = stages.held(0).stage.isCancelled() ? "call cancelled" : "call ended";
            r.r1 = stages.end(future, 1) + ", " + call;
            r.r2 = stages.rest();
        }
    }
}
