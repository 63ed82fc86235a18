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
    /** Set where the thread has more calls than this one. */
    private final @Nullable BulkCaller bulk;

    BlockingCall(I input, EngineScheduler scheduler) {
        this(input, scheduler, null, null);
    }

    BlockingCall(
            I input,
            EngineScheduler scheduler,
            @Nullable CompletableFuture<?> cancelSignal,
            @Nullable BulkCaller bulk) {
        super(input);
        this.scheduler = scheduler;
        this.cancelSignal = cancelSignal;
        this.bulk = bulk;
    }

    /** A call for the same input, to be submitted in the place of this one, which has been sent back. */
    BlockingCall<I, O> again() {
        BlockingCall<I, O> again = new BlockingCall<>(value(), scheduler, cancelSignal, bulk);
        again.submitAs(this);
        return again;
    }

    boolean isOf(BulkCaller caller) {
        return bulk == caller;
    }

    @Override
    boolean mayLead() {
        return bulk == null || !bulk.isBusy();
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
        if (bulk != null) {
            bulk.signal();
        }
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
