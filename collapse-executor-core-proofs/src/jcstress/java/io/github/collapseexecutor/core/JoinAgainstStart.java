package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A caller that comes while a batch starts is in that batch or in a later one, and is executed once. */
final class JoinAgainstStart {

    private JoinAgainstStart() {}

    /** The batch has been released, and its leader starts it. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "in the batch: answered, nothing remains", expect = ACCEPTABLE, desc = "It came before the start.")
    @Outcome(id = "in the next: answered, nothing remains", expect = ACCEPTABLE, desc = "It came while the batch ran.")
    @Outcome(id = "in one of its own: answered, nothing remains", expect = ACCEPTABLE, desc = "It came after the end.")
    @Outcome(id = "too late in the batch: .*", expect = FORBIDDEN, desc = "It joined a batch that had started.")
    @State
    public static class OfAReleasedBatch {

        private final BareEngine bare = new BareEngine(BareEngine.ONE_AT_A_TIME);
        private final ProbeCall newcomer = new ProbeCall(2);
        private final Batch<Integer, Integer> batch;
        private @Nullable Batch<Integer, Integer> signalled;
        private SubmitResult joined;

        public OfAReleasedBatch() {
            ProbeCall ahead = new ProbeCall(0);
            ProbeCall leader = new ProbeCall(1);
            bare.submit(ahead);
            bare.submit(leader);
            bare.run(ahead.batch());
            batch = leader.batch();
        }

        @Actor
        public void start() {
            signalled = bare.leadAndRun(batch);
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
            bare.follow(signalled);
            r.r1 = place() + ": " + newcomer.end();
            r.r2 = bare.rest();
        }

        private String place() {
            if (joined == SubmitResult.STARTED) {
                return "in one of its own";
            }
            if (newcomer.batch() != batch) {
                return "in the next";
            }
            return newcomer.executions.get() == 0 ? "too late in the batch" : "in the batch";
        }
    }

    /** The batch is in the hands of an executor, a thread of which starts it. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "in the batch: answered, nothing remains", expect = ACCEPTABLE, desc = "It came before the start.")
    @Outcome(id = "in the next: answered, nothing remains", expect = ACCEPTABLE, desc = "It came after the start.")
    @State
    public static class OfADispatchedBatch {

        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final HeldStages stages = new HeldStages(BareEngine.ONE_AT_A_TIME, 0, tasks::add);
        private CompletableFuture<Integer> newcomer;

        public OfADispatchedBatch() {
            CompletableFuture<Integer> unused = stages.execute(1);
        }

        @Actor
        public void start() {
            tasks.remove().run();
        }

        @Actor
        public void join() {
            newcomer = stages.execute(2);
        }

        @Arbiter
        public void settle(LL_Result r) {
            tasks.forEach(Runnable::run);
            String place = stages.executions() == 1 ? "in the batch" : "in the next";
            r.r1 = place + ": " + stages.end(newcomer, 2);
            r.r2 = stages.rest();
        }
    }

    /** The first two callers of a group, each of whom brings a group of its own that is in flight already. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "one behind the other: answered, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "The second found the batch of the first in flight.")
    @Outcome(
            id = "one after the other: answered, answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "The second came when the first had gone.")
    @State
    public static class OfTheFirstCallers {

        private final BareEngine bare = new BareEngine(BareEngine.ONE_AT_A_TIME);
        private final ProbeCall one = new ProbeCall(1);
        private final ProbeCall other = new ProbeCall(2);
        private final AtomicInteger running = new AtomicInteger();
        private volatile boolean overlapped;
        private volatile boolean queued;

        @Actor
        public void one() {
            call(one);
        }

        @Actor
        public void other() {
            call(other);
        }

        private void call(ProbeCall call) {
            if (bare.submit(call) != SubmitResult.STARTED) {
                queued = true;
                return;
            }
            Batch<Integer, Integer> batch = call.batch();
            while (batch != null) {
                overlapped |= running.incrementAndGet() != 1;
                bare.execute(batch);
                running.decrementAndGet();
                batch = bare.end(batch);
                if (batch != null && !bare.lead(batch, batch.leader())) {
                    throw new IllegalStateException("released, but not to be led");
                }
            }
        }

        @Arbiter
        public void settle(LL_Result r) {
            String order =
                    overlapped ? "both at the same time" : queued ? "one behind the other" : "one after the other";
            r.r1 = order + ": " + one.end() + ", " + other.end();
            r.r2 = bare.rest();
        }
    }

    /** Whole calls of the blocking executor: everybody reads what it wrote before it asked, in any caller's batch. */
    @JCStressTest
    @Outcome(id = "1, 3", expect = ACCEPTABLE, desc = "The batch of one started before the other wrote.")
    @Outcome(id = "3, 2", expect = ACCEPTABLE, desc = "The batch of the other started before the one wrote.")
    @Outcome(id = "3, 3", expect = ACCEPTABLE, desc = "Both had written when the batches started.")
    @Outcome(
            id = "1, 2",
            expect = FORBIDDEN,
            desc = "Two batches at the same time, or one does not see the other's end.")
    @Outcome(id = "[02], .*", expect = FORBIDDEN, desc = "One was given an answer from before it asked.")
    @Outcome(id = ".*, [01]", expect = FORBIDDEN, desc = "The other was given an answer from before it asked.")
    @State
    public static class OfWholeCalls {

        private final BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(BareEngine.ONE_AT_A_TIME, new StoppedTime());
        private int writtenByOne;
        private int writtenByOther;

        @Actor
        public void one(II_Result r) {
            writtenByOne = 1;
            r.r1 = read();
        }

        @Actor
        public void other(II_Result r) {
            writtenByOther = 2;
            r.r2 = read();
        }

        private int read() {
            return WholeCalls.call(() -> executor.execute(BareEngine.GROUP, () -> writtenByOne + writtenByOther));
        }
    }
}
