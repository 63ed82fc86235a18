package io.github.collapseexecutor.sample.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Callers that ask again and again. Each checks that its answer is no older than its question. */
final class Load {

    // immutable
    private final Callable<Long> call;
    private final long end;

    // mutable, thread-safe
    private final LongAdder failed = new LongAdder();
    private final LongAdder old = new LongAdder();
    private final ConcurrentLinkedQueue<Long> micros = new ConcurrentLinkedQueue<>();

    private Load(Callable<Long> call, Duration lasting) {
        this.call = call;
        this.end = System.nanoTime() + lasting.toNanos();
    }

    /**
     * Has callers ask.
     *
     * @param callers how many there are
     * @param call gives the time, in milliseconds, at which the backend was asked
     * @param lasting for how long
     */
    static LoadResult run(int callers, Callable<Long> call, Duration lasting) throws InterruptedException {
        Load load = new Load(call, lasting);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            threads.add(new Thread(load::ask, "caller-" + i));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        return load.result();
    }

    private void ask() {
        while (System.nanoTime() - end < 0) {
            long asked = System.currentTimeMillis();
            long begun = System.nanoTime();
            try {
                if (call.call() < asked) {
                    old.increment();
                }
                micros.add((System.nanoTime() - begun) / 1_000);
            } catch (Exception failure) {
                failed.increment();
                System.err.println("a call failed: " + failure);
            }
        }
    }

    private LoadResult result() {
        long[] sorted = micros.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return new LoadResult(sorted.length, failed.sum(), old.sum(), at(sorted, 50), at(sorted, 99));
    }

    private static long at(long[] sorted, int percent) {
        return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) * percent / 100];
    }
}
