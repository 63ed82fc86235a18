package io.github.collapseexecutor.benchmark;

import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Very many virtual threads that ask for one key (a closed loop); needs a JDK of version 21 or newer.
 *
 * <p>The callers run from the first iteration to the last, and an invocation lasts until so many more calls have been
 * answered: the score is calls of all callers a second, by one clock. The harness's own virtual threads ({@code
 * jmh.executor}) cannot tell: it adds up the rates of the threads, each by the thread's own clock, which does not run
 * while the thread waits for its turn to begin; and it has threads yield between iterations, which leaves out some of
 * very many, if there are enough others, for ever.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class HotKeyVirtualThreadsBenchmark {

    private static final String KEY = "product 7";
    private static final int CALLERS = 10_000;
    private static final long LOOK_AGAIN = TimeUnit.MICROSECONDS.toNanos(100);

    // immutable
    private final LongAdder calls = new LongAdder();
    private final LongAdder executions = new LongAdder();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    // mutable; confined to the harness's thread
    private List<Thread> callers = List.of();
    private long target;
    // mutable; set by the harness's thread
    private volatile boolean stopped;

    /** Reads the counts of an iteration. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Counter {

        /** Calls that were answered. */
        public long calls;
        /** Those of them that reached the backend. */
        public long executions;

        // mutable, confined to the harness's thread
        private long callsBefore;
        private long executionsBefore;

        /** Remembers where the counts stand. */
        @Setup(Level.Iteration)
        public void begin(HotKeyVirtualThreadsBenchmark benchmark) {
            callsBefore = benchmark.calls.sum();
            executionsBefore = benchmark.executions.sum();
        }

        /** Counts from there. */
        @TearDown(Level.Iteration)
        public void end(HotKeyVirtualThreadsBenchmark benchmark) {
            calls = benchmark.calls.sum() - callsBefore;
            executions = benchmark.executions.sum() - executionsBefore;
        }
    }

    /** Starts the callers. */
    @Setup(Level.Trial)
    public void start(Comparison way) {
        ThreadFactory threads = VirtualThreads.factory();
        callers = Stream.generate(() -> threads.newThread(() -> callUntilStopped(way)))
                .limit(CALLERS)
                .toList();
        callers.forEach(Thread::start);
    }

    /** Stops the callers. */
    @TearDown(Level.Trial)
    public void stop() throws InterruptedException {
        stopped = true;
        for (Thread caller : callers) {
            caller.join();
        }
    }

    private void callUntilStopped(Comparison way) {
        Backend backend = new Backend();
        backend.bind(way);
        long executionsBefore = 0;
        try {
            while (!stopped) {
                Object unused = backend.callThrough(way, KEY);
                calls.increment();
                if (backend.executions != executionsBefore) {
                    executions.increment();
                    executionsBefore = backend.executions;
                }
            }
        } catch (Throwable thrown) {
            failure.compareAndSet(null, thrown);
        }
    }

    /** Counts from the calls that have been answered when an iteration begins. */
    @Setup(Level.Iteration)
    public void begin() {
        target = calls.sum();
    }

    /** So many more calls of any callers. */
    @Benchmark
    @OperationsPerInvocation(CALLERS)
    public void call(Counter counter) {
        target += CALLERS;
        while (calls.sum() < target) {
            if (failure.get() != null) {
                throw new IllegalStateException("A caller failed", failure.get());
            }
            LockSupport.parkNanos(LOOK_AGAIN);
        }
    }
}
