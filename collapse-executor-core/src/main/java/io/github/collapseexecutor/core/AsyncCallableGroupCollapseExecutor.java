package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Runs one of the callables that are submitted for a group at the same time, on an executor, and gives its result to all
 * of them.
 *
 * <pre>{@code
 * AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor();
 * CompletableFuture<Product> product = executor.execute("product 7", () -> client.fetch(7));
 * }</pre>
 *
 * <p><b>Guarantees.</b> Those of {@link BlockingCallableGroupCollapseExecutor}; a failure is what the future completes
 * exceptionally with. A batch gathers until a thread of the executor gets to it.
 *
 * <p><b>Threads.</b> Callables run on the executor's threads, with no caller's thread-locals; dependent actions of the
 * futures run on the thread that completes them. A callable that calls this very executor has the nested callable run on
 * its own thread, before the nested {@code execute} returns, so that a bounded executor cannot wait for itself. An
 * executor that drops tasks without a word leaves their callers to their {@link CollapseOptions#callTimeout()
 * callTimeout}; one that refuses them with an exception fails them with it.
 *
 * <p><b>Leaving.</b> A caller leaves by cancelling or completing its future, and affects nobody. A batch that every caller
 * has left before its start is not run.
 *
 * <p>Instances are thread-safe and are meant to be kept; a group without callers costs nothing.
 */
public final class AsyncCallableGroupCollapseExecutor implements CollapseExecutor {

    // immutable
    private final FutureRunner<Callable<?>, Object, Object, Object> runner;
    private final SettableExecutor executor = new SettableExecutor();

    /** Creates an executor with {@linkplain CollapseOptions#defaults() default options}. */
    public AsyncCallableGroupCollapseExecutor() {
        this(CollapseOptions.defaults());
    }

    /**
     * Creates an executor.
     *
     * @param options how it gathers
     */
    public AsyncCallableGroupCollapseExecutor(CollapseOptions options) {
        this(options, SystemTime.INSTANCE);
    }

    AsyncCallableGroupCollapseExecutor(CollapseOptions options, EngineTime time) {
        runner = new FutureRunner<>(
                requireNonNull(options, "options"),
                false,
                StageWork.of(GroupWork.ofCallables()),
                FutureRunner.direct(),
                group -> executor.get(),
                time);
    }

    CollapseEngine<?, ?> engine() {
        return runner.engine();
    }

    @Override
    public CollapseCounts counts() {
        return runner.engine().counts();
    }

    @Override
    public boolean close(Duration drain) {
        return runner.close(drain);
    }

    /**
     * Sets where callables run. Without it, each batch has a virtual thread where the JDK has them, else a thread of a
     * bounded pool of daemon threads.
     *
     * @param executor runs batches; it is not shut down by this object
     */
    public void setExecutor(Executor executor) {
        this.executor.set(executor);
    }

    /**
     * Returns a future of what the group's callable returns; the given one runs, or one that another caller gave at the
     * same time.
     *
     * @param group what the calls that may share a result have in common; a key with {@code equals} and {@code hashCode}
     * @param callable makes the call; it may block
     * @param <R> the result
     * @return a future of the result, for this caller alone; it completes exceptionally with what the callable threw, with
     *     what the executor refused the batch with, or with a {@link java.util.concurrent.TimeoutException}
     * @throws java.util.concurrent.RejectedExecutionException if {@link CollapseOptions#maxPending() maxPending} callers
     *     are waiting already
     */
    public <R> CompletableFuture<R> execute(Object group, Callable<? extends R> callable) {
        CompletableFuture<?> result = runner.execute(group, requireNonNull(callable, "callable"));
        // The result of a callable of this group: an R, if the group keeps to one kind of result as documented.
        @SuppressWarnings("unchecked")
        CompletableFuture<R> typed = (CompletableFuture<R>) result;
        return typed;
    }
}
