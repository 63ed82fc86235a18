package io.github.collapseexecutor.http.servlet;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.call.BoundedBody;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Who may have the response of a handler. Its {@link ResponseBuffer} holds it back until that is decided.
 *
 * <pre>
 * OPEN --> UNDECIDED --> GATHERING --> PASSING
 *   |          |                          ^
 *   |          +--------------------------+
 *   +--> UNSHARED
 * </pre>
 *
 * <p>When the head is final, {@link #received} is done, and the handler waits for the decision: either the response is for its own client
 * alone and {@linkplain #pass passes}, or others may have it and its body is {@linkplain #gather gathered} to its end or to the limit.
 * Another thread may be about to decide; if it does not do so soon, the response passes and nobody else gets it.
 *
 * <p>The <em>deciding side</em> is any thread. A decision only changes the state and wakes the handler's side, so it never waits for a
 * client: the followers are released before the first byte goes to the leader's client.
 */
final class SharingState {

    /** The handler's side waits for a decision that another thread is about to make, but not for longer than this. */
    static final Duration LONGEST_DECISION = Duration.ofSeconds(1);

    /** The body of the response, as far as the handler has written it; asked while the handler waits, or has ended. */
    interface Body {

        /** How many bytes are held back. */
        int size();

        /** Whether it may not come to an end by itself. */
        boolean isStreaming();

        boolean hasEnded();

        /** The body that has ended, or why others do not get it. */
        BoundedBody<ServletAnswer> whole();
    }

    private enum State {
        /** The head may change. */
        OPEN,
        /** The head is final; nobody has said who may have the response. */
        UNDECIDED,
        /** Others may have the response if it comes to an end within the limit. */
        GATHERING,
        /** What the handler writes goes to its own client. */
        PASSING,
        /** As PASSING, but before the head was final: the response behaves as the container's own. */
        UNSHARED
    }

    // immutable
    private final ServletAnswer answer;
    private final Body body;
    private final Duration longestDecision;
    private final CompletableFuture<ServletAnswer> received;
    private final CompletableFuture<BoundedBody<ServletAnswer>> collected = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition decided = lock.newCondition();

    // mutable, written under the lock
    private volatile State state = State.OPEN;
    private long limit;

    // mutable, written by the side that ends the state OPEN
    private volatile @Nullable ServletHandlerHead head;

    /**
     * Creates the state of a response whose head is open.
     *
     * @param answer what stands for this response among the answers
     * @param received done when the head is final
     */
    SharingState(ServletAnswer answer, Body body, CompletableFuture<ServletAnswer> received, Duration longestDecision) {
        this.answer = answer;
        this.body = body;
        this.received = received;
        this.longestDecision = longestDecision;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** Whether the head may not change any more, although the container's own response may not be committed. */
    boolean isHeadFinal() {
        return state != State.OPEN && state != State.UNSHARED;
    }

    boolean isGathering() {
        return state == State.GATHERING;
    }

    boolean isPassing() {
        return state == State.PASSING || state == State.UNSHARED;
    }

    /** The head as the handler left it; to be asked for once {@link #received} is done. */
    ServletHandlerHead head() {
        return requireNonNull(head, "the handler has not said anything yet");
    }

    // The deciding side.

    /**
     * Gathers the body for all that wait, because others may have the response.
     *
     * @param most the largest body that is shared, in bytes
     * @return a future of the body, or of the news that there is more of it, or that it passes already
     */
    CompletableFuture<BoundedBody<ServletAnswer>> gather(long most) {
        BoundedBody<ServletAnswer> known = null;
        lock.lock();
        try {
            limit = most;
            if (state != State.UNDECIDED || body.size() > most || (body.isStreaming() && !body.hasEnded())) {
                known = passingBody();
            } else {
                state = State.GATHERING;
                decided.signalAll();
                known = body.hasEnded() ? body.whole() : null;
            }
        } finally {
            lock.unlock();
        }
        if (known != null) {
            collected.complete(known);
        }
        return collected;
    }

    /** A body that only its own client gets, and why. */
    private BoundedBody<ServletAnswer> passingBody() {
        if (isTooLarge()) {
            return BoundedBody.tooLarge(answer);
        }
        return BoundedBody.notShared(answer, body.isStreaming() ? Reason.STREAM : Reason.ADAPTER);
    }

    /** The response is for its own client alone, or for its own client now; the handler's side passes it on. */
    void pass() {
        lock.lock();
        try {
            if (state != State.UNSHARED) {
                state = State.PASSING;
                decided.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Changes the head of the response, unless it may have gone to the client, and the response to the container, already. */
    void whileHeld(Runnable change) {
        lock.lock();
        try {
            if (!isPassing()) {
                change.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The handler goes on where its end is not seen: only its own client waits for it. */
    void release() {
        boolean open;
        lock.lock();
        try {
            open = state == State.OPEN;
            if (open) {
                state = State.UNSHARED;
                head = ServletHandlerHead.ofClientOnly();
            }
        } finally {
            lock.unlock();
        }
        collected.complete(BoundedBody.notShared(answer, Reason.ADAPTER));
        if (open) {
            received.complete(answer);
        }
    }

    /** The container is done with the request; if the handler is not, nobody will know what it does. */
    void lost() {
        if (!body.hasEnded()) {
            ServletHandlerRun.LostException lost = new ServletHandlerRun.LostException();
            received.completeExceptionally(lost);
            collected.completeExceptionally(lost);
        }
    }

    // The handler's side.

    /** Whether there is more of the body than others may have. */
    boolean isTooLarge() {
        return body.size() > limit;
    }

    /** Makes the head final; false if others have been released meanwhile. */
    boolean closeHead() {
        lock.lock();
        try {
            if (state != State.OPEN) {
                return false;
            }
            state = State.UNDECIDED;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the final head known, and waits for the decision. */
    void tellHead(ServletHandlerHead known) {
        head = known;
        received.complete(answer);
        awaitDecision();
    }

    /** Waits until it is known what to do with the bytes: where the handler has ended, until they may pass. */
    void awaitDecision() {
        boolean ended = body.hasEnded();
        lock.lock();
        try {
            long left = longestDecision.toNanos();
            while ((state == State.UNDECIDED || (ended && state == State.GATHERING)) && left > 0) {
                left = decided.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (state == State.UNDECIDED || ended) {
                pass(); // without a decision the response is for its own client alone
            }
            lock.unlock();
        }
    }

    /** There is more than may be shared, or it does not come to an end by itself: the others go on without it. */
    void passUnended() {
        collected.complete(passingBody());
        pass();
    }

    /** The others get the whole body. */
    void tellBody() {
        collected.complete(body.whole());
    }

    /** The others get nothing of a body that broke off: it may be about the user for whom it was. */
    void keepBody() {
        collected.completeExceptionally(new ServletHandlerRun.LostException());
    }
}
