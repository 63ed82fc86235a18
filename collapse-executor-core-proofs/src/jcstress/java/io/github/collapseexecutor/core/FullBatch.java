package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A batch that becomes full while another ends is released once, and so is each of those behind it. */
final class FullBatch {

    private FullBatch() {}

    /** A batch that only the limit holds up becomes full while an end gives it its place. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "released by the end, full: answered, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "The batch was full before the place came.")
    @Outcome(
            id = "released by the end, with room: answered, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "The place came before the batch was full.")
    @Outcome(id = "released by the join: .*", expect = FORBIDDEN, desc = "The end gave the place to nobody.")
    @Outcome(id = "released by both: .*", expect = FORBIDDEN, desc = "The batch took two places.")
    @Outcome(id = "released by nobody: .*", expect = FORBIDDEN, desc = "The batch would wait for ever.")
    @State
    public static class AgainstAnEnd {

        private static final CollapseOptions OPTIONS = BareEngine.ONE_AT_A_TIME.toBuilder()
                .maxBatchSize(2)
                .maxConcurrentBatches(2)
                .build();

        private final BareEngine bare = new BareEngine(OPTIONS);
        private final ProbeCall oldest = new ProbeCall(1);
        private final ProbeCall second = new ProbeCall(2);
        private final ProbeCall waits = new ProbeCall(3);
        private final ProbeCall newcomer = new ProbeCall(4);
        private @Nullable Batch<Integer, Integer> released;
        private boolean full;
        private SubmitResult joined;

        public AgainstAnEnd() {
            bare.submit(oldest);
            bare.time.now = TimeUnit.SECONDS.toNanos(1);
            bare.submit(second);
            bare.submit(waits);
            bare.execute(oldest.batch());
        }

        @Actor
        public void end() {
            released = bare.end(oldest.batch());
            full = released != null && released.size() == 2;
        }

        @Actor
        public void join() {
            joined = bare.submit(newcomer);
        }

        @Arbiter
        public void settle(LL_Result r) {
            boolean byJoin = joined == SubmitResult.STARTED;
            String by = released == null
                    ? (byJoin ? "the join" : "nobody")
                    : byJoin ? "both" : full ? "the end, full" : "the end, with room";
            if (released != null) {
                bare.leadAndRun(released);
            } else if (byJoin) {
                bare.run(newcomer.batch());
            }
            bare.run(second.batch());
            r.r1 = "released by " + by + ": " + waits.end() + ", " + newcomer.end();
            r.r2 = bare.rest();
        }
    }

    /** Full batches stand in a queue, each released by the end of the one before it, and another caller comes. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "behind them: answered, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "Released by the end of the one before.")
    @Outcome(
            id = "after them: answered, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "It came when all had ended.")
    @Outcome(id = "before its turn: .*", expect = FORBIDDEN, desc = "It overtook a batch that had come before it.")
    @State
    public static class InAQueue {

        private static final CollapseOptions OPTIONS =
                BareEngine.ONE_AT_A_TIME.toBuilder().maxBatchSize(1).build();

        private final BareEngine bare = new BareEngine(OPTIONS);
        private final ProbeCall first = new ProbeCall(1);
        private final ProbeCall second = new ProbeCall(2);
        private final ProbeCall newcomer = new ProbeCall(3);
        private SubmitResult joined;
        private boolean overtook;

        public InAQueue() {
            bare.submit(first);
            bare.submit(second);
            bare.execute(first.batch());
        }

        @Actor
        public void end() {
            bare.follow(bare.end(first.batch()));
        }

        @Actor
        public void join() {
            joined = bare.submit(newcomer);
            if (joined == SubmitResult.STARTED) {
                overtook = second.executions.get() == 0;
                bare.run(newcomer.batch());
            }
        }

        @Arbiter
        public void settle(LL_Result r) {
            String place = joined != SubmitResult.STARTED ? "behind them" : overtook ? "before its turn" : "after them";
            r.r1 = place + ": " + second.end() + ", " + newcomer.end();
            r.r2 = bare.rest();
        }
    }
}
