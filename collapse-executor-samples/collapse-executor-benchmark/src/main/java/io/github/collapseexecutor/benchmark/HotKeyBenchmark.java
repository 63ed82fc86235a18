package io.github.collapseexecutor.benchmark;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Many threads that ask for one key, of a backend that takes its time and no processor (a closed loop).
 *
 * <p>The score is calls of all callers a second; {@code executions} are those of them that reached the backend. In mode
 * {@code sample} the score is the latency of a call, with its percentiles.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@Threads(64)
public class HotKeyBenchmark {

    /** How long the backend takes. */
    @Param("1000")
    public long callMicros;

    /** How long batches wait for calls in flight, where the way has such a setting. */
    @Param("0.1")
    public double maxWaitRatio;

    /** How the callers call. */
    @Param({"BARE", "FRESH", "FRESH_YIELD", "IN_FLIGHT", "MAP_OF_FUTURES"})
    public Way way = Way.BARE;

    // mutable; set before the threads start
    private Caller caller = Callable::call;

    /** The ways that are compared. */
    public enum Way {
        /** Every caller calls the backend. */
        BARE,
        /** A collapsing executor with default options. */
        FRESH,
        /** The same with collectingWaitTime 0: the leader yields before it starts. */
        FRESH_YIELD,
        /** A collapsing executor that joins calls in flight. */
        IN_FLIGHT,
        /** A map of futures, which joins calls in flight. */
        MAP_OF_FUTURES
    }

    private interface Caller {

        Object call(Callable<Long> callable) throws Exception;
    }

    /** Counts the calls that reached the backend: each on the thread that made it. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Backend {

        /** Calls that reached the backend. */
        public long executions;

        private Callable<Long> call = () -> 0L;

        /** Binds the call to this thread's counter. */
        @Setup(Level.Trial)
        public void bind(HotKeyBenchmark benchmark) {
            long nanos = TimeUnit.MICROSECONDS.toNanos(benchmark.callMicros);
            call = () -> {
                // In a loop, because a thread that was woken as a leader may hold a permit that ends the first park at
                // once.
                long end = System.nanoTime() + nanos;
                for (long left = nanos; left > 0; left = end - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                return ++executions;
            };
        }
    }

    /** Chooses the way. */
    @Setup(Level.Trial)
    public void choose() {
        Object key = "product 7";
        CollapseOptions.Builder options = CollapseOptions.builder().maxWaitRatio(maxWaitRatio);
        switch (way) {
            case BARE -> caller = Callable::call;
            case MAP_OF_FUTURES -> {
                MapOfFutures map = new MapOfFutures();
                caller = callable -> map.execute(key, callable);
            }
            case FRESH -> caller = collapsing(options.build(), key);
            case FRESH_YIELD ->
                caller = collapsing(options.collectingWaitTime(Duration.ZERO).build(), key);
            case IN_FLIGHT ->
                caller = collapsing(options.joinMode(JoinMode.IN_FLIGHT).build(), key);
        }
    }

    private static Caller collapsing(CollapseOptions options, Object key) {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options);
        return callable -> executor.execute(key, callable);
    }

    /** One call of one of the threads. */
    @Benchmark
    public Object call(Backend backend) throws Exception {
        return caller.call(backend.call);
    }
}
