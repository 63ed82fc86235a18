package io.github.collapseexecutor.benchmark;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Many threads that ask for one key, of a backend that takes its time and no processor (a closed loop).
 *
 * <p>The score is calls of all callers a second; {@link Backend} counts those that reached the backend, and {@link
 * CallerLatencies} measures how long callers wait, if it is asked for.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@Threads(64)
public class HotKeyBenchmark {

    private static final String KEY = "product 7";

    /** One call of one of the threads. */
    @Benchmark
    public Object call(Comparison way, Backend backend) throws Exception {
        return backend.callThrough(way, KEY);
    }
}
