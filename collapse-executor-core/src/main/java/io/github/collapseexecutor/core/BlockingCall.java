package io.github.collapseexecutor.core;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A caller whose thread waits for the outcome, or leads. */
final class BlockingCall<I extends @Nullable Object, O extends @Nullable Object> extends Call<I, O> {

    // immutable
    private final Thread thread = Thread.currentThread();
    private final EngineTime time;
    /** Calls the caller off when it is done; null if nobody does. */
    final @Nullable CompletableFuture<?> calledOff;

    BlockingCall(I input, EngineTime time) {
        this(input, time, null);
    }

    BlockingCall(I input, EngineTime time, @Nullable CompletableFuture<?> calledOff) {
        super(input);
        this.time = time;
        this.calledOff = calledOff;
    }

    @Override
    boolean isOwn(Throwable failure) {
        return isCalledOff() || Failures.cameOfInterruption(failure);
    }

    boolean isCalledOff() {
        return calledOff != null && calledOff.isDone();
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
