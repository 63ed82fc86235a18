package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A caller that finds a call in flight shares it and its answer, or makes its own, and never shares its misfortune. */
final class InFlightJoin {

    private InFlightJoin() {}

    /** The engine alone: the call ends. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "shared: answered, nothing remains", expect = ACCEPTABLE, desc = "It came before the end.")
    @Outcome(id = "anew: answered, nothing remains", expect = ACCEPTABLE, desc = "It came after the end.")
    @State
    public static class AgainstTheEnd {

        private final BareEngine bare = new BareEngine(BareEngine.IN_FLIGHT);
        private final ProbeCall call = new ProbeCall(1);
        private final ProbeCall newcomer = new ProbeCall(1);
        private SubmitResult joined;

        public AgainstTheEnd() {
            bare.submit(call);
            bare.execute(call.batch());
        }

        @Actor
        public void end() {
            bare.end(call.batch());
        }

        @Actor
        public void join() {
            joined = bare.submit(newcomer);
            if (joined == SubmitResult.STARTED) {
                bare.run(newcomer.batch());
            }
        }

        @Arbiter
        public void settle(LL_Result r) {
            r.r1 = (joined == SubmitResult.STARTED ? "anew: " : "shared: ") + newcomer.end();
            r.r2 = bare.rest();
        }
    }

    /** The future executor's runner: the call's only caller leaves, so that it is cancelled. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "shared: answered, nothing remains", expect = ACCEPTABLE, desc = "It came before the other left.")
    @Outcome(id = "anew: answered, nothing remains", expect = ACCEPTABLE, desc = "It found the call abandoned.")
    @Outcome(id = "shared: left, .*", expect = FORBIDDEN, desc = "It was cancelled because somebody else was.")
    @State
    public static class AgainstTheLastToLeave {

        private final HeldStages stages = new HeldStages(BareEngine.IN_FLIGHT, 1);
        private final CompletableFuture<Integer> first = stages.execute(1);
        private CompletableFuture<Integer> newcomer;

        @Actor
        public void leave() {
            first.cancel(true);
        }

        @Actor
        public void join() {
            newcomer = stages.execute(1);
        }

        @Arbiter
        public void settle(LL_Result r) {
            stages.held(0).complete();
            boolean anew = stages.executions() == 2;
            r.r1 = (anew ? "anew: " : "shared: ") + stages.end(newcomer, 1);
            r.r2 = stages.rest();
        }
    }

    /** Whole calls of the blocking executor: the leader's interruption, which is its own, breaks the call. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "out, answered, nothing remains", expect = ACCEPTABLE, desc = "The other made the call, or made one.")
    @Outcome(id = "answered, answered, nothing remains", expect = ACCEPTABLE, desc = "It shared the other's call.")
    @State
    public static class AgainstAnInterruptedCall {

        private final BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(BareEngine.IN_FLIGHT, new StoppedTime());

        @Actor
        public void interrupted(LLL_Result r) {
            r.r1 = WholeCalls.end(
                    () -> executor.execute(BareEngine.GROUP, () -> {
                        throw new InterruptedException();
                    }),
                    1);
        }

        @Actor
        public void join(LLL_Result r) {
            r.r2 = WholeCalls.end(() -> executor.execute(BareEngine.GROUP, () -> 1), 1);
        }

        @Arbiter
        public void settle(LLL_Result r) {
            r.r3 = BareEngine.rest(executor.engine());
        }
    }

    /** The same for a bulk call, whose inputs the second execution takes. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "out, answered, nothing remains", expect = ACCEPTABLE, desc = "The other made the call, or made one.")
    @Outcome(id = "answered, answered, nothing remains", expect = ACCEPTABLE, desc = "It shared the other's call.")
    @State
    public static class AgainstAnInterruptedBulkCall {

        private final WholeCalls.Work work = new WholeCalls.Work();
        private final BlockingRunner<Integer, Integer, Integer> runner =
                new BlockingRunner<>(BareEngine.IN_FLIGHT, true, work, new StoppedTime());

        @Actor
        public void interrupted(LLL_Result r) {
            work.interrupted = Thread.currentThread();
            r.r1 = WholeCalls.end(() -> runner.execute(BareEngine.GROUP, 1), BareEngine.answerTo(1));
        }

        @Actor
        public void join(LLL_Result r) {
            r.r2 = WholeCalls.end(() -> runner.execute(BareEngine.GROUP, 1), BareEngine.answerTo(1));
        }

        @Arbiter
        public void settle(LLL_Result r) {
            r.r3 = BareEngine.rest(runner.engine());
        }
    }

    /** The engine alone: who was handed a call of the group leaves before making it, maybe the last to wait for it. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "shared: answered, left, nothing remains", expect = ACCEPTABLE, desc = "It was handed the call on.")
    @Outcome(id = "anew: answered, left, nothing remains", expect = ACCEPTABLE, desc = "It found nobody.")
    @State
    public static class AgainstAnOrphan {

        private final BareEngine bare = new BareEngine(BareEngine.IN_FLIGHT, false);
        private final ProbeCall second = new ProbeCall(1);
        private final ProbeCall newcomer = new ProbeCall(1);
        private SubmitResult joined;

        public AgainstAnOrphan() {
            ProbeCall first = new ProbeCall(1);
            bare.submit(first);
            bare.submit(second);
            bare.handOver(first);
        }

        @Actor
        public void leave() {
            LeaveResult<Integer, Integer> left = bare.leave(second);
            if (left.orphan != null) {
                bare.end(left.orphan);
            } else {
                bare.follow(BareEngine.only(left.signals));
            }
        }

        @Actor
        public void join() {
            joined = bare.submit(newcomer);
            if (joined == SubmitResult.STARTED) {
                bare.run(newcomer.batch());
            }
        }

        @Arbiter
        public void settle(LL_Result r) {
            r.r1 = (joined == SubmitResult.STARTED ? "anew: " : "shared: ") + newcomer.end() + ", " + second.end();
            r.r2 = bare.rest();
        }
    }

    /** The engine alone: the caller that made the call leaves it as it starts, and another wants its answer. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "shared: answered, left, nothing remains",
            expect = ACCEPTABLE,
            desc = "It shared the call of the other.")
    @Outcome(id = "joined: answered, .*, nothing remains", expect = ACCEPTABLE, desc = "It came before the start.")
    @Outcome(id = "anew: answered, .*, nothing remains", expect = ACCEPTABLE, desc = "It found no such call.")
    @State
    public static class AgainstItsSource {

        private static final CollapseOptions OPTIONS =
                BareEngine.IN_FLIGHT.toBuilder().maxConcurrentBatches(1).build();

        private final BareEngine bare = new BareEngine(OPTIONS);
        private final ProbeCall leader = new ProbeCall(1);
        private final ProbeCall source = new ProbeCall(2);
        private final ProbeCall newcomer = new ProbeCall(2);
        private @Nullable Batch<Integer, Integer> signalled;
        private SubmitResult joined;

        public AgainstItsSource() {
            ProbeCall ahead = new ProbeCall(0);
            bare.submit(ahead);
            bare.submit(leader);
            bare.submit(source);
            bare.run(ahead.batch());
        }

        @Actor
        public void start() {
            signalled = bare.leadAndRun(leader.batch());
        }

        @Actor
        public void leaveAndJoin() {
            bare.leave(source);
            joined = bare.submit(newcomer);
            if (joined == SubmitResult.STARTED) {
                bare.run(newcomer.batch());
            }
        }

        @Arbiter
        public void settle(LL_Result r) {
            bare.follow(signalled);
            String place =
                    newcomer.batch() != leader.batch() ? "anew: " : newcomer.source == null ? "joined: " : "shared: ";
            r.r1 = place + newcomer.end() + ", " + source.end();
            r.r2 = bare.rest();
        }
    }
}
