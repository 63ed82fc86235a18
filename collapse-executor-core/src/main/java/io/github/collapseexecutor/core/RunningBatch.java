package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/** Which batch the calling thread runs, or makes calls for, so that these are known as nested ones. */
final class RunningBatch {

    // One for all executors, because a call may nest by way of another one.
    private static final ThreadLocal<Batch<?, ?>> CURRENT = new ThreadLocal<>();

    private RunningBatch() {}

    static @Nullable Batch<?, ?> get() {
        return CURRENT.get();
    }

    /** Marks the calling thread; the result is for {@link #restore}. */
    static @Nullable Batch<?, ?> set(Batch<?, ?> batch) {
        Batch<?, ?> before = CURRENT.get();
        CURRENT.set(batch);
        return before;
    }

    static void restore(@Nullable Batch<?, ?> before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
