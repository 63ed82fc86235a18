package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An executor of a function, whose inputs are grouped as its options say. */
final class FutureFunctionExecutor<I extends @Nullable Object, O extends @Nullable Object>
        implements FutureCollapseExecutor<I, O> {

    // immutable
    private final FutureRunner<I, O, ?, O> runner;
    private final InputOptions<? super I> options;

    FutureFunctionExecutor(FutureRunner<I, O, ?, O> runner, InputOptions<? super I> options) {
        this.runner = runner;
        this.options = options;
    }

    @Override
    public CompletableFuture<O> execute(I input) {
        return runner.execute(options.groupOf(input), input);
    }

    @Override
    public CompletableFuture<O> execute(I input, CallOptions callOptions) {
        return runner.execute(options.groupOf(input), input, requireNonNull(callOptions, "options"));
    }

    @Override
    public List<CompletableFuture<O>> executeEach(Collection<? extends I> inputs, CallOptions callOptions) {
        return runner.executeEach(inputs, options::groupOf, requireNonNull(callOptions, "options"));
    }

    @Override
    public void forget(I input) {
        runner.engine().forget(options.groupOf(input), input);
    }

    @Override
    public CollapseCounts counts() {
        return runner.engine().counts();
    }

    @Override
    public boolean close(Duration drain) {
        return runner.close(drain);
    }
}
