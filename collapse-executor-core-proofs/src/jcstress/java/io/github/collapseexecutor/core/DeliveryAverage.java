package io.github.collapseexecutor.core;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** Two threads that tell at once how long answers took: one of them may go unheard, and nothing worse happens. */
@JCStressTest
@Outcome(
        id = {"6412", "6400"},
        expect = ACCEPTABLE,
        desc = "Both counted, one after the other.")
@Outcome(
        id = {"7100", "7200"},
        expect = ACCEPTABLE_INTERESTING,
        desc = "One of them got lost.")
@Outcome(id = ".*", expect = FORBIDDEN, desc = "No order of the two gives that average.")
@State
public class DeliveryAverage {

    private final DeliveryTime time = new DeliveryTime();

    public DeliveryAverage() {
        time.add(64_000); // an average of 8 000
    }

    @Actor
    public void one() {
        time.add(800);
    }

    @Actor
    public void other() {
        time.add(1_600);
    }

    @Arbiter
    public void read(J_Result r) {
        r.r1 = time.nanos();
    }
}
