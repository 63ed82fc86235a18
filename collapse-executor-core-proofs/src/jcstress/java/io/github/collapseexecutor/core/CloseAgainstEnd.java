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

/** A thread that closes an executor while its last call ends, or while one more comes, is told the truth. */
final class CloseAgainstEnd {

    private CloseAgainstEnd() {}

    /** A stage ends, and the future of its caller is completed. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "closed: complete, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "The close came after the delivery.")
    @Outcome(
            id = "not closed: .*, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "The close came before the delivery's end.")
    @Outcome(id = "closed: incomplete, .*", expect = FORBIDDEN, desc = "A future is completed after the close.")
    @State
    public static class OfAStage {

        private final HeldStages stages = new HeldStages(BareEngine.ONE_AT_A_TIME, 1);
        private final CompletableFuture<Integer> last = stages.execute(1);
        private String closed;

        @Actor
        public void end() {
            stages.held(0).complete();
        }

        @Actor
        public void close() {
            boolean nothingLeft = stages.runner.close(Duration.ZERO);
            closed = (nothingLeft ? "closed: " : "not closed: ") + (last.isDone() ? "complete" : "incomplete");
        }

        @Arbiter
        public void settle(LL_Result r) {
            r.r1 = closed + ", " + stages.end(last, 1);
            r.r2 = stages.rest();
        }
    }

    /** A call comes: it is refused, or executed before the executor is closed. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = ".*closed: refused, nothing remains", expect = ACCEPTABLE, desc = "It came after the close.")
    @Outcome(id = ".*closed: answered, nothing remains", expect = ACCEPTABLE, desc = "It came before the close.")
    @Outcome(
            id = "not closed: failed by ExecutorClosedException, nothing remains",
            expect = ACCEPTABLE,
            desc = "It had not begun when the time to drain was over.")
    @Outcome(id = ".*closed: .*after it", expect = FORBIDDEN, desc = "It was executed though close had returned.")
    @State
    public static class OfANewCall {

        private volatile boolean closed;
        private boolean late;
        private final HeldStages stages = new HeldStages(BareEngine.ONE_AT_A_TIME, 0, this::begin);
        private boolean nothingLeft;
        private @Nullable CompletableFuture<Integer> newcomer;

        private void begin(Runnable task) {
            late = closed;
            task.run();
        }

        @Actor
        public void come() {
            try {
                newcomer = stages.execute(1);
            } catch (ExecutorClosedException refused) {
                newcomer = null;
            }
        }

        @Actor
        public void close() {
            nothingLeft = stages.runner.close(Duration.ZERO);
            closed = true;
        }

        @Arbiter
        public void settle(LL_Result r) {
            String end = newcomer == null ? "refused" : stages.end(newcomer, 1);
            boolean executedLate = late && stages.executions() > 0;
            r.r1 = (nothingLeft ? "closed: " : "not closed: ") + end + (executedLate ? " after it" : "");
            r.r2 = stages.rest();
        }
    }
}
