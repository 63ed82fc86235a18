package io.github.collapseexecutor.core;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts the callers of an executor, and refuses the one that would be more than {@code maxPending}. */
final class Admission {

    // immutable
    private final String name;
    private final int maxPending;
    /** Null where nothing is bounded, and so nothing counted. */
    private final @Nullable AtomicInteger pending;

    Admission(CollapseOptions options) {
        this.name = options.name();
        this.maxPending = options.maxPending();
        this.pending = maxPending == CollapseOptions.UNLIMITED ? null : new AtomicInteger();
    }

    /** How many callers are counted in; 0 where nothing is bounded. */
    int callerCount() {
        return pending == null ? 0 : pending.get();
    }

    /** Counts a caller in, or refuses it; each caller counted in is {@linkplain #release() counted out} once. */
    void acquire() {
        if (pending != null && pending.incrementAndGet() > maxPending) {
            pending.decrementAndGet();
            throw new RejectedExecutionException("Executor \"" + name + "\" has maxPending = " + maxPending
                    + " callers already: call later, raise maxPending, or look for what holds them up");
        }
    }

    /** Counts a caller out. */
    void release() {
        if (pending != null) {
            pending.decrementAndGet();
        }
    }
}
