package io.github.collapseexecutor.core;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A callable that asks the batch which it runs for about its callers.
 *
 * <pre>{@code
 * BatchCall<Page> fetch = batch -> batch.isLone() ? streamed() : collected();
 * Page page = executor.execute("front page", fetch);
 * }</pre>
 *
 * <p>Every executor that takes a {@link Callable} takes one of these in its place, and hands it its batch.
 *
 * @param <R> the result
 */
@FunctionalInterface
public interface BatchCall<R extends @Nullable Object> extends Callable<R> {

    /**
     * Makes the call.
     *
     * @param batch the batch that the call is made for
     * @return the result, for every caller of the batch
     * @throws Exception if the call fails; every caller gets the failure
     */
    R call(BatchHandle batch) throws Exception;

    /**
     * Learns that this call has opened a batch that does not start at once: the call is going to be made for that batch unless
     * its caller leaves first. {@link FutureCallableGroupCollapseExecutor} tells it on the submitting thread, before
     * {@code execute} returns; the batch may start meanwhile. An implementation must neither block nor throw.
     */
    default void opened() {}

    /**
     * Makes the call where no executor does, as one whose result others may get too.
     *
     * @return the result
     * @throws Exception if the call fails
     */
    @Override
    default R call() throws Exception {
        return call(() -> false);
    }
}
