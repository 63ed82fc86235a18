package io.github.collapseexecutor.core;

/**
 * A batch in flight, as the call that runs for it sees it.
 *
 * <p>It is valid until that call has ended; any thread may ask it.
 */
public interface BatchHandle {

    /**
     * Tells whether the leader is the only caller of this batch and stays it: nobody else waits for the result, and nobody
     * can join any more. A call that knows it has nobody to share its result with may, for example, stream it.
     *
     * @return true if only the leader waits and {@link JoinMode#FRESH} lets no other caller join; once true, it stays true
     *     unless the leader leaves
     */
    boolean isLone();

    /**
     * Tells whether a failure of this call is its leader's own: the leader's thread was interrupted, or somebody called the
     * leader off. The executor then fails the leader alone, and has another caller make the call once more, unless the
     * options say {@link CollapseOptions#atMostOnce() at most once}. For calls that keep an account of what they do; to be
     * asked on the thread that runs the call.
     *
     * <p>A call that catches an {@link InterruptedException} and throws something else in its place must restore the interrupt
     * status, as usual. An interruption among the causes of a failure is no sign: it may be that of another thread.
     *
     * @param failure what the call is about to throw
     * @return true if the current thread is interrupted, the failure is an {@code InterruptedException} of this thread, or the
     *     leader was called off; false, the default, where no caller's thread runs the call
     */
    default boolean isLeadersOwn(Throwable failure) {
        return false;
    }
}
