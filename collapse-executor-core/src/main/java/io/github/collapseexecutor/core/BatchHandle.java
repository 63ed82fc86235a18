package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/**
 * A batch in flight, as the call that runs for it sees it.
 *
 * <p>A {@link BatchCall} is handed it; any batch function gets it by {@link #current()} on the thread that calls the function. Use
 * it for calls that the function makes later or elsewhere, in a dependent of a stage or on the threads of a parallel stream:
 *
 * <pre>{@code
 * BatchHandle batch = BatchHandle.current();
 * return client.fetchAsync(ids).thenCompose(node -> batch.nested(() -> nodes.execute(node.parentId())));
 * }</pre>
 *
 * <p>It is valid until the batch has ended; any thread may ask it.
 */
public interface BatchHandle {

    /**
     * Tells whether the leader is the only caller of this batch and stays it: no other caller waits for the result or
     * can still join. A call without callers to share its result with may, for example, stream it.
     *
     * @return true if only the leader waits and {@link JoinMode#FRESH} lets no other caller join; once true, it stays true
     *     unless the leader leaves
     */
    boolean isLone();

    /**
     * Tells whether a failure of this call is its leader's own: the leader's thread was interrupted, or its
     * cancel signal came. The executor then fails the leader alone, and has another caller make the call once more, unless the
     * options say {@link CollapseOptions#atMostOnce() at most once}. For calls that keep an account of what they do; to be
     * asked on the thread that runs the call.
     *
     * <p>A call that catches an {@link InterruptedException} and throws something else in its place must restore the interrupt
     * status, as usual. An interruption among the causes of a failure is no sign: it may be that of another thread. An {@code
     * InterruptedException} of another thread that the call throws on counts as the leader's.
     *
     * @param failure what the call is about to throw
     * @return true if the current thread is interrupted, the failure is an {@code InterruptedException}, or the
     *     leader's cancel signal came; false, the default, where no caller's thread runs the call
     */
    default boolean isLeadersOwn(Throwable failure) {
        return false;
    }

    /**
     * Makes a call as one from inside this batch, on whatever thread. A call that a batch function makes on the thread that it
     * was called on needs no handle, if it is of the same executor or of a blocking one. A call of another executor that returns
     * a future is like any other without the handle, because the batch may hand its work on and not wait for it.
     *
     * <p>Such a call to any executor that collapses waits neither for this batch nor for a place that this batch holds: with
     * {@link CollapseOptions#maxConcurrentBatches() maxConcurrentBatches} it starts at once in the group of this batch, and
     * keeps the limits of other groups as far as they do not wait for it; with {@link JoinMode#IN_FLIGHT} it joins no call that
     * waits for nested calls. A call of the same executor runs on the calling thread if that executor has threads. A call that is
     * made on another thread without this method cannot be told from one that comes from outside, and may wait for its own batch for ever.
     *
     * @param call makes the calls, before it returns; for those it makes in further stages, use this method again
     * @param <R> the result
     * @param <X> what the call throws
     * @return the result of the call
     * @throws X if the call fails
     */
    default <R extends @Nullable Object, X extends Exception> R nested(NestedCall<R, X> call) throws X {
        return call.call();
    }

    /**
     * Returns the batch whose function the calling thread runs. To be asked at the beginning of a batch function, which may keep
     * it for later.
     *
     * @return the batch; outside of any, or where no nested call could wait for its own batch because its executor has no {@code
     *     maxConcurrentBatches} and joins nothing in flight, a handle that is not lone and only makes the calls
     */
    static BatchHandle current() {
        Batch<?, ?> running = RunningBatch.get();
        return running == null ? () -> false : running;
    }
}
