package io.github.collapseexecutor.sample.commitlog;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Threads that do the same all the time, each as soon as what it did before is durable.
 *
 * @param threads how many
 * @param syncDelay how much longer than the disk's own a sync is to take
 * @param warmUp how long they do so before anything is counted
 * @param measured how long they are measured for
 */
public record Load(int threads, Duration syncDelay, Duration warmUp, Duration measured) {

    private static final int SIGNIFICANT_DIGITS = 2;

    /**
     * What was measured.
     *
     * @param appends a second
     * @param syncs a second
     * @param redoSyncs those of them, a second, that were of files in a directory {@code redo}
     * @param p99Nanos how long 99 of 100 appends took at most
     */
    public record Figures(double appends, double syncs, double redoSyncs, double p99Nanos) {}

    /** A log, or what stands in front of it. */
    public interface Subject extends Closeable {

        /**
         * Appends once, and returns when that is durable.
         *
         * @param caller the number of the thread, from 0
         * @throws Exception if it is not
         */
        void append(int caller) throws Exception;
    }

    /** Opens what is measured. */
    public interface Opening {

        /**
         * Opens it.
         *
         * @param directory its own, empty
         * @param files where its files come from
         * @return it, to be closed before the directory is deleted; {@code close} may check what was appended
         * @throws IOException if it cannot be opened
         */
        Subject open(Path directory, LogFiles files) throws IOException;
    }

    /**
     * Measures in a directory of its own, which is deleted afterwards.
     *
     * @param opening opens what is measured
     * @param parent where the directory is created
     * @return figures
     * @throws Exception if an append fails, or the check of what was appended
     */
    public Figures measure(Opening opening, Path parent) throws Exception {
        Path directory = Files.createTempDirectory(parent, "commit-log");
        SlowedFiles files = new SlowedFiles(syncDelay);
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try (Subject log = opening.open(directory, files)) {
            return measure(log, files, directory, callers);
        } finally {
            callers.shutdownNow();
            callers.awaitTermination(1, TimeUnit.MINUTES);
            delete(directory);
        }
    }

    private Figures measure(Subject log, SlowedFiles files, Path directory, ExecutorService callers) throws Exception {
        Window window = new Window();
        List<Future<Histogram>> latencies = new ArrayList<>();
        CountDownLatch ready = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            int caller = i;
            latencies.add(callers.submit(() -> {
                ready.countDown();
                ready.await();
                return append(log, caller, window);
            }));
        }
        ready.await();
        TimeUnit.NANOSECONDS.sleep(warmUp.toNanos());
        window.open = true;
        long begin = System.nanoTime();
        long syncs = files.syncs(directory);
        long redoSyncs = files.syncs(directory.resolve("redo"));
        TimeUnit.NANOSECONDS.sleep(measured.toNanos());
        while (!window.hasCounted && latencies.stream().noneMatch(Future::isDone)) {
            TimeUnit.MILLISECONDS.sleep(1); // on a machine that did nothing of this meanwhile
        }
        window.open = false;
        double seconds = (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
        syncs = files.syncs(directory) - syncs;
        redoSyncs = files.syncs(directory.resolve("redo")) - redoSyncs;
        window.over = true;
        Histogram all = joined(latencies);
        return new Figures(
                all.getTotalCount() / seconds, syncs / seconds, redoSyncs / seconds, all.getValueAtPercentile(99));
    }

    private static Histogram append(Subject log, int caller, Window window) throws Exception {
        Histogram latencies = new Histogram(SIGNIFICANT_DIGITS);
        while (!window.over) {
            long begin = System.nanoTime();
            log.append(caller);
            if (window.open) {
                latencies.recordValue(System.nanoTime() - begin);
                if (!window.hasCounted) {
                    window.hasCounted = true;
                }
            }
        }
        return latencies;
    }

    private static Histogram joined(List<Future<Histogram>> latencies) throws InterruptedException, ExecutionException {
        Histogram all = new Histogram(SIGNIFICANT_DIGITS);
        for (Future<Histogram> each : latencies) {
            all.add(each.get());
        }
        return all;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    /** When appends are counted. */
    private static final class Window {

        // mutable; written by the thread that measures
        volatile boolean open;
        volatile boolean over;

        // mutable; written by callers
        volatile boolean hasCounted;
    }
}
