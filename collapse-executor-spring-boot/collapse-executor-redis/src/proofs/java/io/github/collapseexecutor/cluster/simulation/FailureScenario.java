package io.github.collapseexecutor.cluster.simulation;

import java.util.List;
import java.util.Locale;

/**
 * A row of the page {@code docs/maintainers/cluster-simulation.md} about calls that fail or hang, with sharing and without.
 *
 * @param words what the row shows
 * @param workload what is simulated
 */
public record FailureScenario(String words, Workload workload) {

    private static final long SEED = 20;
    private static final double WARM_UP = 2_000_000;
    private static final double MEASURED = 10_000_000;

    /** Returns the rows of the page. */
    public static List<FailureScenario> all() {
        Workload workload = Workload.of(10).callers(10, 1_000).callSpread(20_000);
        Workload joining = workload.joiningInFlight();
        return List.of(
                new FailureScenario("no call fails", workload),
                new FailureScenario("one of ten fails", workload.failing(0.1)),
                new FailureScenario("all fail", workload.failing(1)),
                new FailureScenario("no call fails, `join: in-flight`", joining),
                new FailureScenario("one of ten fails, `join: in-flight`", joining.failing(0.1)),
                new FailureScenario("all fail, `join: in-flight`", joining.failing(1)),
                new FailureScenario("one of ten takes 5 s", workload.hanging(0.1, 5_000_000)),
                new FailureScenario("all take 5 s", workload.hanging(1, 5_000_000)));
    }

    /** Returns how the workload goes with sharing. */
    public ClusterSimulation.Outcome shared() {
        return new ClusterSimulation(workload, SEED).run(WARM_UP, MEASURED);
    }

    /** Returns how it goes if each instance makes its calls alone. */
    public ClusterSimulation.Outcome unshared() {
        return new ClusterSimulation(workload.unshared(), SEED).run(WARM_UP, MEASURED);
    }

    /** Returns the row. */
    public String row() {
        ClusterSimulation.Outcome with = shared();
        ClusterSimulation.Outcome without = unshared();
        return String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %,.0f | %,.0f |",
                words,
                with.callsFor1000(),
                without.callsFor1000(),
                with.p99(),
                without.p99());
    }
}
