package io.github.collapseexecutor.cluster.simulation;

import java.util.List;
import java.util.Locale;

/**
 * A row of the page {@code docs/maintainers/cluster-simulation.md} about the length of calls, with sharing and without.
 *
 * @param instances how many there are
 * @param callTime what the backend takes, in microseconds, half of it more or less
 */
public record LengthScenario(int instances, double callTime) {

    private static final long SEED = 20;
    private static final double WARM_UP = 1_000_000;
    private static final double MEASURED = 1_000_000;

    /** Returns the rows of the page. */
    public static List<LengthScenario> all() {
        return List.of(
                new LengthScenario(3, 100),
                new LengthScenario(3, 300),
                new LengthScenario(3, 1_000),
                new LengthScenario(3, 5_000),
                new LengthScenario(3, 20_000),
                new LengthScenario(3, 100_000),
                new LengthScenario(10, 100),
                new LengthScenario(10, 1_000),
                new LengthScenario(10, 5_000),
                new LengthScenario(10, 20_000),
                new LengthScenario(10, 100_000));
    }

    /** Returns the row. */
    public String row() {
        Workload workload = Workload.of(instances)
                .callers(10, callTime / 10)
                .callTime(callTime)
                .callSpread(callTime / 2);
        ClusterSimulation.Outcome with = new ClusterSimulation(workload, SEED).run(WARM_UP, MEASURED);
        ClusterSimulation.Outcome without = new ClusterSimulation(workload.unshared(), SEED).run(WARM_UP, MEASURED);
        return String.format(
                Locale.ROOT,
                "| %.1f ms | %d | %.0f | %.0f | %.1f | %.1f |",
                callTime / 1_000,
                instances,
                with.callsFor1000(),
                without.callsFor1000(),
                with.p50(),
                without.p50());
    }
}
