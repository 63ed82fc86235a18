package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.ContextCarrier;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.context.ThreadLocalAccessor;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Decides in whose context a batch runs, for everything that Micrometer's context-propagation library knows: the log's context
 * (MDC), the security context, observations, and what the application registers at {@link ContextRegistry}.
 *
 * <pre>{@code
 * CollapseOptions.builder().contextCarrier(PropagatedContext.none()).build();
 * }</pre>
 *
 * <p>While the batch function runs, the thread has the chosen context and nothing else of what is registered; afterwards it has
 * again what it had before. Callers keep their own contexts in every case. A value that is set in the context during a batch is lost at the end of the
 * batch. Thread-safe.
 *
 * <p>As a bean, it is the carrier of all adapters that the auto-configuration makes.
 */
public final class PropagatedContext implements ContextCarrier {

    private static final PropagatedContext NONE = new PropagatedContext(null);
    private static final PropagatedContext OF_FIRST_CALLER =
            new PropagatedContext(ContextSnapshotFactory.builder().build());

    // immutable
    private final @Nullable ContextSnapshotFactory captured;

    private PropagatedContext(@Nullable ContextSnapshotFactory captured) {
        this.captured = captured;
    }

    /**
     * Returns a carrier under which a batch sees the context of no caller, whichever thread runs it. Nothing is captured.
     *
     * @return the carrier
     */
    public static PropagatedContext none() {
        return NONE;
    }

    /**
     * Returns a carrier under which a batch sees the context of its first caller, which for an HTTP adapter is the one whose request
     * is sent. Only for work whose result does not depend on that caller: the others get it too.
     *
     * @return the carrier
     */
    public static PropagatedContext ofFirstCaller() {
        return OF_FIRST_CALLER;
    }

    @Override
    public @Nullable Object capture() {
        return captured == null ? null : captured.captureAll();
    }

    @Override
    public <T extends @Nullable Object> T around(List<@Nullable Object> contexts, Callable<T> execution)
            throws Exception {
        return cleared(
                ContextRegistry.getInstance().getThreadLocalAccessors().iterator(),
                contexts.get(0) instanceof ContextSnapshot first
                        ? () -> before(first.setThreadLocals()::close, execution)
                        : execution);
    }

    /** Clears what is registered, one inside the other, so that the last one cleared is the first one restored. */
    private static <T extends @Nullable Object> T cleared(
            Iterator<ThreadLocalAccessor<?>> accessors, Callable<T> execution) throws Exception {
        return accessors.hasNext()
                ? before(clear(accessors.next()), () -> cleared(accessors, execution))
                : execution.call();
    }

    /** Runs the end in every case. If that fails after a failure of the execution, the execution's is thrown, which has the other one with it. */
    private static <T extends @Nullable Object> T before(Runnable end, Callable<T> execution) throws Exception {
        T result;
        try {
            result = execution.call();
        } catch (Throwable failure) {
            try {
                end.run();
            } catch (Throwable later) {
                if (later != failure) {
                    failure.addSuppressed(later);
                }
            }
            throw failure;
        }
        end.run();
        return result;
    }

    /** Clears one thread-local; returns what brings it back. */
    private static <V> Runnable clear(ThreadLocalAccessor<V> accessor) {
        V before = accessor.getValue();
        accessor.setValue();
        return before == null ? accessor::restore : () -> accessor.restore(before);
    }

    @Override
    public String toString() {
        return "PropagatedContext[" + (captured == null ? "none" : "of first caller") + "]";
    }
}
