package io.github.collapseexecutor.benchmark;

import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseExecutorBlockingSupport;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Input;
import io.github.collapseexecutor.core.MissingKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
 * Many threads, each with an input of its own, of a backend that answers any number of inputs in the same time (a closed
 * loop): as many inputs gather in a batch as there are threads to bring them, {@code -t 1} to {@code -t 1000}.
 *
 * <p>The score is inputs of all callers a second; how many of them a batch held is the ratio of {@code submitted} to {@code
 * executions}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
@Threads(100)
public class BatchFunctionBenchmark {

    /** How long the backend takes for a batch. */
    @Param("1000")
    public long callMicros;

    /** How many batches may be in flight: 1 is group commit, the largest number the default. */
    @Param({"1", "2147483647"})
    public int maxConcurrentBatches;

    /** What executes the inputs. */
    @Param({"ONE_BY_ONE", "BY_KEY", "IN_ORDER", "SUPPORT"})
    public Kind kind = Kind.ONE_BY_ONE;

    // mutable; set before the callers start
    private BatchFunction<Caller, Long> execution = Caller::answer;

    /** The forms of batch function. */
    public enum Kind {
        /** Every caller calls the backend for its own input. */
        ONE_BY_ONE,
        /** A function from keys to a map. */
        BY_KEY,
        /** A function from a list to a list. */
        IN_ORDER,
        /** A subclass that binds each output. */
        SUPPORT
    }

    /** A caller, which is its input at the same time, and counts what is done for it. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Caller {

        // mutable; written by the caller, or for it while it waits
        /** Inputs that the caller submitted. */
        public long submitted;
        /** Executions whose first input was this caller's. */
        public long executions;

        Long answer() {
            return submitted;
        }
    }

    /** Creates the executor. */
    @Setup(Level.Trial)
    public void create() {
        CollapseOptions options = CollapseOptions.builder()
                .maxConcurrentBatches(maxConcurrentBatches)
                .build();
        execution = switch (kind) {
            case ONE_BY_ONE -> caller -> inOrder(List.of(caller)).get(0);
            case BY_KEY -> CollapseExecutors.blockingByKey(this::byKey, MissingKey.FAILURE, options)::execute;
            case IN_ORDER -> CollapseExecutors.blockingInOrder(this::inOrder, options)::execute;
            case SUPPORT -> new Support(options)::execute;
        };
    }

    private void callBackend(Caller first) {
        first.executions++;
        Parking.forNanos(TimeUnit.MICROSECONDS.toNanos(callMicros));
    }

    private Map<Caller, Long> byKey(Collection<Caller> callers) {
        callBackend(callers.iterator().next());
        Map<Caller, Long> answers = new HashMap<>();
        callers.forEach(caller -> answers.put(caller, caller.answer()));
        return answers;
    }

    private List<Long> inOrder(List<Caller> callers) {
        callBackend(callers.get(0));
        return callers.stream().map(Caller::answer).toList();
    }

    /** One input of one of the threads. */
    @Benchmark
    public Long call(Caller caller) throws Exception {
        caller.submitted++;
        return execution.apply(caller);
    }

    private final class Support extends CollapseExecutorBlockingSupport<Caller, Long, List<Long>> {

        Support(CollapseOptions options) {
            super(options);
        }

        @Override
        protected List<Long> doExecute(Collection<Input<Caller>> inputs) {
            return inOrder(inputs.stream().map(Input::value).toList());
        }

        @Override
        protected void bindingOutput(List<Long> answers, List<Bundle<Caller, Long>> bundles) {
            for (int i = 0; i < answers.size(); i++) {
                bundles.get(i).bindOutput(answers.get(i));
            }
        }
    }
}
