package io.github.collapseexecutor.core;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A caller whose thread waits for the outcome, or leads. */
final class BlockingCall<I extends @Nullable Object, O extends @Nullable Object> extends Call<I, O> {

    // immutable
    private final Thread thread = Thread.currentThread();
    private final EngineScheduler scheduler;
    /** Cancels the caller when it is done; null for a caller without one. */
    final @Nullable CompletableFuture<?> cancelSignal;

    BlockingCall(I input, EngineScheduler scheduler) {
        this(input, scheduler, null);
    }

    BlockingCall(I input, EngineScheduler scheduler, @Nullable CompletableFuture<?> cancelSignal) {
        super(input);
        this.scheduler = scheduler;
        this.cancelSignal = cancelSignal;
    }

    @Override
    boolean isOwn(Throwable failure) {
        return isCancelled() || Failures.cameOfInterruption(failure);
    }

    @Override
    boolean isOfThisThread() {
        return thread == Thread.currentThread();
    }

    boolean isCancelled() {
        return cancelSignal != null && cancelSignal.isDone();
    }

    @Override
    void deliver() {
        if (!batch().isLedBy(this)) {
            wake();
        }
    }

    /** Whether the caller's thread is virtual: when it runs says little of the processors, and waking it is cheap. */
    boolean isVirtual() {
        return VirtualThreads.contain(thread);
    }

    void wake() {
        scheduler.unpark(thread);
    }

    /** Returns the output or throws the failure that was bound. */
    O get() throws Exception {
        Throwable failure = failure();
        if (failure != null) {
            throw Failures.rethrow(failure);
        }
        return ResultSlot.<O>cast(output());
    }
}
