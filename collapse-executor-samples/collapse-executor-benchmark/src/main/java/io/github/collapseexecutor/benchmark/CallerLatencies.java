package io.github.collapseexecutor.benchmark;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * How long callers wait for their answers, as percentiles, in the very iterations that give the throughput.
 *
 * <p>A profiler, so that without it nothing is measured twice: {@code -prof
 * io.github.collapseexecutor.benchmark.CallerLatencies}. With it, each caller of the first {@value #CALLERS} reads the clock
 * before and after its call and counts the difference in a histogram of its own, which costs it less than 0.1 µs
 * and others nothing. That callers beyond those are not measured keeps the histograms of very many callers from driving
 * everything else out of the processors' caches.
 */
public final class CallerLatencies implements InternalProfiler {

    static final int CALLERS = 64;

    private static final int SIGNIFICANT_DIGITS = 2;

    /** The profiler that is asked for, set before the callers start. */
    private static volatile @Nullable CallerLatencies current;

    // mutable, guarded by itself
    private final List<SingleWriterRecorder> recorders = new ArrayList<>();

    /** Called by the harness. */
    public CallerLatencies() {}

    /** Gives a recorder of nanoseconds to a caller that is to be measured, else null. */
    static @Nullable SingleWriterRecorder ofOneMoreCaller() {
        CallerLatencies profiler = current;
        return profiler == null ? null : profiler.recorder();
    }

    private @Nullable SingleWriterRecorder recorder() {
        synchronized (recorders) {
            if (recorders.size() == CALLERS) {
                return null;
            }
            SingleWriterRecorder recorder = new SingleWriterRecorder(SIGNIFICANT_DIGITS);
            recorders.add(recorder);
            return recorder;
        }
    }

    @Override
    public String getDescription() {
        return "Percentiles of the time that callers of the hot key and Zipf benchmarks wait";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        begin();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        return end();
    }

    void begin() {
        current = this;
        synchronized (recorders) {
            recorders.forEach(SingleWriterRecorder::reset);
        }
    }

    /** The percentiles since the beginning; none in a benchmark whose callers are not measured. */
    List<ScalarResult> end() {
        Histogram all = new Histogram(SIGNIFICANT_DIGITS);
        synchronized (recorders) {
            recorders.forEach(recorder -> all.add(recorder.getIntervalHistogram()));
        }
        return all.getTotalCount() == 0 ? List.of() : List.of(percentile(all, 50), percentile(all, 99));
    }

    static String label(int percentile) {
        return "latency.p" + percentile;
    }

    private static ScalarResult percentile(Histogram latencies, int percentile) {
        double micros = (double) latencies.getValueAtPercentile(percentile) / TimeUnit.MICROSECONDS.toNanos(1);
        return new ScalarResult(label(percentile), micros, "us", AggregationPolicy.AVG);
    }
}
