package io.github.collapseexecutor.benchmark;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One caller's way to the backend, which takes its time and no processor; counts the caller's calls and those of them that
 * got there.
 *
 * <p>Both are counted, though calls are the score too, because the harness lets callers call before and after the time
 * that it measures, lest any of them be alone: what one asks of {@code executions} is their ratio to {@code calls}.
 */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.OPERATIONS)
public class Backend {

    // mutable, confined to the caller
    /** Calls of the caller. */
    public long calls;
    /** Calls that the caller made itself: each reached the backend. */
    public long executions;

    private Callable<Long> call = () -> 0L;
    private @Nullable SingleWriterRecorder latencies;

    /** Binds the call to this caller's counter. */
    @Setup(Level.Trial)
    public void bind(Comparison comparison) {
        long nanos = TimeUnit.MICROSECONDS.toNanos(comparison.callMicros);
        call = () -> {
            if (nanos > 0) {
                Parking.forNanos(nanos);
            }
            return ++executions;
        };
        latencies = CallerLatencies.ofOneMoreCaller();
    }

    Object callThrough(Comparison way, Object key) throws Exception {
        calls++;
        if (latencies == null) {
            return way.call(key, call);
        }
        long begin = System.nanoTime();
        Object answer = way.call(key, call);
        latencies.recordValue(System.nanoTime() - begin);
        return answer;
    }
}
