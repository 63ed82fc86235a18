package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/** Which batch the calling thread runs, or makes calls for, so that these are known as nested ones. */
final class RunningBatch {

    // One for all executors, because a call may nest by way of another one.
    private static final ThreadLocal<Batch<?, ?>> CURRENT = new ThreadLocal<>();

    /** The batch whose handle the thread has called by; of no meaning unless it is the current one. */
    private static final ThreadLocal<Batch<?, ?>> BY_HANDLE = new ThreadLocal<>();

    /** Some thread has been marked; a thread that was knows it, because it has seen that itself. */
    private static boolean used;

    private RunningBatch() {}

    static @Nullable Batch<?, ?> get() {
        return used ? CURRENT.get() : null;
    }

    /** Whether the calls of the calling thread were said to be nested, rather than found to be. */
    static boolean isCalledByHandle(Batch<?, ?> current) {
        return BY_HANDLE.get() == current;
    }

    /** Marks the calling thread; the result is for {@link #restore}. */
    static @Nullable Batch<?, ?> set(Batch<?, ?> batch) {
        Batch<?, ?> before = CURRENT.get();
        if (!used) { // or all threads that are marked would write to it
            used = true;
        }
        CURRENT.set(batch);
        return before;
    }

    static void restore(@Nullable Batch<?, ?> before) {
        restore(CURRENT, before);
    }

    /** Makes calls on behalf of a batch. */
    static <R extends @Nullable Object, X extends Exception> R callByHandle(Batch<?, ?> batch, NestedCall<R, X> call)
            throws X {
        Batch<?, ?> handleBefore = BY_HANDLE.get();
        Batch<?, ?> before = set(batch);
        BY_HANDLE.set(batch);
        try {
            return call.call();
        } finally {
            restore(BY_HANDLE, handleBefore);
            restore(before);
        }
    }

    private static void restore(ThreadLocal<Batch<?, ?>> mark, @Nullable Batch<?, ?> before) {
        if (before == null) {
            mark.remove();
        } else {
            mark.set(before);
        }
    }
}
