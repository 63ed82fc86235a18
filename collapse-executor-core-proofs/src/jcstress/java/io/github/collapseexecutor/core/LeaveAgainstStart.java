package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A caller that leaves while its batch starts: an input that was withdrawn is not executed, and a batch that loses its
 * leader is led by another.
 */
final class LeaveAgainstStart {

    private LeaveAgainstStart() {}

    /** The engine alone: the leader starts a batch that a follower leaves. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "withdrawn, answered, nothing remains", expect = ACCEPTABLE, desc = "It left before the start.")
    @Outcome(id = "left, answered, nothing remains", expect = ACCEPTABLE, desc = "It left a batch in flight.")
    @Outcome(id = "answered, answered, nothing remains", expect = ACCEPTABLE, desc = "It wanted to leave too late.")
    @State
    public static class OfAFollower {

        private final BareEngine bare = new BareEngine(BareEngine.ONE_AT_A_TIME);
        private final ProbeCall leader = new ProbeCall(1);
        private final ProbeCall follower = new ProbeCall(2);

        public OfAFollower() {
            ProbeCall ahead = new ProbeCall(0);
            bare.submit(ahead);
            bare.submit(leader);
            bare.submit(follower);
            bare.run(ahead.batch());
        }

        @Actor
        public void start() {
            bare.leadAndRun(leader.batch());
        }

        @Actor
        public void leave() {
            bare.leave(follower);
        }

        @Arbiter
        public void settle(LL_Result r) {
            r.r1 = follower.end() + ", " + leader.end();
            r.r2 = bare.rest();
        }
    }

    /** A future that is cancelled as its batch, which the end of another releases, begins. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "left, 0 executed, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "It left before the start.")
    @Outcome(
            id = "left, 1 executed, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "It left a batch in flight.")
    @Outcome(id = "answered, 1 executed, answered, nothing remains", expect = ACCEPTABLE, desc = "It left too late.")
    @State
    public static class OfACancelledFuture {

        private final HeldStages stages = new HeldStages(BareEngine.ONE_AT_A_TIME, 1);
        private final CompletableFuture<Integer> cancelled;
        private final CompletableFuture<Integer> follower;

        public OfACancelledFuture() {
            CompletableFuture<Integer> unused = stages.execute(0);
            cancelled = stages.execute(1);
            follower = stages.execute(2);
        }

        @Actor
        public void start() {
            stages.held(0).complete();
        }

        @Actor
        public void leave() {
            cancelled.cancel(true);
        }

        @Arbiter
        public void settle(LLL_Result r) {
            r.r1 = stages.end(cancelled, 1) + ", " + stages.executionsOf(1) + " executed";
            r.r2 = stages.end(follower, 2);
            r.r3 = stages.rest();
        }
    }

    /** The engine alone: the leader leaves while the end of another batch releases its own and signals the leader. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "woken by the end: answered, withdrawn, nothing remains",
            expect = ACCEPTABLE,
            desc = "The end found the new leader.")
    @Outcome(
            id = "woken by the leaver: answered, withdrawn, nothing remains",
            expect = ACCEPTABLE,
            desc = "The end signalled a leader that was leaving, who passed it on.")
    @State
    public static class OfTheLeader {

        private final BareEngine bare = new BareEngine(BareEngine.ONE_AT_A_TIME);
        private final ProbeCall ahead = new ProbeCall(0);
        private final ProbeCall leader = new ProbeCall(1);
        private final ProbeCall follower = new ProbeCall(2);
        private final Batch<Integer, Integer> batch;
        private final AtomicBoolean led = new AtomicBoolean();
        private String woken = "never woken";

        public OfTheLeader() {
            bare.submit(ahead);
            bare.submit(leader);
            bare.submit(follower);
            bare.execute(ahead.batch());
            batch = leader.batch();
        }

        /** What the follower's thread does when it is woken; of two who wake it at a time it hears one. */
        private void wake(@Nullable Call<Integer, Integer> signalled, String by) {
            if (signalled == follower && bare.lead(batch, follower) && led.compareAndSet(false, true)) {
                woken = "woken by the " + by;
                bare.run(batch);
            }
        }

        @Actor
        public void end() {
            Batch<Integer, Integer> released = bare.end(ahead.batch());
            wake(released == null ? null : released.leader(), "end");
        }

        @Actor
        public void leave() {
            Batch<Integer, Integer> handedOn = BareEngine.only(bare.leave(leader).signals);
            wake(handedOn == null ? null : handedOn.leader(), "leaver");
        }

        @Arbiter
        public void settle(LL_Result r) {
            r.r1 = woken + ": " + follower.end() + ", " + leader.end();
            r.r2 = bare.rest();
        }
    }

    /** The engine alone: a lone leader takes its batch with it, which may hold the place that another waits for. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "released by the end: answered, withdrawn, nothing remains",
            expect = ACCEPTABLE,
            desc = "The batch had gone when the place was given back.")
    @Outcome(
            id = "released by the leaver: answered, withdrawn, nothing remains",
            expect = ACCEPTABLE,
            desc = "The batch had the place and gave it back.")
    @State
    public static class OfALoneLeader {

        private static final CollapseOptions OPTIONS =
                BareEngine.ONE_AT_A_TIME.toBuilder().maxBatchSize(1).build();

        private final BareEngine bare = new BareEngine(OPTIONS);
        private final ProbeCall ahead = new ProbeCall(0);
        private final ProbeCall lone = new ProbeCall(1);
        private final ProbeCall next = new ProbeCall(2);
        private @Nullable Batch<Integer, Integer> released;
        private LeaveResult<Integer, Integer> left;

        public OfALoneLeader() {
            bare.submit(ahead);
            bare.submit(lone);
            bare.submit(next);
            bare.execute(ahead.batch());
        }

        @Actor
        public void end() {
            released = bare.end(ahead.batch());
        }

        @Actor
        public void leave() {
            left = bare.leave(lone);
        }

        @Arbiter
        public void settle(LL_Result r) {
            String by = "released by nobody";
            if (!left.signals.isEmpty()) {
                by = "released by the leaver";
                bare.follow(BareEngine.only(left.signals));
            } else if (released == next.batch()) {
                by = "released by the end";
                bare.follow(released);
            }
            r.r1 = by + ": " + next.end() + ", " + lone.end();
            r.r2 = bare.rest();
        }
    }

    /** Whole calls of the blocking runner: the leader is interrupted, its batch released, and another caller comes. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "out, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "It left, and the other led or came later.")
    @Outcome(
            id = "answered, still interrupted, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "It had started its batch, or shared the other's, before it knew.")
    @Outcome(id = "answered, answered, nothing remains", expect = FORBIDDEN, desc = "An interruption was swallowed.")
    @State
    public static class OfAnInterruptedLeader {

        private final BlockingRunner<Integer, Integer, Integer> runner =
                new BlockingRunner<>(BareEngine.ONE_AT_A_TIME, true, new WholeCalls.Work(), new StoppedTime());
        private final ProbeCall ahead = new ProbeCall(0);
        private volatile Thread waiting;

        public OfAnInterruptedLeader() {
            runner.engine().submit(BareEngine.GROUP, ahead);
        }

        @Actor
        public void lead(LLL_Result r) {
            waiting = Thread.currentThread();
            r.r1 = WholeCalls.end(() -> runner.execute(BareEngine.GROUP, 1), BareEngine.answerTo(1));
        }

        @Actor
        public void end(LLL_Result r) {
            while (waiting == null) {
                Thread.onSpinWait();
            }
            waiting.interrupt();
            ahead.bindOutput(BareEngine.answerTo(0));
            runner.engine().end(ahead.batch()).forEach(BlockingRunner::signal);
            r.r2 = WholeCalls.end(() -> runner.execute(BareEngine.GROUP, 2), BareEngine.answerTo(2));
        }

        @Arbiter
        public void settle(LLL_Result r) {
            r.r3 = BareEngine.rest(runner.engine());
        }
    }
}
