package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/** A caller whose thread waits for the outcome, or leads. */
final class BlockingCall<I extends @Nullable Object, O extends @Nullable Object> extends Call<I, O> {

    // immutable
    private final Thread thread = Thread.currentThread();
    private final EngineTime time;

    BlockingCall(I input, EngineTime time) {
        super(input);
        this.time = time;
    }

    @Override
    void deliver() {
        if (batch().leader != this) {
            wake();
        }
    }

    /** Whether the caller's thread is virtual: when it runs says little of the processors, and waking it is cheap. */
    boolean isVirtual() {
        return VirtualThreads.contain(thread);
    }

    void wake() {
        time.unpark(thread);
    }

    /** Returns the output or throws the failure that was bound. */
    O get() throws Exception {
        Throwable failure = failure();
        if (failure != null) {
            throw Failures.rethrow(failure);
        }
        return Outcome.<O>cast(output());
    }
}
