package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Calls one of the callables that are submitted for a group at the same time, and gives what its stage comes to to all of
 * them. Nothing blocks.
 *
 * <pre>{@code
 * FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor();
 * CompletableFuture<Product> product = executor.execute("product 7", () -> client.fetchAsync(7));
 * }</pre>
 *
 * <p><b>Guarantees.</b> Those of {@link BlockingCallableGroupCollapseExecutor}; a failure is what the future completes
 * exceptionally with, without the {@link java.util.concurrent.CompletionException} that stages wrap it in. A batch is in
 * flight until its stage completes.
 *
 * <p><b>Threads.</b> A lone caller's callable is called on its own thread, at once; that of a batch that had to wait, on
 * the thread that ended another batch, or on one that stands in for the timer. A callable must therefore not block and not
 * depend on thread-locals. Dependent actions of the futures run on the thread that completes them.
 *
 * <p><b>Leaving.</b> A caller leaves by cancelling or completing its future, and affects no other. When the last caller of a
 * batch in flight leaves, the stage is cancelled, if it can be; a later caller starts anew.
 *
 * <p>Instances are thread-safe and are meant to be kept; a group without callers costs nothing.
 */
public final class FutureCallableGroupCollapseExecutor implements CollapseExecutor {

    // immutable
    private final FutureRunner<Callable<? extends CompletionStage<?>>, Object, Object, Object> runner;

    /** Creates an executor with {@linkplain CollapseOptions#defaults() default options}. */
    public FutureCallableGroupCollapseExecutor() {
        this(CollapseOptions.defaults());
    }

    /**
     * Creates an executor.
     *
     * @param options how it gathers
     */
    public FutureCallableGroupCollapseExecutor(CollapseOptions options) {
        this(options, SystemScheduler.INSTANCE);
    }

    FutureCallableGroupCollapseExecutor(CollapseOptions options, EngineScheduler scheduler) {
        runner = new FutureRunner<>(
                requireNonNull(options, "options"),
                false,
                GroupWork.ofStages(options.callWrapper()),
                CallerAnswer.direct(),
                null,
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
     * Returns a future of what the stage of the group's callable comes to; the given one is called, or one that another
     * caller gave at the same time.
     *
     * @param group what the calls that may share a result have in common; a key with {@code equals} and {@code hashCode}
     * @param callable makes the call without blocking, and returns a stage of its result
     * @param <R> the result
     * @return a future of the result, for this caller alone; it completes exceptionally with what the callable threw, with
     *     what its stage failed with, with an {@link UnboundOutputException} if it returned null, or with a {@link
     *     java.util.concurrent.TimeoutException}
     * @throws java.util.concurrent.RejectedExecutionException if {@link CollapseOptions#maxPending() maxPending} callers
     *     are waiting already
     */
    public <R> CompletableFuture<R> execute(Object group, Callable<? extends CompletionStage<R>> callable) {
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
    public <R> CompletableFuture<R> execute(
            Object group, Callable<? extends CompletionStage<R>> callable, CallOptions options) {
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
