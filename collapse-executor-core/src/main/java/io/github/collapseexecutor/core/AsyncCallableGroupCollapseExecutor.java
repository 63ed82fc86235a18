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
 * its own thread, before the nested {@code execute} returns, so that a bounded executor cannot wait for itself. A nested call
 * that has to wait for a place in another group ({@link CollapseOptions#maxConcurrentBatches() maxConcurrentBatches}) runs on
 * the default executor, for the same reason. A batch that
 * has not begun a second after its dispatch is dispatched again, and later once more, so that it survives an executor which
 * drops tasks without a word. An executor that was shut down, or refuses a batch with an exception, fails its callers.
 *
 * <p><b>Leaving.</b> A caller leaves by cancelling or completing its future, and affects no other. A batch that every caller
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
        this(options, SystemScheduler.INSTANCE);
    }

    AsyncCallableGroupCollapseExecutor(CollapseOptions options, EngineScheduler scheduler) {
        runner = new FutureRunner<>(
                requireNonNull(options, "options"),
                false,
                StageWork.of(GroupWork.ofCallables(options.callWrapper())),
                CallerAnswer.direct(),
                group -> executor.get(),
                scheduler);
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
     * pool of daemon threads. Where batches of that pool wait for others in its queue, it gets more threads, one after
     * another, so that nested calls do not exhaust it.
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
        return execute(group, callable, CallOptions.defaults());
    }

    /**
     * Does what {@link #execute(Object, Callable)} does, with options of this caller's own.
     *
     * @param group what the calls that may share a result have in common; a key with {@code equals} and {@code hashCode}
     * @param callable makes the call, as above
     * @param options what this caller wants otherwise
     * @param <R> the result
     * @return a future as above; besides, it completes exceptionally with a {@link CallerTimeoutException} if the timeout of the
     *     options passed, and is cancelled when their signal comes
     * @throws InvalidOptionException if the options ask for a join mode that this executor does not have
     * @throws java.util.concurrent.RejectedExecutionException as above
     */
    public <R> CompletableFuture<R> execute(Object group, Callable<? extends R> callable, CallOptions options) {
        CompletableFuture<?> result =
                runner.execute(group, requireNonNull(callable, "callable"), requireNonNull(options, "options"));
        // The result of a callable of this group: an R, if the group keeps to one kind of result as documented.
        @SuppressWarnings("unchecked")
        CompletableFuture<R> typed = (CompletableFuture<R>) result;
        return typed;
    }

    /**
     * Lets no later call share what is in flight for a group, after a write that changes its answer: with {@link
     * JoinMode#IN_FLIGHT}, calls that begin after this method has returned join no callable that started before it was called.
     * The callers that have joined it get its result. Calls whose batch waits for its start are not affected, because it
     * will start after the write. With {@link JoinMode#FRESH}, no call shares what is in flight, and this does nothing.
     *
     * @param group the group, by {@code equals}
     */
    public void forget(Object group) {
        runner.engine().forget(group, null);
    }
}
