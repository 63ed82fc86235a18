package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIL_Result;
import org.openjdk.jcstress.infra.results.LIL_Result;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZZL_Result;

/** What a batch binds is bound once, and seen by every caller together with all that the batch wrote before. */
final class Publication {

    private Publication() {}

    /** Two threads of a batch function bind the same bundle. */
    @JCStressTest
    @Outcome(id = "true, false, output", expect = ACCEPTABLE, desc = "The output was first.")
    @Outcome(id = "false, true, failure", expect = ACCEPTABLE, desc = "The failure was first.")
    @Outcome(id = "true, true, .*", expect = FORBIDDEN, desc = "Both bindings counted.")
    @Outcome(id = "false, false, .*", expect = FORBIDDEN, desc = "No binding counted.")
    @State
    public static class OfTheFirstBinding {

        private final ProbeCall call = new ProbeCall(1);

        @Actor
        public void bindOutput(ZZL_Result r) {
            r.r1 = call.bindOutput(1);
        }

        @Actor
        public void bindError(ZZL_Result r) {
            r.r2 = call.bindError(new IllegalStateException());
        }

        @Arbiter
        public void look(ZZL_Result r) {
            r.r3 = call.failure() != null ? "failure" : call.output() != null ? "output" : "nothing";
        }
    }

    /** A bundle is bound while its batch ends: a caller that shares the call is told the same as the one that made it. */
    @JCStressTest
    @Outcome(id = "true, output, output", expect = ACCEPTABLE, desc = "Bound before the end.")
    @Outcome(id = "false, unbound, unbound", expect = ACCEPTABLE, desc = "Too late.")
    @Outcome(id = ".*, output, unbound|.*, unbound, output", expect = FORBIDDEN, desc = "One call, two answers.")
    @Outcome(id = "true, unbound, .*", expect = FORBIDDEN, desc = "A binding that counted was lost.")
    @Outcome(id = "false, output, .*", expect = FORBIDDEN, desc = "A binding that did not count was given.")
    @State
    public static class OfALateBinding {

        private final BareEngine bare = new BareEngine(BareEngine.IN_FLIGHT);
        private final ProbeCall call = new ProbeCall(1);
        private final ProbeCall sharer = new ProbeCall(1);
        private boolean bound;

        public OfALateBinding() {
            bare.submit(call);
            bare.submit(sharer);
        }

        @Actor
        public void bind() {
            bound = call.bindOutput(BareEngine.answerTo(1));
        }

        @Actor
        public void end() {
            bare.end(call.batch());
        }

        private static String content(ProbeCall call) {
            return call.end().equals("answered")
                    ? "output"
                    : call.failure() instanceof UnboundOutputException ? "unbound" : call.end();
        }

        @Arbiter
        public void look(LLL_Result r) {
            r.r1 = bound;
            r.r2 = content(call);
            r.r3 = content(sharer);
        }
    }

    /** Somebody who shares a call in flight looks whether it has ended, as a waiting thread does when it wakes. */
    @JCStressTest
    @Outcome(id = "runs, .*, unbound", expect = ACCEPTABLE, desc = "The batch has not ended.")
    @Outcome(id = "runs, .*, bound", expect = ACCEPTABLE_INTERESTING, desc = "It ended between one look and the next.")
    @Outcome(id = "ended, 1, bound", expect = ACCEPTABLE, desc = "It has ended, and all that it did is seen.")
    @Outcome(id = "ended, 0, .*", expect = FORBIDDEN, desc = "What the batch wrote is not seen.")
    @Outcome(id = "ended, .*, unbound", expect = FORBIDDEN, desc = "The batch ended before the answer was bound.")
    @State
    public static class OfTheEnd {

        private final BareEngine bare = new BareEngine(BareEngine.IN_FLIGHT);
        private final ProbeCall call = new ProbeCall(1);
        private final ProbeCall sharer = new ProbeCall(1);
        private int written;

        public OfTheEnd() {
            bare.submit(call);
            bare.submit(sharer);
        }

        @Actor
        public void run() {
            written = 1;
            bare.run(call.batch());
        }

        @Actor
        public void look(LIL_Result r) {
            r.r1 = sharer.batch().isPublished() ? "ended" : "runs";
            r.r2 = written;
            r.r3 = sharer.isBound() ? "bound" : "unbound";
        }
    }

    /** Two threads hand out the answers of one batch, as one that runs it and one that was woken late do. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(
            id = "answered, answered, answered, nothing remains: [0-3] by one",
            expect = ACCEPTABLE,
            desc = "Each once.")
    @State
    public static class OfTheAnswersByTwo {

        private final BareEngine bare = new BareEngine(BareEngine.IN_FLIGHT);
        private final ProbeCall[] calls = {new ProbeCall(1), new ProbeCall(1), new ProbeCall(1)};
        private Thread one;

        public OfTheAnswersByTwo() {
            for (ProbeCall call : calls) {
                bare.submit(call);
            }
            bare.execute(calls[0].batch());
            bare.publish(calls[0].batch());
        }

        @Actor
        public void one() {
            one = Thread.currentThread();
            calls[0].batch().deliver();
        }

        @Actor
        public void other() {
            calls[0].batch().deliver();
        }

        @Arbiter
        public void look(L_Result r) {
            int byOne = 0;
            StringBuilder ends = new StringBuilder();
            for (ProbeCall call : calls) {
                ends.append(call.end()).append(", ");
                byOne += call.deliverer == one ? 1 : 0;
            }
            r.r1 = ends + bare.rest() + ": " + byOne + " by one";
        }
    }

    /** Whole calls of the blocking executor: what is answered may be a plain object that the batch wrote to. */
    @JCStressTest
    @Outcome(id = "1, 1, shared", expect = ACCEPTABLE, desc = "One joined the other's call in flight.")
    @Outcome(id = "1, 1, apart", expect = ACCEPTABLE, desc = "Each made a call.")
    @Outcome(id = "0, .*|1, 0, .*", expect = FORBIDDEN, desc = "What the batch wrote is not seen.")
    @State
    public static class OfAnAnswer {

        private static final class Answer {

            int value;
        }

        private final BlockingCallableGroupCollapseExecutor executor =
                new BlockingCallableGroupCollapseExecutor(BareEngine.IN_FLIGHT, new StoppedTime());
        private Answer ofOne;
        private Answer ofOther;

        @Actor
        public void one(IIL_Result r) {
            ofOne = ask();
            r.r1 = ofOne.value;
        }

        @Actor
        public void other(IIL_Result r) {
            ofOther = ask();
            r.r2 = ofOther.value;
        }

        private Answer ask() {
            return WholeCalls.call(() -> executor.execute(BareEngine.GROUP, () -> {
                Answer answer = new Answer();
                answer.value = 1;
                return answer;
            }));
        }

        @Arbiter
        public void look(IIL_Result r) {
            r.r3 = ofOne == ofOther ? "shared" : "apart";
        }
    }
}
