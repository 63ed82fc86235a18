package io.github.collapseexecutor.core;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A caller whose thread waits for the outcome, or leads. */
final class BlockingCall<I extends @Nullable Object, O extends @Nullable Object> extends Call<I, O> {

    // immutable
    private final Thread thread = Thread.currentThread();

    BlockingCall(I input) {
        super(input);
    }

    @Override
    void deliver() {
        if (batch().leader != this) {
            wake();
        }
    }

    void wake() {
        LockSupport.unpark(thread);
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
