package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Runs one of the callables that are submitted for a group at the same time, on the thread of its caller, and gives its
 * result to all of them.
 *
 * <pre>{@code
 * BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
 * Product product = executor.execute("product 7", () -> client.fetch(7));
 * }</pre>
 *
 * <p><b>Guarantees.</b> Every call ends exactly once: with the result, with the failure that the callable threw, of the
 * same type, or by its own interruption or time-out. With {@link JoinMode#FRESH}, the default, no caller gets a result
 * that was computed before it called. All callables of a group must do the same thing, because one of them stands
 * for all: give a group to one kind of result only, or the caller that expects another gets a {@link ClassCastException},
 * and the group's key everything that distinguishes one answer from another, the user included. All callers of a batch get the
 * same result object, and the same exception object if the callable fails: change neither, not even by
 * {@link Throwable#addSuppressed(Throwable)}.
 *
 * <p><b>Threads.</b> A lone caller runs its own callable on its own thread, at once, as if it had called it. Of several,
 * one leads: its callable runs on its thread, with its thread-locals, while the others wait. No thread is started.
 *
 * <p><b>Memory consistency.</b> Actions before {@code execute} in every caller of a batch happen-before the callable, and
 * the callable happens-before the return of {@code execute} in each of them.
 *
 * <p><b>Interruption.</b> A waiting caller that is interrupted leaves at once and affects no other. A leader that is
 * interrupted before its batch starts hands it to the next caller. If the interruption of the leader, or its cancel signal,
 * breaks the call, only the leader fails; another caller repeats the call once.
 *
 * <p>Instances are thread-safe and are meant to be kept; a group without callers costs nothing.
 */
public final class BlockingCallableGroupCollapseExecutor implements CollapseExecutor {

    // immutable
    private final BlockingRunner<Callable<?>, Object, Object> runner;

    /** Creates an executor with {@linkplain CollapseOptions#defaults() default options}. */
    public BlockingCallableGroupCollapseExecutor() {
        this(CollapseOptions.defaults());
    }

    /**
     * Creates an executor.
     *
     * @param options how it gathers; {@link CollapseOptions#maxBatchSize() maxBatchSize} bounds the callers that one
     *     callable answers
     */
    public BlockingCallableGroupCollapseExecutor(CollapseOptions options) {
        this(options, SystemScheduler.INSTANCE);
    }

    BlockingCallableGroupCollapseExecutor(CollapseOptions options, EngineScheduler scheduler) {
        runner = new BlockingRunner<>(
                requireNonNull(options, "options"), false, GroupWork.ofCallables(options.callWrapper()), scheduler);
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
     * Returns what the group's callable returns, calling the given one or one that another caller gave at the same time.
     *
     * @param group what the calls that may share a result have in common; a key with {@code equals} and {@code hashCode}
     * @param callable makes the call
     * @param <R> the result
     * @return the result; the same object for all callers of a batch
     * @throws Exception what the callable threw, as it is
     * @throws InterruptedException if the calling thread was interrupted while it waited
     * @throws java.util.concurrent.TimeoutException if {@link CollapseOptions#callTimeout() callTimeout} passed while it
     *     waited
     * @throws java.util.concurrent.RejectedExecutionException if {@link CollapseOptions#maxPending() maxPending} callers
     *     are waiting already
     */
    public <R> R execute(Object group, Callable<? extends R> callable) throws Exception {
        // The result of a callable of this group: an R, if the group keeps to one kind of result as documented.
        return ResultSlot.<R>cast(runner.execute(group, requireNonNull(callable, "callable")));
    }

    /**
     * Does what {@link #execute(Object, Callable)} does, with options of this caller's own.
     *
     * @param group what the calls that may share a result have in common; a key with {@code equals} and {@code hashCode}
     * @param callable makes the call
     * @param options what this caller wants otherwise; neither their timeout nor their signal cuts short a callable that runs
     *     on the caller's own thread
     * @param <R> the result
     * @return the result; the same object for all callers of a batch
     * @throws Exception as the method above; besides, a {@link CallerTimeoutException} if the timeout of the options passed
     *     while the caller waited, a {@link java.util.concurrent.CancellationException} if their signal came, and an {@link
     *     InvalidOptionException} if they ask for a join mode that this executor does not have
     */
    public <R> R execute(Object group, Callable<? extends R> callable, CallOptions options) throws Exception {
        requireNonNull(callable, "callable");
        return ResultSlot.<R>cast(runner.execute(group, callable, requireNonNull(options, "options")));
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
