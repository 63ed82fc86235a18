package io.github.collapseexecutor.sample.commitlog.xa;

import io.github.collapseexecutor.sample.commitlog.BenchmarkRun;
import io.github.collapseexecutor.sample.commitlog.Load;
import io.github.collapseexecutor.sample.commitlog.Rounds;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the table of seed 003: commits of 32 to 256 threads in all three {@linkplain CommitWay ways}, with the seed's settings and
 * with both logs synced at each commit, and with syncs that take longer. Every row is measured in {@linkplain Rounds rounds};
 * after each the store is opened again and checked.
 *
 * <p>Arguments: the directory to write in (the current one), rounds (5), seconds to measure each way for (1), and what to measure of
 * all: any of {@code settings=2/1000}, {@code settings=1/1}, {@code delay=0}, {@code delay=1} and {@code delay=5}, with commas.
 */
public final class StoreBenchmark {

    /** What both logs are set to. */
    record Settings(int flushLogAtCommit, int syncBinlog) {

        @Override
        public String toString() {
            return flushLogAtCommit + "/" + syncBinlog;
        }
    }

    static final List<Settings> SETTINGS = List.of(new Settings(2, 1000), new Settings(1, 1));
    static final List<Integer> DELAYS = List.of(0, 1, 5);
    private static final List<Integer> THREADS = List.of(32, 64, 128, 256);

    /** What the seed has measured with its settings: modified ÷ native, by threads. */
    private static final Map<Integer, String> SEED = Map.of(32, "1.05", 64, "1.17", 128, "1.18", 256, "1.28");

    // immutable
    private final BenchmarkRun run;
    private final StringBuilder details = new StringBuilder("""

            | settings | extra sync time | threads | way | transactions a second | redo syncs a transaction | binlog syncs a transaction | p99 |
            |---|---|---|---|---|---|---|---|
            """);

    StoreBenchmark(BenchmarkRun run) {
        this.run = run;
    }

    /**
     * Measures and prints.
     *
     * @param args directory, rounds and seconds, then what to measure
     */
    public static void main(String[] args) throws Exception {
        List<String> chosen = args.length <= 3 || args[3].isEmpty() ? List.of() : List.of(args[3].split(","));
        List<Settings> settings = chosen("settings", SETTINGS, chosen);
        List<Integer> delays = chosen("delay", DELAYS, chosen);
        StoreBenchmark benchmark = new StoreBenchmark(BenchmarkRun.of(args));
        System.out.print(benchmark.run(settings, delays, THREADS));
    }

    /** Those of the values that are chosen, or all if none is. */
    private static <T> List<T> chosen(String name, List<T> all, List<String> chosen) {
        for (String each : chosen) {
            if (SETTINGS.stream().noneMatch(value -> each.equals("settings=" + value))
                    && DELAYS.stream().noneMatch(value -> each.equals("delay=" + value))) {
                throw new IllegalArgumentException("argument is " + each + ": it must be settings= and one of "
                        + SETTINGS + ", or delay= and one of " + DELAYS);
            }
        }
        List<T> found = all.stream()
                .filter(value -> chosen.contains(name + "=" + value))
                .toList();
        return found.isEmpty() ? all : found;
    }

    String run(List<Settings> settings, List<Integer> delays, List<Integer> threads) throws Exception {
        StringBuilder text = new StringBuilder(run.machine());
        text.append("""

                | settings | extra sync time | threads | serialized | native | grouped redo | grouped ÷ native | seed | grouped ÷ serialized |
                |---|---|---|---|---|---|---|---|---|
                """);
        for (Settings each : settings) {
            for (int delay : delays) {
                for (int callers : threads) {
                    text.append(row(each, run.load(callers, Duration.ofMillis(delay))));
                }
            }
        }
        return text.append(details).toString();
    }

    private String row(Settings settings, Load load) throws Exception {
        List<CommitWay> ways = List.of(CommitWay.values());
        Rounds<CommitWay> rounds =
                Rounds.measure(load, run.rounds(), ways, way -> opening(way, settings), run.directory());
        String begin = "| " + settings + " | +" + load.syncDelay().toMillis() + " ms | " + load.threads() + " | ";
        for (CommitWay way : ways) {
            details.append(String.format(
                    Locale.ROOT,
                    "%s%s | %,.0f | %.4f | %.4f | %s |%n",
                    begin,
                    way.label,
                    rounds.median(way, Load.Figures::appends),
                    rounds.median(way, figures -> figures.redoSyncs() / figures.appends()),
                    rounds.median(way, figures -> (figures.syncs() - figures.redoSyncs()) / figures.appends()),
                    BenchmarkRun.millis(rounds.median(way, Load.Figures::p99Nanos))));
        }
        return String.format(
                Locale.ROOT,
                "%s%,.0f | %,.0f | %,.0f | %.2f | %s | %.1f |%n",
                begin,
                rounds.median(CommitWay.SERIALIZED, Load.Figures::appends),
                rounds.median(CommitWay.NATIVE, Load.Figures::appends),
                rounds.median(CommitWay.GROUPED_REDO, Load.Figures::appends),
                rounds.ratio(CommitWay.GROUPED_REDO, CommitWay.NATIVE),
                settings.equals(SETTINGS.get(0)) ? SEED.getOrDefault(load.threads(), "") : "",
                rounds.ratio(CommitWay.GROUPED_REDO, CommitWay.SERIALIZED));
    }

    private static Load.Opening opening(CommitWay way, Settings settings) {
        TransactionStoreOptions options = TransactionStoreOptions.builder()
                .way(way)
                .flushLogAtCommit(settings.flushLogAtCommit())
                .syncBinlog(settings.syncBinlog())
                .build();
        return (directory, files) -> new StoreSubject(directory, options, files);
    }
}
