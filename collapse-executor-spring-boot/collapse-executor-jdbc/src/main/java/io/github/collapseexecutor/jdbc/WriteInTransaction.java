package io.github.collapseexecutor.jdbc;

/**
 * What becomes of a write whose caller is inside a transaction of its own.
 *
 * <p>The write is not part of that transaction: it is committed with the writes of others, and stays if the caller's
 * transaction rolls back. And a caller that waits while it holds a connection takes it from callers that could commit.
 *
 * <p>A call from a callback that Spring makes behind the end of a transaction ({@code afterCommit}, {@code
 * afterCompletion}, a listener of {@code AFTER_COMMIT}) is in no transaction, and writes at once.
 */
public enum WriteInTransaction {

    /** It is refused with an {@link IllegalStateException}. */
    REFUSE,

    /**
     * It is handed in when the caller's transaction has committed, and dropped if it rolls back, as a whole or to a savepoint
     * from before the call. Only the form that returns a future can do so; the one that waits is refused still, because it
     * would wait for the transaction that it is in.
     */
    AFTER_COMMIT
}
