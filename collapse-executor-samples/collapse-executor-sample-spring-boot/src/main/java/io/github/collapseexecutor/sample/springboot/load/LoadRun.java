package io.github.collapseexecutor.sample.springboot.load;

import io.github.collapseexecutor.figures.Section;
import io.github.collapseexecutor.figures.SectionFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

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

    private static final double LATER_WARM_UP = 1;

    /** A server is warm when so many measurements one after another differ by less than {@link #STEADY}. */
    private static final int STEADY_MEASUREMENTS = 3;

    private static final double STEADY = 0.03;

    /** How often it is tried at most; {@code -Dload.warm-ups=} says otherwise. */
    private static final int MOST_WARM_UPS = Integer.getInteger("load.warm-ups", 20);

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
        List<Section> sections = new ArrayList<>();
        System.out.printf(
                "JDK %s, %d processors, %d rounds of %s s each; the median round by requests/s counts%n%n",
                Runtime.version(), Runtime.getRuntime().availableProcessors(), rounds, seconds);
        try (LoadServers servers = LoadServers.start()) {
            for (LoadScenario scenario : scenarios) {
                LoadReport report = new LoadReport(scenario);
                report.warmedUp(warmUp(servers, scenario));
                for (int round = 1; round <= rounds; round++) {
                    for (LoadWay way : ways(scenario, round)) {
                        report.add(way, measure(servers, scenario, way, Math.min(LATER_WARM_UP, seconds)));
                    }
                }
                System.out.println(report);
                sections.add(report.section(Math.min(connections, scenario.connections())
                        + " connections, each of which asks again as soon as it is answered. The median of " + rounds
                        + " rounds of " + seconds + " s."));
                right &= report.isRight();
            }
        }
        SectionFile.offer(sections);
        return right;
    }

    /** Puts every way under load in turn until the throughput of all is steady, or it has been tried often enough. */
    private LoadReport warmUp(LoadServers servers, LoadScenario scenario) throws IOException {
        LoadReport warmUp = new LoadReport(scenario);
        int most = seconds < LATER_WARM_UP ? 1 : MOST_WARM_UPS; // so short a run is a trial
        int times = 0;
        do {
            for (LoadWay way : ways(scenario, times)) {
                warmUp.add(way, measure(servers, scenario, way, 0));
            }
            times++;
        } while (times < most && !warmUp.isSteady(STEADY_MEASUREMENTS, STEADY));
        System.out.printf("warmed up %d times: %s%n", times, warmUp.rates());
        return warmUp;
    }

    /** Every second round goes backwards: the way that is measured later must not always be the same. */
    private static List<LoadWay> ways(LoadScenario scenario, int round) {
        List<LoadWay> ways = new ArrayList<>(scenario.ways());
        if (round % 2 == 0) {
            Collections.reverse(ways);
        }
        return ways;
    }

    private LoadMeasurement measure(LoadServers servers, LoadScenario scenario, LoadWay way, double warmUp)
            throws IOException {
        LoadServer server = servers.of(way);
        LoadServer worker = scenario.isFront() ? servers.backend() : server;
        long runs = worker.runs();
        Duration processor = server.processor();
        LoadResult result = LoadGenerator.run(
                server.address(),
                Load.closed(
                        number -> scenario.path(way, number),
                        !way.joinsRunningCall(),
                        Math.min(connections, scenario.connections()),
                        lasting(warmUp),
                        lasting(seconds)));
        if (result.failed() > 0) {
            server.printThreads();
        }
        return new LoadMeasurement(
                result, worker.runs() - runs, server.processor().minus(processor));
    }

    private static Duration lasting(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }
}
