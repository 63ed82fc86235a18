package io.github.collapseexecutor.core;

/**
 * A thread with many calls at a time, which may stand in several batches.
 *
 * <p>The thread runs one batch at a time. While it does, it leads no other: callers of that would wait for a call that has nothing
 * to do with them, and one from inside the batch that runs would wait for ever. So the thread {@linkplain
 * CollapseEngine#passOn hands} its other batches to callers whose threads wait. From a batch without such a caller its calls
 * are sent back, and it submits them again when it is free.
 */
final class BulkCaller {

    // mutable; written by the thread itself, read under the locks of groups by any
    private volatile boolean busy;

    // mutable; set by any thread, reset by the thread itself
    /** Something has changed; beside the thread's permit, which its wait for the lock of one group may use up for another. */
    private volatile boolean signalled;

    void signal() {
        signalled = true;
    }

    /** The thread is about to look at all its batches. */
    void lookAround() {
        signalled = false;
    }

    boolean isSignalled() {
        return signalled;
    }

    /** The thread is about to run a batch: from now on, it is made the leader of no other. */
    void becomeBusy() {
        busy = true;
    }

    void becomeFree() {
        busy = false;
    }

    boolean isBusy() {
        return busy;
    }

    /** Whether a call is one of this thread's. */
    boolean has(Call<?, ?> call) {
        return call instanceof BlockingCall && ((BlockingCall<?, ?>) call).isOf(this);
    }
}
