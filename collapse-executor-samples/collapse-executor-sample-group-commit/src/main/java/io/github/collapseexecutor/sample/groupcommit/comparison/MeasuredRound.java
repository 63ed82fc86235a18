package io.github.collapseexecutor.sample.groupcommit.comparison;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * The result of a way of writing in one round.
 *
 * @param perSecond writes a second
 * @param processorMicros this process's processor time for each write, in microseconds; H2 is part of it
 * @param p50 how many milliseconds half of the writes took at most
 * @param p99 how many milliseconds all but one in a hundred took at most
 */
record MeasuredRound(double perSecond, double processorMicros, double p50, double p99) {

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Has callers write, each on a thread of its own, one write after the other, for a time. */
    static MeasuredRound of(int callers, long milliseconds, Callable<Boolean> write) throws Exception {
        CountDownLatch ready = new CountDownLatch(callers);
        CountDownLatch go = new CountDownLatch(1);
        List<FutureTask<long[]>> threads = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            threads.add(start(() -> {
                ready.countDown();
                go.await();
                return writeUntil(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds), write);
            }));
        }
        ready.await();
        long processor = PROCESS.getProcessCpuTime();
        long start = System.nanoTime();
        go.countDown();
        List<long[]> each = new ArrayList<>();
        for (FutureTask<long[]> thread : threads) {
            each.add(thread.get());
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double micros = (PROCESS.getProcessCpuTime() - processor) / 1e3;
        long[] all = each.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        return new MeasuredRound(
                all.length / seconds, micros / all.length, milliseconds(all, 0.5), milliseconds(all, 0.99));
    }

    private static <V> FutureTask<V> start(Callable<V> call) {
        FutureTask<V> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true); // if one fails, the others do not keep the program up
        thread.start();
        return task;
    }

    private static long[] writeUntil(long end, Callable<Boolean> write) throws Exception {
        LongStream.Builder nanos = LongStream.builder();
        for (long before = System.nanoTime(); before < end; ) {
            if (!write.call()) {
                throw new IllegalStateException("Nothing was written");
            }
            long after = System.nanoTime();
            nanos.add(after - before);
            before = after;
        }
        return nanos.build().toArray();
    }

    private static double milliseconds(long[] sortedNanos, double quantile) {
        return sortedNanos[(int) (quantile * (sortedNanos.length - 1))] / 1e6;
    }
}
