package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.ContextCarrier;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.context.ThreadLocalAccessor;
import java.util.ArrayList;
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
        List<Runnable> restoring = clearAll();
        try {
            return contexts.get(0) instanceof ContextSnapshot first ? within(first, execution) : execution.call();
        } finally {
            restoring.forEach(Runnable::run);
        }
    }

    private static <T extends @Nullable Object> T within(ContextSnapshot context, Callable<T> execution)
            throws Exception {
        ContextSnapshot.Scope scope = context.setThreadLocals();
        try {
            return execution.call();
        } finally {
            scope.close();
        }
    }

    /** Clears what is registered; returns what brings it back. */
    private static List<Runnable> clearAll() {
        List<Runnable> restoring = new ArrayList<>();
        for (ThreadLocalAccessor<?> accessor : ContextRegistry.getInstance().getThreadLocalAccessors()) {
            restoring.add(clear(accessor));
        }
        return restoring;
    }

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
