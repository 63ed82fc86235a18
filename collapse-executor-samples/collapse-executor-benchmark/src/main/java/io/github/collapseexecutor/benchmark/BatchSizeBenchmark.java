package io.github.collapseexecutor.benchmark;

import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseExecutorFutureSupport;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Input;
import io.github.collapseexecutor.core.MissingKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.LongStream;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What gathering, binding and answering cost for each input of a batch of a given size, without threads and waiting.
 *
 * <p>One thread submits an input whose execution does not end, then those that gather behind it, and then ends it: they
 * are executed as one batch. The score is the time of all of that, {@code inputs} the time for each input.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BatchSizeBenchmark {

    private static final Long FIRST = -1L;

    /** How many inputs gather. */
    @Param({"1", "10", "100", "1000"})
    public int size;

    /** What executes them. */
    @Param({"DIRECT", "BY_KEY", "IN_ORDER", "SUPPORT"})
    public Kind kind = Kind.DIRECT;

    // mutable; set before the thread starts, the last two confined to it
    private List<Long> inputs = List.of();
    private Function<Long, CompletableFuture<Long>> execution = BatchSizeBenchmark::completed;
    private CompletableFuture<Void> first = new CompletableFuture<>();

    /** The forms of batch function. */
    public enum Kind {
        /** Each input answered by a future of its own, without gathering: what there is to pay anyway. */
        DIRECT,
        /** A function from keys to a map. */
        BY_KEY,
        /** A function from a list to a list. */
        IN_ORDER,
        /** A subclass that binds each output. */
        SUPPORT
    }

    /** Counts inputs. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Counter {

        /** Inputs that were answered. */
        public long inputs;
    }

    /** Creates the executor. */
    @Setup(Level.Trial)
    public void create() {
        inputs = LongStream.range(0, size).boxed().toList();
        CollapseOptions oneAtATime =
                CollapseOptions.builder().maxConcurrentBatches(1).build();
        execution = switch (kind) {
            case DIRECT -> input -> isFirst(input) ? first.thenApply(ignored -> input) : completed(input);
            case BY_KEY -> CollapseExecutors.futureByKey(this::byKey, MissingKey.FAILURE, oneAtATime)::execute;
            case IN_ORDER -> CollapseExecutors.futureInOrder(this::inOrder, oneAtATime)::execute;
            case SUPPORT -> new Support(oneAtATime)::execute;
        };
    }

    private static boolean isFirst(Long input) {
        return input < 0;
    }

    private static CompletableFuture<Long> completed(Long input) {
        return CompletableFuture.completedFuture(input);
    }

    private CompletableFuture<Map<Long, Long>> byKey(Collection<Long> keys) {
        Map<Long, Long> values = new HashMap<>();
        keys.forEach(key -> values.put(key, key));
        return after(keys.iterator().next(), values);
    }

    private CompletableFuture<List<Long>> inOrder(List<Long> batch) {
        return after(batch.get(0), List.copyOf(batch));
    }

    private <T> CompletableFuture<T> after(Long input, T result) {
        return isFirst(input) ? first.thenApply(ignored -> result) : CompletableFuture.completedFuture(result);
    }

    /** One batch of inputs, behind one that goes first. */
    @Benchmark
    public void batch(Counter counter, Blackhole answers) {
        first = new CompletableFuture<>();
        CompletableFuture<Long> ahead = execution.apply(FIRST);
        List<CompletableFuture<Long>> futures =
                inputs.stream().map(execution).toList();
        first.complete(null);
        answers.consume(ahead.join());
        for (CompletableFuture<Long> future : futures) {
            answers.consume(future.join());
        }
        counter.inputs += size;
    }

    private final class Support extends CollapseExecutorFutureSupport<Long, Long, List<Long>> {

        Support(CollapseOptions options) {
            super(options);
        }

        @Override
        protected CompletableFuture<List<Long>> doExecute(Collection<Input<Long>> batch) {
            List<Long> values = batch.stream().map(Input::value).toList();
            return after(values.get(0), values);
        }

        @Override
        protected void bindingOutput(List<Long> values, List<Bundle<Long, CompletableFuture<Long>>> bundles) {
            for (int i = 0; i < values.size(); i++) {
                bundles.get(i).bindOutput(completed(values.get(i)));
            }
        }
    }
}
