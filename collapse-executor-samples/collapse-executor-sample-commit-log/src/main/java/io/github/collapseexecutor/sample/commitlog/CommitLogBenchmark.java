package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Measures appends of 32 to 256 threads with one sync per append, in one stage and in three, side by side, and prints a
 * table.
 *
 * <p>Every row is measured in rounds. In each, the ways take turns, and every second round goes backwards, so that a
 * machine that becomes slower or faster does so for all of them. What is printed is the median over the rounds; a ratio is
 * the median of the ratios of each round.
 *
 * <p>Arguments: the directory to write in (the current one), rounds (5), and seconds to measure each way for (1).
 */
public final class CommitLogBenchmark {

    private static final List<Duration> DELAYS = List.of(Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(5));
    private static final List<Integer> THREADS = List.of(32, 64, 128, 256);
    private static final int BARE_SYNCS = 200;

    // immutable
    private final Path directory;
    private final int rounds;
    private final Duration measured;
    private final StringBuilder details = new StringBuilder("""

            | extra sync time | threads | way | appends a second | syncs a second | appends a sync | p99 |
            |---|---|---|---|---|---|---|
            """);

    CommitLogBenchmark(Path directory, int rounds, Duration measured) {
        this.directory = directory;
        this.rounds = rounds;
        this.measured = measured;
    }

    /**
     * Measures and prints.
     *
     * @param args directory, rounds and seconds
     */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args.length > 0 ? args[0] : ".");
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw new IllegalArgumentException(
                    "directory is " + directory + ": it must be one that is there and can be written to");
        }
        CommitLogBenchmark benchmark = new CommitLogBenchmark(
                directory, number(args, 1, "rounds", 5), Duration.ofSeconds(number(args, 2, "seconds", 1)));
        System.out.print(benchmark.run(DELAYS, THREADS));
    }

    /** A number among the arguments, or the default if there are not so many. */
    private static int number(String[] args, int index, String name, int byDefault) {
        String value = args.length > index ? args[index] : Integer.toString(byDefault);
        if (!value.matches("[1-9]\\d{0,6}")) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be a number from 1 to 9999999");
        }
        return Integer.parseInt(value);
    }

    String run(List<Duration> delays, List<Integer> threads) throws Exception {
        StringBuilder text = new StringBuilder(machine());
        text.append("""

                | extra sync time | threads | one sync per append | one stage | three stages | three ÷ one sync per append | three ÷ one stage |
                |---|---|---|---|---|---|---|
                """);
        for (Duration delay : delays) {
            for (int callers : threads) {
                text.append(row(new Load(callers, delay, measured.dividedBy(4), measured)));
            }
        }
        return text.append(details).toString();
    }

    private String machine() throws IOException {
        return String.format(
                Locale.ROOT,
                "JDK %s, processors: %d, load before: %.1f, %s (%s), one write and sync of its own: %s, rounds: %d of %s s%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                System.getProperty("os.name"),
                Files.getFileStore(directory).type(),
                millis(bareSync()),
                rounds,
                measured.toMillis() / 1000.0);
    }

    /** How long it takes one thread to write a little and to force it, in nanoseconds; the median. */
    private double bareSync() throws IOException {
        Path path = Files.createTempFile(directory, "commit-log", ".sync");
        double[] nanos = new double[BARE_SYNCS];
        try (LogFile file = new DiskFiles().open(path)) {
            for (int i = 0; i < BARE_SYNCS; i++) {
                long begin = System.nanoTime();
                file.write(ByteBuffer.allocate(RecordFormat.HEADER_SIZE), (long) i * RecordFormat.HEADER_SIZE);
                file.force();
                nanos[i] = System.nanoTime() - begin;
            }
        } finally {
            Files.delete(path);
        }
        return median(nanos);
    }

    private String row(Load load) throws Exception {
        Map<Way, List<Load.Figures>> figures = new EnumMap<>(Way.class);
        for (int round = 0; round < rounds; round++) {
            List<Way> turns = new ArrayList<>(List.of(Way.values()));
            if (round % 2 == 1) {
                Collections.reverse(turns);
            }
            for (Way way : turns) {
                figures.computeIfAbsent(way, key -> new ArrayList<>()).add(load.measure(way, directory));
            }
        }
        String threads = "| +" + load.syncDelay().toMillis() + " ms | " + load.threads() + " | ";
        figures.forEach((way, each) -> {
            double appends = median(each, Load.Figures::appends);
            double syncs = median(each, Load.Figures::syncs);
            details.append(String.format(
                    Locale.ROOT,
                    "%s%s | %,.0f | %,.0f | %.1f | %s |%n",
                    threads,
                    way.label,
                    appends,
                    syncs,
                    appends / syncs,
                    millis(median(each, Load.Figures::p99Nanos))));
        });
        return String.format(
                Locale.ROOT,
                "%s%,.0f | %,.0f | %,.0f | %.1f | %.2f |%n",
                threads,
                appends(figures, Way.SYNC_PER_APPEND),
                appends(figures, Way.ONE_STAGE),
                appends(figures, Way.THREE_STAGES),
                ratio(figures, Way.SYNC_PER_APPEND),
                ratio(figures, Way.ONE_STAGE));
    }

    private static double appends(Map<Way, List<Load.Figures>> figures, Way way) {
        return median(of(figures, way), Load.Figures::appends);
    }

    /** How many times the appends of another way the three stages make. */
    private static double ratio(Map<Way, List<Load.Figures>> figures, Way other) {
        List<Load.Figures> three = of(figures, Way.THREE_STAGES);
        List<Load.Figures> others = of(figures, other);
        return median(IntStream.range(0, three.size())
                .mapToDouble(
                        round -> three.get(round).appends() / others.get(round).appends())
                .toArray());
    }

    private static List<Load.Figures> of(Map<Way, List<Load.Figures>> figures, Way way) {
        return figures.getOrDefault(way, List.of());
    }

    private static double median(List<Load.Figures> figures, ToDoubleFunction<Load.Figures> of) {
        return median(figures.stream().mapToDouble(of).toArray());
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private static String millis(double nanos) {
        return String.format(Locale.ROOT, "%.2f ms", nanos / TimeUnit.MILLISECONDS.toNanos(1));
    }
}
