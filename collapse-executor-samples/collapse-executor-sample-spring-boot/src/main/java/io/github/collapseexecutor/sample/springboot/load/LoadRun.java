package io.github.collapseexecutor.sample.springboot.load;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the sample under load over real sockets, from another process than its own: every scenario without and with collapsing in
 * turn, round by round. Prints the ratio first, then the raw figures, and which goals are met; fails if anybody was answered
 * wrongly, or not at all.
 *
 * @param connections how many connections at most
 * @param rounds how often each way is measured
 * @param seconds for how long each time
 * @param scenarios what is measured
 */
record LoadRun(int connections, int rounds, double seconds, List<LoadScenario> scenarios) {

    private static final double FIRST_WARM_UP = 20;
    private static final double LATER_WARM_UP = 1;

    LoadRun {
        if (connections < 1 || rounds < 1 || !(seconds > 0)) {
            throw new IllegalArgumentException("connections is " + connections + ", rounds is " + rounds
                    + " and seconds is " + seconds + ": each must be positive");
        }
    }

    /** Arguments: connections at most (400), rounds (3), seconds of each (5), and names of scenarios (all). */
    public static void main(String[] arguments) throws IOException {
        LoadRun run = new LoadRun(
                Integer.parseInt(argument(arguments, 0, "400")),
                Integer.parseInt(argument(arguments, 1, "3")),
                Double.parseDouble(argument(arguments, 2, "5")),
                arguments.length <= 3
                        ? List.of(LoadScenario.values())
                        : Arrays.stream(arguments)
                                .skip(3)
                                .map(LoadScenario::valueOf)
                                .toList());
        if (!run.run()) {
            System.out.println("SOMEBODY WAS ANSWERED WRONGLY, OR NOT AT ALL.");
            System.exit(1);
        }
    }

    private static String argument(String[] arguments, int index, String otherwise) {
        return index < arguments.length ? arguments[index] : otherwise;
    }

    /** Measures and prints; returns whether everybody was answered rightly. */
    boolean run() throws IOException {
        boolean right = true;
        System.out.printf(
                "JDK %s, %d processors, %d rounds of %s s each; the median round by requests/s counts%n%n",
                Runtime.version(), Runtime.getRuntime().availableProcessors(), rounds, seconds);
        try (LoadServer backend = LoadServer.start(List.of());
                LoadServer fresh = LoadServer.start(List.of("sample.backend=" + backend.root()));
                LoadServer inFlight = LoadServer.start(
                        List.of("sample.backend=" + backend.root(), "collapse.executor.join=in-flight"))) {
            for (LoadScenario scenario : scenarios) {
                LoadReport report = new LoadReport(scenario);
                for (int round = 0; round <= rounds; round++) {
                    for (LoadWay way : ways(scenario, round)) {
                        LoadServer server = way == LoadWay.IN_FLIGHT ? inFlight : fresh;
                        LoadServer worker = scenario.isFront() ? backend : server;
                        LoadMeasurement measurement = measure(server, worker, scenario, way, round);
                        if (measurement != null) {
                            report.add(way, measurement);
                        }
                    }
                }
                System.out.println(report);
                right &= report.isRight();
            }
        }
        return right;
    }

    /** Every second round goes backwards: the way that is measured later must not always be the same. */
    private static List<LoadWay> ways(LoadScenario scenario, int round) {
        List<LoadWay> ways = new ArrayList<>(scenario.ways());
        if (round % 2 == 0) {
            Collections.reverse(ways);
        }
        return ways;
    }

    /** Returns null for round 0, which is there to warm up. */
    private @Nullable LoadMeasurement measure(
            LoadServer server, LoadServer worker, LoadScenario scenario, LoadWay way, int round) throws IOException {
        long runs = worker.runs();
        Duration processor = server.processor();
        LoadResult result = LoadGenerator.run(
                server.address(),
                number -> scenario.path(way, number),
                way != LoadWay.IN_FLIGHT,
                Math.min(connections, scenario.connections()),
                round == 0 ? Duration.ZERO : lasting(Math.min(LATER_WARM_UP, seconds)),
                round == 0 ? lasting(Math.min(FIRST_WARM_UP, 4 * seconds)) : lasting(seconds));
        return round == 0
                ? null
                : new LoadMeasurement(
                        result, worker.runs() - runs, server.processor().minus(processor));
    }

    private static Duration lasting(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }
}
