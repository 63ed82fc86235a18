package io.github.collapseexecutor.benchmark;

import java.util.concurrent.Callable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What is compared: one way to call, and how long the call takes. */
@State(Scope.Benchmark)
public class Comparison {

    /** How long the backend takes. */
    @Param("1000")
    public long callMicros;

    /** How long batches wait for calls in flight, where the way has such a setting. */
    @Param("0.1")
    public double maxWaitRatio;

    /** How the callers call. */
    @Param({"BARE", "FRESH", "FRESH_AT_ONCE", "IN_FLIGHT", "MAP_OF_FUTURES", "CAFFEINE"})
    public Way way = Way.BARE;

    // mutable; set before the callers start
    private Calls calls = (key, callable) -> callable.call();

    /** Chooses the way. */
    @Setup(Level.Trial)
    public void choose() {
        calls = way.calls(maxWaitRatio);
    }

    Object call(Object key, Callable<?> callable) throws Exception {
        return calls.call(key, callable);
    }
}
