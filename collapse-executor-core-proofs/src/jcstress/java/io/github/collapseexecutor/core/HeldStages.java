package io.github.collapseexecutor.core;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A future runner whose first executions last until an actor completes their stages; later ones end as they begin. */
final class HeldStages implements StageWork<Integer, Integer, HeldStages.Execution> {

    final StoppedTime time = new StoppedTime();
    final FutureRunner<Integer, Integer, Execution, Integer> runner;
    private final AtomicInteger begun = new AtomicInteger();
    private final Queue<Execution> executions = new ConcurrentLinkedQueue<>();
    private final Execution[] held;

    /** One call of the batch function. */
    static final class Execution {

        final CompletableFuture<Execution> stage;
        private final AtomicInteger bindings = new AtomicInteger();
        private volatile List<Input<Integer>> inputs = Collections.emptyList();
        /** The thread that called the batch function. */
        volatile Thread begunBy;
        /** The thread that bound its result, and ended the batch. */
        volatile Thread boundBy;

        Execution(CompletableFuture<Execution> stage) {
            this.stage = stage;
        }

        boolean complete() {
            return stage.complete(this);
        }

        boolean has(int input) {
            return inputs.stream().anyMatch(each -> each.value() == input);
        }

        boolean hasWithdrawn() {
            return inputs.stream().anyMatch(each -> ((Call<?, ?>) each).hasWithdrawn());
        }
    }

    HeldStages(CollapseOptions options, int held) {
        this(options, unfinished(held), null);
    }

    HeldStages(CollapseOptions options, int held, Executor executor) {
        this(options, unfinished(held), executor);
    }

    HeldStages(CollapseOptions options, Execution held) {
        this(options, new Execution[] {held}, null);
    }

    private HeldStages(CollapseOptions options, Execution[] held, @Nullable Executor executor) {
        this.held = held;
        runner = new FutureRunner<>(
                options, true, this, CallerAnswer.direct(), executor == null ? null : group -> executor, time);
    }

    private static Execution[] unfinished(int count) {
        Execution[] held = new Execution[count];
        Arrays.setAll(held, index -> new Execution(new CompletableFuture<>()));
        return held;
    }

    CompletableFuture<Integer> execute(int input) {
        return runner.execute(BareEngine.GROUP, input);
    }

    /** The stage of an execution that is held, which need not have begun. */
    Execution held(int index) {
        return held[index];
    }

    @Override
    public CompletionStage<Execution> execute(Batch<Integer, Integer> batch) {
        int index = begun.getAndIncrement();
        Execution execution = index < held.length ? held[index] : new Execution(new CompletableFuture<>());
        execution.inputs = List.copyOf(batch.inputs());
        execution.begunBy = Thread.currentThread();
        executions.add(execution);
        if (index >= held.length) {
            execution.complete();
        }
        return execution.stage;
    }

    @Override
    public void bind(Execution execution, Batch<Integer, Integer> batch) {
        execution.bindings.incrementAndGet();
        execution.boundBy = Thread.currentThread();
        for (Bundle<Integer, Integer> bundle : batch.bundles()) {
            bundle.bindOutput(BareEngine.answerTo(bundle.getInput()));
        }
    }

    int executions() {
        return begun.get();
    }

    int executionsOf(int input) {
        int found = 0;
        for (Execution execution : executions) {
            found += execution.has(input) ? 1 : 0;
        }
        return found;
    }

    Execution executionOf(int input) {
        for (Execution execution : executions) {
            if (execution.has(input)) {
                return execution;
            }
        }
        throw new IllegalStateException("Nobody executed " + input);
    }

    /** How a call ended, in the words that outcomes are made of; for an arbiter. */
    String end(CompletableFuture<Integer> future, int input) {
        if (!future.isDone()) {
            return "never answered";
        }
        for (Execution execution : executions) {
            if (execution.bindings.get() > 1) {
                return "answered twice";
            }
            if (execution.hasWithdrawn()) {
                return "executed though withdrawn";
            }
            if (execution.inputs.isEmpty()) {
                return "called for nothing";
            }
        }
        if (future.isCancelled()) {
            return "left";
        }
        return future.handle((output, failure) -> {
                    if (failure != null) {
                        return failure instanceof TimeoutException
                                ? "timed out"
                                : "failed by " + failure.getClass().getSimpleName();
                    }
                    return output == BareEngine.answerTo(input) ? "answered" : "given another's answer";
                })
                .join();
    }

    /** How many more callers are let in, of two at most. */
    int places() {
        int places = 0;
        try {
            for (int input = 1; input <= 2; input++) {
                CompletableFuture<Integer> unused = execute(100 + input);
                places++;
            }
        } catch (RejectedExecutionException full) {
            return places;
        }
        return places;
    }

    /** What is left when every caller has gone. */
    String rest() {
        return time.timers.get() > 0 ? "a timer remains" : BareEngine.rest(runner.engine());
    }
}
