package io.github.collapseexecutor.cluster;

import java.util.StringJoiner;
import java.util.function.LongSupplier;

/**
 * Keeps calls from paying for a Redis that does not answer.
 *
 * <pre>
 * CLOSED  --three failures in a row-->  OPEN  --a second later, one call-->  PROBING  --success-->  CLOSED
 *                                        ^-------------failure----------------+
 * </pre>
 *
 * <p>A second after a probe, another call may probe: a probe that never reports keeps nobody from Redis for good.
 *
 * <p>A question counts as failed only if it was asked after the last failure that counted. So a pause of this process, in which all
 * that was asked runs out of time at once, counts once, and does not look like a Redis that is down.
 */
final class Breaker {

    static final int FAILURES = 3;
    static final long PAUSE_NANOS = 1_000_000_000;

    /** Told of changes, with no lock held; Redis has failed again if it is given up still. */
    interface Listener {

        void fell(Throwable reason);

        void failedAgain(Throwable reason);

        void recovered();
    }

    private enum State {
        CLOSED,
        OPEN,
        PROBING
    }

    // immutable
    private final LongSupplier nanoTime;
    private final Listener listener;

    // mutable, guarded by this
    private State state = State.CLOSED;
    private int failures;
    private long failedAt;
    /** When it opened, or the last probe began. */
    private long pausesSince;

    Breaker(LongSupplier nanoTime, Listener listener) {
        this.nanoTime = nanoTime;
        this.listener = listener;
    }

    /** Says whether a call may ask Redis; one that may has to report what came of it. */
    synchronized boolean permits() {
        if (state == State.CLOSED) {
            return true;
        }
        long now = nanoTime.getAsLong();
        if (now - pausesSince < PAUSE_NANOS) {
            return false;
        }
        state = State.PROBING;
        pausesSince = now;
        return true;
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
        listener.recovered();
    }

    /** Counts the failure of a question that was asked at this time. */
    void failed(Throwable reason, long askedAt) {
        boolean fell;
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
            fell = state == State.CLOSED;
            state = State.OPEN;
            pausesSince = failedAt;
        }
        if (fell) {
            listener.fell(reason);
        } else {
            listener.failedAgain(reason);
        }
    }

    /** The innermost message, which is the one of Redis. */
    static String messageOf(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; depth < 10 && cause.getCause() != null; depth++) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** All messages, the outermost first, without those that only repeat the next: one of them has the address. */
    static String messagesOf(Throwable failure) {
        StringJoiner messages = new StringJoiner(": ");
        Throwable cause = failure;
        for (int depth = 0; depth < 10 && cause != null; depth++) {
            Throwable next = cause.getCause();
            String message = String.valueOf(cause.getMessage());
            if (next == null || !message.contains(String.valueOf(next.getMessage()))) {
                messages.add(message);
            }
            cause = next;
        }
        return messages.toString();
    }
}
