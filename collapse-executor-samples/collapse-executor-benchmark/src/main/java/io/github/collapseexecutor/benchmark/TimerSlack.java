package io.github.collapseexecutor.benchmark;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.ConcurrentHistogram;

/** How late the machine wakes a thread that parks for a time: what no rule that waits by the clock can avoid. */
final class TimerSlack {

    private static final int SIGNIFICANT_DIGITS = 3;
    /** As many threads park at a time as give so many wake-ups a second, or one. */
    private static final long SAMPLES_PER_SECOND = 1_000;

    // immutable; in nanoseconds
    final AbstractHistogram late = new ConcurrentHistogram(SIGNIFICANT_DIGITS);

    /** Measures until a time, beside whatever else the machine does. */
    void measure(long nanos, long until, ExecutorService threads) {
        long sleepers = Math.max(1, nanos * SAMPLES_PER_SECOND / TimeUnit.SECONDS.toNanos(1));
        for (long i = 0; i < sleepers; i++) {
            threads.execute(() -> {
                for (long begin = System.nanoTime(); begin - until < 0; begin = System.nanoTime()) {
                    LockSupport.parkNanos(nanos);
                    // Not below: a thread may be woken early, for no reason.
                    late.recordValue(Math.max(0, System.nanoTime() - begin - nanos));
                }
            });
        }
    }
}
