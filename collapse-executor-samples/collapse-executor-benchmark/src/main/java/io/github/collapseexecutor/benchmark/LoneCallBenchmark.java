package io.github.collapseexecutor.benchmark;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What one caller with nobody beside it pays, on a call that does next to nothing. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class LoneCallBenchmark {

    // immutable
    private final BlockingCallableGroupCollapseExecutor collapser = new BlockingCallableGroupCollapseExecutor();
    private final FutureCallableGroupCollapseExecutor futureCollapser = new FutureCallableGroupCollapseExecutor();
    private final MapOfFutures mapOfFutures = new MapOfFutures();
    private final CaffeineCache caffeine = new CaffeineCache();
    private final String key = "product 7";

    // mutable, confined to the benchmark's one thread
    private long counter;

    private final Callable<Long> call = () -> counter++;
    private final Callable<CompletableFuture<Long>> futureCall = () -> CompletableFuture.completedFuture(counter++);

    /** The call itself. */
    @Benchmark
    public Long bare() throws Exception {
        return call.call();
    }

    /** The call through the collapsing executor. */
    @Benchmark
    public Long collapsed() throws Exception {
        return collapser.execute(key, call);
    }

    /** The call, of a function that returns a future, through the collapsing executor for such. */
    @Benchmark
    public Long collapsedFuture() {
        return futureCollapser.execute(key, futureCall).join();
    }

    /** The call through a map of futures. */
    @Benchmark
    public Object mapOfFutures() throws Exception {
        return mapOfFutures.call(key, call);
    }

    /** The call through a cache of futures. */
    @Benchmark
    public Object caffeine() throws Exception {
        return caffeine.call(key, call);
    }
}
