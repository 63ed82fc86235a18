package io.github.collapseexecutor.cluster;

import java.util.function.LongSupplier;

/**
 * Keeps calls from paying for a Redis that does not answer.
 *
 * <pre>
 * CLOSED  --three failures in a row-->  OPEN  --a second later, one call-->  PROBING  --success-->  CLOSED
 *                                        ^-------------failure----------------+
 * </pre>
 *
 * <p>A question counts as failed only if it was asked after the last failure that counted. So a pause of this process, in which all
 * that was asked runs out of time at once, counts once, and does not look like a Redis that is down.
 */
final class Breaker {

    static final int FAILURES = 3;
    static final long PAUSE_NANOS = 1_000_000_000;

    private static final System.Logger LOGGER = System.getLogger(ClusterCalls.class.getName());

    private enum State {
        /** Everybody asks Redis. */
        CLOSED,
        /** Nobody does. */
        OPEN,
        /** One call does. */
        PROBING
    }

    // immutable
    private final LongSupplier nanoTime;
    /** Called when Redis is given up, with no lock held. */
    private final Runnable onFall;

    // mutable, guarded by this
    private State state = State.CLOSED;
    private int failures;
    private long failedAt;
    private long openedAt;

    Breaker(LongSupplier nanoTime, Runnable onFall) {
        this.nanoTime = nanoTime;
        this.onFall = onFall;
    }

    /** Says whether a call may ask Redis; one that may has to report what came of it. */
    synchronized boolean permits() {
        if (state == State.OPEN && nanoTime.getAsLong() - openedAt >= PAUSE_NANOS) {
            state = State.PROBING;
            return true;
        }
        return state == State.CLOSED;
    }

    synchronized boolean isClosed() {
        return state == State.CLOSED;
    }

    void succeeded() {
        synchronized (this) {
            failures = 0;
            if (state != State.PROBING) {
                return;
            }
            state = State.CLOSED;
        }
        LOGGER.log(System.Logger.Level.INFO, "Redis answers again: calls are shared with other instances");
    }

    /**
     * Counts a failure.
     *
     * @param askedAt when Redis was asked
     */
    void failed(Throwable reason, long askedAt) {
        synchronized (this) {
            boolean counts = failures == 0 || askedAt - failedAt >= 0;
            if (state == State.OPEN || !counts) {
                return;
            }
            failures++;
            failedAt = nanoTime.getAsLong();
            if (state == State.CLOSED && failures < FAILURES) {
                return;
            }
            boolean fell = state == State.CLOSED;
            state = State.OPEN;
            openedAt = failedAt;
            if (!fell) {
                return;
            }
        }
        LOGGER.log(
                System.Logger.Level.WARNING,
                "Redis is not usable: this instance makes its calls alone until Redis answers again. {0}",
                new Object[] {messageOf(reason)});
        onFall.run();
    }

    /** The innermost message, which is the one of Redis. */
    static String messageOf(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; depth < 10 && cause.getCause() != null; depth++) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
