package io.github.collapseexecutor.sample.commitlog;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Measures appends of 32 to 256 threads with one sync per append, in one stage and in three, side by side, and prints a
 * table. Every row is measured in {@linkplain Rounds rounds}.
 *
 * <p>Arguments: the directory to write in (the current one), rounds (5), and seconds to measure each way for (1).
 */
public final class CommitLogBenchmark {

    private static final List<Duration> DELAYS = List.of(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(5));
    private static final List<Integer> THREADS = List.of(32, 64, 128, 256);

    // immutable
    private final BenchmarkRun run;
    private final StringBuilder details = new StringBuilder("""

            | extra sync time | threads | way | appends a second | syncs a second | appends a sync | p99 |
            |---|---|---|---|---|---|---|
            """);

    CommitLogBenchmark(BenchmarkRun run) {
        this.run = run;
    }

    /**
     * Measures and prints.
     *
     * @param args directory, rounds and seconds
     */
    public static void main(String[] args) throws Exception {
        System.out.print(new CommitLogBenchmark(BenchmarkRun.of(args)).run(DELAYS, THREADS));
    }

    String run(List<Duration> delays, List<Integer> threads) throws Exception {
        StringBuilder text = new StringBuilder(run.machine());
        text.append("""

                | extra sync time | threads | one sync per append | one stage | three stages | three ÷ one sync per append | three ÷ one stage |
                |---|---|---|---|---|---|---|
                """);
        for (Duration delay : delays) {
            for (int callers : threads) {
                text.append(row(run.load(callers, delay)));
            }
        }
        return text.append(details).toString();
    }

    private String row(Load load) throws Exception {
        List<Way> ways = List.of(Way.values());
        Rounds<Way> rounds = Rounds.measure(load, run.rounds(), ways, way -> way, run.directory());
        String threads = "| +" + load.syncDelay().toMillis() + " ms | " + load.threads() + " | ";
        for (Way way : ways) {
            double appends = rounds.median(way, Load.Figures::appends);
            double syncs = rounds.median(way, Load.Figures::syncs);
            details.append(String.format(
                    Locale.ROOT,
                    "%s%s | %,.0f | %,.0f | %.1f | %s |%n",
                    threads,
                    way.label,
                    appends,
                    syncs,
                    appends / syncs,
                    BenchmarkRun.millis(rounds.median(way, Load.Figures::p99Nanos))));
        }
        return String.format(
                Locale.ROOT,
                "%s%,.0f | %,.0f | %,.0f | %.1f | %.2f |%n",
                threads,
                rounds.median(Way.SYNC_PER_APPEND, Load.Figures::appends),
                rounds.median(Way.ONE_STAGE, Load.Figures::appends),
                rounds.median(Way.THREE_STAGES, Load.Figures::appends),
                rounds.ratio(Way.THREE_STAGES, Way.SYNC_PER_APPEND),
                rounds.ratio(Way.THREE_STAGES, Way.ONE_STAGE));
    }
}
