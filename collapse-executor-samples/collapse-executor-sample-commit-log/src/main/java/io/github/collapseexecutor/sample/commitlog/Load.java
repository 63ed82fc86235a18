package io.github.collapseexecutor.sample.commitlog;

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
 * Threads that append all the time, each as soon as its record before is durable.
 *
 * @param threads how many
 * @param syncDelay how much longer than the disk's own a sync is to take
 * @param warmUp how long they append before anything is counted
 * @param measured how long they are measured for
 */
record Load(int threads, Duration syncDelay, Duration warmUp, Duration measured) {

    private static final int RECORD_SIZE = 200;
    private static final int SIGNIFICANT_DIGITS = 2;

    /**
     * What was measured.
     *
     * @param appends a second
     * @param syncs a second
     * @param p99Nanos how long 99 of 100 appends took at most
     */
    record Figures(double appends, double syncs, double p99Nanos) {}

    /** Measures a way in a directory of its own, which is deleted afterwards. */
    Figures measure(Way way, Path parent) throws Exception {
        Path directory = Files.createTempDirectory(parent, "commit-log");
        SlowedFiles files = new SlowedFiles(syncDelay);
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try (Way.Appending log = way.open(directory, files)) {
            return measure(log, files, callers);
        } finally {
            callers.shutdownNow();
            callers.awaitTermination(1, TimeUnit.MINUTES);
            delete(directory);
        }
    }

    private Figures measure(Way.Appending log, SlowedFiles files, ExecutorService callers) throws Exception {
        Window window = new Window();
        List<Future<Histogram>> latencies = new ArrayList<>();
        CountDownLatch ready = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            latencies.add(callers.submit(() -> {
                ready.countDown();
                ready.await();
                return append(log.append(), window);
            }));
        }
        ready.await();
        TimeUnit.NANOSECONDS.sleep(warmUp.toNanos());
        window.open = true;
        long begin = System.nanoTime();
        long syncs = files.syncs();
        TimeUnit.NANOSECONDS.sleep(measured.toNanos());
        window.open = false;
        double seconds = (System.nanoTime() - begin) / (double) TimeUnit.SECONDS.toNanos(1);
        syncs = files.syncs() - syncs;
        window.over = true;
        Histogram all = joined(latencies);
        return new Figures(all.getTotalCount() / seconds, syncs / seconds, all.getValueAtPercentile(99));
    }

    private static Histogram append(Way.Append log, Window window) throws Exception {
        byte[] record = new byte[RECORD_SIZE];
        Histogram latencies = new Histogram(SIGNIFICANT_DIGITS);
        while (!window.over) {
            long begin = System.nanoTime();
            log.append(record);
            if (window.open) {
                latencies.recordValue(System.nanoTime() - begin);
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
    }
}
