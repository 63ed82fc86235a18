package io.github.collapseexecutor.core;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Carries what belongs to callers from their submission to the execution of their batch: traces, the log's context, the security
 * context.
 *
 * <pre>{@code
 * class LogContext implements ContextCarrier {
 *     public Object capture() {
 *         return MDC.getCopyOfContextMap();
 *     }
 *
 *     public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
 *         MDC.setContextMap((Map<String, String>) contexts.get(0));
 *         try {
 *             return execution.call();
 *         } finally {
 *             MDC.clear();
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>A batch has the contexts of all its callers; which of them it runs in is this object's decision. The answer of one caller must not depend on
 * anything that the executor may know of another caller only.
 *
 * <p>Without a carrier a batch runs with the thread-locals of its leader (blocking), or with none of any caller (async). Instances must
 * be thread-safe.
 */
public interface ContextCarrier {

    /**
     * Takes the context of a caller: called once for each call, on the submitting thread, before the call is gathered. If it throws, that caller gets the
     * exception.
     *
     * @return the context, or null if there is none
     */
    @Nullable Object capture();

    /**
     * Runs the execution of a batch: the call of the batch function, but not what a stage that it returns does later, nor the
     * binding. Called on the thread that executes the batch.
     *
     * @param contexts the contexts of the callers whose inputs are executed, in order of submission; at least one
     * @param execution calls the batch function; to be called once, on this thread, and its result to be returned
     * @param <T> what the batch function gives
     * @return what {@code execution} returned; the batch fails with an {@link IllegalStateException} if it is anything else
     * @throws Exception what {@code execution} threw; it is the failure of the batch, as anything else is that is thrown here
     */
    <T extends @Nullable Object> T around(List<@Nullable Object> contexts, Callable<T> execution) throws Exception;

    /**
     * A caller has come to its end: it is about to get its answer or a failure, or it has left. Called once for each context that was
     * captured, with no lock held, on the thread on which that happens; it delays that thread, and must not block. An exception reaches no caller; it is
     * treated like one of a {@link CollapseListener}. Does nothing unless it is overridden.
     *
     * @param context what {@link #capture} returned for this caller
     * @param executed the contexts that {@link #around} was last given for the caller's batch, empty if the batch was not executed. A
     *     caller that joined a batch in flight, or left before the start, is not among them
     * @param failure what the caller gets instead of an answer; null if it gets an answer, or has left without a failure
     */
    default void ended(@Nullable Object context, List<@Nullable Object> executed, @Nullable Throwable failure) {}

    /**
     * Returns a carrier that does what this one does, and inside what another one does: that one captures second, and its {@link #around}
     * runs within this one's.
     *
     * @param inner the other carrier
     * @return both as one
     */
    default ContextCarrier andThen(ContextCarrier inner) {
        return new TwoCarriers(this, inner);
    }
}
