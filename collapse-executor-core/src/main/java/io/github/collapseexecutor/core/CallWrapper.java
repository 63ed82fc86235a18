package io.github.collapseexecutor.core;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/**
 * Makes another callable of the one that an executor of callables is about to call: for example one that shares its result with other
 * processes.
 *
 * <pre>{@code
 * CollapseOptions options = CollapseOptions.builder()
 *         .name("users")
 *         .callWrapper(cluster.wrapper("users", codec))
 *         .build();
 * }</pre>
 *
 * <p>It is asked once for each execution of a batch, by the thread that executes the batch, about the callable of the batch's leader. A {@link
 * BatchCall} that it returns is told of the batch. If it throws or returns null, the batch fails. Executors of
 * functions do not ask it. Instances must be thread-safe.
 */
public interface CallWrapper {

    /**
     * Wraps the callable of a batch of a {@link BlockingCallableGroupCollapseExecutor} or an {@link
     * AsyncCallableGroupCollapseExecutor}.
     *
     * @param group the group that the callers of the batch gave
     * @param callable makes the call of the leader
     * @return what is called in its place; it returns what the callers expect of this group
     */
    Callable<?> wrapCall(Object group, Callable<?> callable);

    /**
     * Wraps the callable of a batch of a {@link FutureCallableGroupCollapseExecutor}.
     *
     * @param group the group that the callers of the batch gave
     * @param callable makes the call of the leader, without blocking
     * @return what is called in its place, without blocking; its stage gives what the callers expect of this group
     */
    Callable<? extends CompletionStage<?>> wrapStage(Object group, Callable<? extends CompletionStage<?>> callable);
}
