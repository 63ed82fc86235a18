package io.github.collapseexecutor.sample.springboot.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** How long the callers of one side waited in the last seconds. Thread-safe. */
final class LatencyWindow {

    private static final long PART_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int PARTS = 20; // ten seconds, as the page says
    private static final int DIGITS = 2;

    // immutable
    private final Recorder recorder = new Recorder(DIGITS);

    // mutable, guarded by this
    private final Deque<Histogram> parts = new ArrayDeque<>();
    private long partBegan = System.nanoTime();

    void add(long nanos) {
        recorder.recordValue(nanos);
    }

    /** Forgets what callers waited for under other settings. */
    synchronized void clear() {
        recorder.reset();
        parts.clear();
    }

    /** Returns how many milliseconds so many percent of the callers did not exceed; null if there were none. */
    synchronized @Nullable Double millis(double percent) {
        long now = System.nanoTime();
        if (now - partBegan >= PART_NANOS) {
            partBegan = now;
            parts.addLast(recorder.getIntervalHistogram());
            if (parts.size() > PARTS) {
                parts.removeFirst();
            }
        }
        Histogram all = new Histogram(DIGITS);
        parts.forEach(all::add);
        return all.getTotalCount() == 0 ? null : all.getValueAtPercentile(percent) / 1e6;
    }
}
