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
}
