package io.github.collapseexecutor.sample.commitlog;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What a benchmark is told by its arguments.
 *
 * @param directory where it writes
 * @param rounds how often it measures each way
 * @param measured for how long each time
 */
public record BenchmarkRun(Path directory, int rounds, Duration measured) {

    private static final int BARE_SYNCS = 200;
    private static final int BARE_SIZE = 16;

    /**
     * Reads arguments.
     *
     * @param args the directory (the current one), rounds (5), and seconds to measure each way for (1)
     * @return what they say
     * @throws IllegalArgumentException if one is wrong
     */
    public static BenchmarkRun of(String... args) {
        Path directory = Path.of(args.length > 0 ? args[0] : ".");
        if (!Files.isDirectory(directory) || !Files.isWritable(directory)) {
            throw new IllegalArgumentException(
                    "directory is " + directory + ": it must be one that is there and can be written to");
        }
        return new BenchmarkRun(
                directory, number(args, 1, "rounds", 5), Duration.ofSeconds(number(args, 2, "seconds", 1)));
    }

    /** A number among the arguments, or the default if there are not so many. */
    private static int number(String[] args, int index, String name, int byDefault) {
        String value = args.length > index ? args[index] : Integer.toString(byDefault);
        if (!value.matches("[1-9]\\d{0,6}")) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be a number from 1 to 9999999");
        }
        return Integer.parseInt(value);
    }

    /**
     * Returns the load of some threads.
     *
     * @param threads how many
     * @param syncDelay how much longer than the disk's own a sync is to take
     * @return the load, with a warm-up of a quarter of the time that is measured
     */
    public Load load(int threads, Duration syncDelay) {
        return new Load(threads, syncDelay, measured.dividedBy(4), measured);
    }

    /**
     * Describes the machine and the run.
     *
     * @return a line
     * @throws IOException if nothing can be written
     */
    public String machine() throws IOException {
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
                file.write(ByteBuffer.allocate(BARE_SIZE), (long) i * BARE_SIZE);
                file.force();
                nanos[i] = System.nanoTime() - begin;
            }
        } finally {
            Files.delete(path);
        }
        return Rounds.median(nanos);
    }

    /**
     * Formats a time.
     *
     * @param nanos nanoseconds
     * @return milliseconds with two digits
     */
    public static String millis(double nanos) {
        return String.format(Locale.ROOT, "%.2f ms", nanos / TimeUnit.MILLISECONDS.toNanos(1));
    }
}
