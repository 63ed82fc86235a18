package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A caller that comes while the last batch of its group ends keeps the group, or brings a new one. */
final class JoinAgainstEnd {

    private JoinAgainstEnd() {}

    /** The engine alone; the newcomer stays in flight until it has been looked at. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "behind it: answered, nothing remains", expect = ACCEPTABLE, desc = "It came before the end.")
    @Outcome(id = "after it: answered, nothing remains", expect = ACCEPTABLE, desc = "It brought a new group.")
    @Outcome(id = "in a dead group: .*", expect = FORBIDDEN, desc = "It stands in a group that was left for dead.")
    @Outcome(id = "off the table: .*", expect = FORBIDDEN, desc = "Nobody can find the group that it stands in.")
    @State
    public static class OfTheLastBatch {

        private final BareEngine bare = new BareEngine(BareEngine.ONE_AT_A_TIME);
        private final ProbeCall last = new ProbeCall(1);
        private final ProbeCall newcomer = new ProbeCall(2);
        private @Nullable Batch<Integer, Integer> signalled;
        private SubmitResult joined;

        public OfTheLastBatch() {
            bare.submit(last);
            bare.execute(last.batch());
        }

        @Actor
        public void end() {
            signalled = bare.end(last.batch());
        }

        @Actor
        public void join() {
            joined = bare.submit(newcomer);
        }

        @Arbiter
        public void settle(LL_Result r) {
            String place = "behind it";
            if (joined == SubmitResult.STARTED) {
                place = newcomer.batch().group.isGone()
                        ? "in a dead group"
                        : bare.isEmpty() ? "off the table" : "after it";
                bare.run(newcomer.batch());
            }
            bare.follow(signalled);
            r.r1 = place + ": " + newcomer.end();
            r.r2 = bare.rest();
        }
    }

    /** The future executor's runner, whose last batch ends as its stage does; each caller's timer goes with it. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "behind it: answered, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "The end of the last ran it.")
    @Outcome(id = "after it: answered, answered, nothing remains", expect = ACCEPTABLE, desc = "Its own thread ran it.")
    @State
    public static class OfAStage {

        private static final CollapseOptions OPTIONS = BareEngine.ONE_AT_A_TIME.toBuilder()
                .callTimeout(Duration.ofSeconds(1))
                .build();

        private final HeldStages stages = new HeldStages(OPTIONS, 1);
        private final CompletableFuture<Integer> last = stages.execute(1);
        private CompletableFuture<Integer> newcomer;
        private Thread submitter;

        @Actor
        public void end() {
            stages.held(0).complete();
        }

        @Actor
        public void join() {
            submitter = Thread.currentThread();
            newcomer = stages.execute(2);
        }

        @Arbiter
        public void settle(LL_Result r) {
            String place = stages.executionOf(2).begunBy == submitter ? "after it" : "behind it";
            r.r1 = place + ": " + stages.end(last, 1) + ", " + stages.end(newcomer, 2);
            r.r2 = stages.rest();
        }
    }
}
