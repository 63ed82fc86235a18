package io.github.collapseexecutor.spring.annotation;

import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.core.JoinMode;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/**
 * Shares the calls of annotated methods with other instances of the application. A bean of this type is asked for the executor of each method.
 *
 * <pre>{@code
 * final class SharedPrices implements MethodSharing {
 *
 *     public CallWrapper calls(String executor, ResolvableType answer, JoinMode mode) {
 *         return executor.equals("prices") ? cluster.joining(mode).wrapper(executor, codec) : null;
 *     }
 *
 *     public BatchSharing batches(String executor, ResolvableType answer, JoinMode mode) {
 *         return null;
 *     }
 * }
 * }</pre>
 *
 * <p>Calls are shared whose arguments and user have a form that is the same on all instances ({@link KeyForm}). A call without one is made as
 * without other instances, and one warning says so.
 */
public interface MethodSharing {

    /**
     * Returns what shares the calls of an executor of a method with {@link Collapsible}. The groups that it is given are lists of plain values.
     * A result that is a {@link io.github.collapseexecutor.core.LocalResult} is meant for this instance alone.
     *
     * @param executor the executor's name
     * @param answer the type of what the method answers, out of its future, Mono or Optional
     * @param mode the executor's join mode: with {@link JoinMode#FRESH}, no call may answer that was under way when it was asked for
     * @return what shares the calls; null if they are not shared
     * @throws IllegalArgumentException if they are to be shared, and the answer has no form of bytes; it stops the start, with its message as
     *     the reason
     */
    @Nullable CallWrapper calls(String executor, ResolvableType answer, JoinMode mode);

    /**
     * Returns what shares the batches of an executor of a method with {@link CollapseBatch}.
     *
     * @param executor the executor's name
     * @param answer the type of what the method for single items answers, out of its future, Mono or Optional
     * @param mode as above
     * @return what shares the batches; null if they are not shared
     * @throws IllegalArgumentException as above
     */
    @Nullable BatchSharing batches(String executor, ResolvableType answer, JoinMode mode);
}
