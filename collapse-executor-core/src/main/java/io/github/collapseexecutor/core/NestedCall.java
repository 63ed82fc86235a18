package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/**
 * A call that a batch function makes while its batch is in flight, for {@link BatchHandle#nested}.
 *
 * @param <R> the result
 * @param <X> what it throws; {@link RuntimeException} if nothing is declared
 */
@FunctionalInterface
public interface NestedCall<R extends @Nullable Object, X extends Exception> {

    /**
     * Makes the call.
     *
     * @return the result
     * @throws X if the call fails
     */
    R call() throws X;
}
