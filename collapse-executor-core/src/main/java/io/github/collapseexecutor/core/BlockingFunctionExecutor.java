package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An executor of a function, whose inputs are grouped as its options say. */
final class BlockingFunctionExecutor<I extends @Nullable Object, O extends @Nullable Object>
        implements BlockingCollapseExecutor<I, O> {

    // immutable
    private final BlockingRunner<I, O, ?> runner;
    private final InputOptions<? super I> options;

    BlockingFunctionExecutor(BlockingRunner<I, O, ?> runner, InputOptions<? super I> options) {
        this.runner = runner;
        this.options = options;
    }

    @Override
    public O execute(I input) throws Exception {
        return runner.execute(options.groupOf(input), input);
    }

    @Override
    public O execute(I input, CallOptions callOptions) throws Exception {
        return runner.execute(options.groupOf(input), input, requireNonNull(callOptions, "options"));
    }

    @Override
    public List<InputOutcome<O>> executeEach(Collection<? extends I> inputs, CallOptions callOptions)
            throws InterruptedException {
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
