package io.github.collapseexecutor.cluster.simulation;

import java.util.List;

/**
 * A row of the page {@code docs/maintainers/cluster-simulation.md}.
 *
 * @param words what the row shows
 * @param workload what is simulated
 */
public record Scenario(String words, Workload workload) {

    private static final int SHORT = 200;
    private static final long SEED = 20;
    private static final double WARM_UP = 2_000_000;
    private static final double MEASURED = 3_000_000;

    /** Returns the rows of the page. */
    public static List<Scenario> all() {
        Workload thousand = Workload.of(1_000).waits(1e6, 500_000);
        Workload busy = Workload.of(100).callers(100, 1e6);
        Workload busier = Workload.of(300).callers(100, 1e6);
        return List.of(
                new Scenario("defaults", Workload.of(10)),
                new Scenario("defaults", Workload.of(100)),
                new Scenario("defaults", Workload.of(200)),
                new Scenario("defaults", Workload.of(300)),
                new Scenario("defaults", Workload.of(400)),
                new Scenario("defaults", Workload.of(500)),
                new Scenario("defaults", Workload.of(700)),
                new Scenario("defaults", Workload.of(1_000)),
                new Scenario("defaults", Workload.of(3_000)),
                new Scenario("defaults", Workload.of(10_000)),
                new Scenario("`max-delay` 500 ms", thousand),
                new Scenario("`max-delay` 500 ms, `max-wait-ratio` 0.5", thousand.ratio(0.5)),
                new Scenario("the same, window 50 ms", thousand.ratio(0.5).localWait(50_000)),
                new Scenario("`max-delay` 500 ms, `join: in-flight`", thousand.joiningInFlight()),
                new Scenario("a group of 250", Workload.of(250)),
                new Scenario("busy", busy),
                new Scenario("busy, executor's `max-wait-ratio` 0.5", busy.localRatio(0.5)),
                new Scenario("busy, window 20 ms", busy.localWait(20_000)),
                new Scenario("busy", busier),
                new Scenario("busy, window 50 ms", busier.localWait(50_000)));
    }

    /** Whether it is soon simulated. */
    public boolean isShort() {
        return workload.instances() <= SHORT;
    }

    /** Returns the row. */
    public String row() {
        return new ClusterSimulation(workload, SEED).run(WARM_UP, MEASURED).row(words);
    }

    /** Prints all rows. */
    public static void main(String[] arguments) {
        all().forEach(scenario -> System.out.println(scenario.row()));
        FailureScenario.all().forEach(scenario -> System.out.println(scenario.row()));
    }
}
