package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A caller that comes after a call in flight was forgotten never shares it, whatever else happens to that call. */
final class ForgetInFlight {

    private ForgetInFlight() {}

    /** The engine alone: the forgotten call ends. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "beside it: answered, answered, nothing remains", expect = ACCEPTABLE, desc = "Before the end.")
    @Outcome(id = "after it: answered, answered, nothing remains", expect = ACCEPTABLE, desc = "After the end.")
    @Outcome(id = "with it: .*", expect = FORBIDDEN, desc = "It shared a call that its own thread had forgotten.")
    @State
    public static class AgainstTheEnd {

        private final BareEngine bare = new BareEngine(BareEngine.IN_FLIGHT);
        private final ProbeCall old = new ProbeCall(1);
        private final ProbeCall newcomer = new ProbeCall(1);

        public AgainstTheEnd() {
            bare.submit(old);
            bare.execute(old.batch());
        }

        @Actor
        public void end() {
            bare.end(old.batch());
        }

        @Actor
        public void forget() {
            bare.forget(1);
            if (bare.submit(newcomer) == SubmitResult.STARTED) {
                bare.run(newcomer.batch());
            }
        }

        @Arbiter
        public void settle(LL_Result r) {
            boolean sameGroup = newcomer.batch().group == old.batch().group;
            String place = newcomer.batch() == old.batch() ? "with it: " : sameGroup ? "beside it: " : "after it: ";
            r.r1 = place + old.end() + ", " + newcomer.end();
            r.r2 = bare.rest();
        }
    }

    /** The engine alone: another caller comes at the same time. */
    @JCStressTest
    @JCStressMeta(Forbidden.class)
    @Outcome(id = "with it: answered, anew: answered, nothing remains", expect = ACCEPTABLE, desc = "Before.")
    @Outcome(
            id = "anew: answered, anew: answered, nothing remains",
            expect = ACCEPTABLE,
            desc = "After, shared or not.")
    @Outcome(id = ".*, with it: .*", expect = FORBIDDEN, desc = "It shared a call that its own thread had forgotten.")
    @State
    public static class AgainstAJoin {

        private final BareEngine bare = new BareEngine(BareEngine.IN_FLIGHT, false);
        private final ProbeCall old = new ProbeCall(1);
        private final ProbeCall other = new ProbeCall(1);
        private final ProbeCall newcomer = new ProbeCall(1);

        public AgainstAJoin() {
            bare.submit(old);
        }

        @Actor
        public void join() {
            if (bare.submit(other) == SubmitResult.STARTED) {
                bare.run(other.batch());
            }
        }

        @Actor
        public void forget() {
            bare.forget(1);
            if (bare.submit(newcomer) == SubmitResult.STARTED) {
                bare.run(newcomer.batch());
            }
        }

        @Arbiter
        public void settle(LLL_Result r) {
            bare.run(old.batch());
            r.r1 = place(other);
            r.r2 = place(newcomer);
            r.r3 = bare.rest();
        }

        private String place(ProbeCall call) {
            return (call.batch() == old.batch() ? "with it: " : "anew: ") + call.end();
        }
    }
}
