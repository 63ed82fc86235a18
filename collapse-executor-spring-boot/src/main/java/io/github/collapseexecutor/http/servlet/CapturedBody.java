package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The body that a handler writes, held back until it is known who may have it, then passed on.
 *
 * <p>At first it is like the container's own buffer: the head of the response may still change. The head is final when that
 * buffer would be full, when the handler flushes, or when it has ended. Then the owner decides: either nobody else may have
 * the response, and it passes, what was held back first; or somebody may, and it is gathered to its end or its limit. Another
 * thread may be about to decide: a handler that has more to write waits for it, so that no more is held than a buffer and what
 * was written last. What has begun to pass without a decision is shared with nobody, whatever is decided later.
 *
 * <p>A flush alone does not tell a streaming handler from one that is done, because most frameworks flush what they have
 * written completely. It streams if it writes on after that, or flushes on a thread of its own; then it is passed on.
 */
final class CapturedBody {

    /** A decision that another thread is about to make is waited for, but not for longer than this. */
    static final Duration LONGEST_DECISION = Duration.ofSeconds(1);

    /** Who decides; called without the lock being held. */
    interface Owner {

        /** The head is final. */
        void headIsFinal();

        /** There is more than may be shared, or it does not come to an end of its own accord. */
        void bodyIsOpen();

        /** Whether the present thread was sent by the container, and not by the handler. */
        boolean isInDispatch();
    }

    private enum State {
        /** The head may change. */
        OPEN,
        /** The head is final; nobody has said who may have the response. */
        UNDECIDED,
        /** Others may have the response if it comes to an end within the limit. */
        GATHERING,
        /** What the handler writes goes to its own client. */
        PASSING
    }

    // immutable
    private final Owner owner;
    private final Duration longestDecision;
    private final int bufferSize;
    private final ClientBody client;
    private final HandlerOutput output;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition decided = lock.newCondition();

    // mutable, guarded by the lock
    private State state = State.OPEN;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private long limit;
    private boolean flushed;
    private boolean streaming;
    private boolean ended;
    private boolean closed;
    private @Nullable IOException lost;

    // mutable, confined to the handler
    private boolean discarding;

    CapturedBody(HttpServletResponse response, Owner owner) {
        this(response, owner, LONGEST_DECISION);
    }

    CapturedBody(HttpServletResponse response, Owner owner, Duration longestDecision) {
        this.owner = owner;
        this.longestDecision = longestDecision;
        this.bufferSize = response.getBufferSize();
        this.client = new ClientBody(response);
        this.output = new HandlerOutput(this, client);
    }

    ServletOutputStream openStream() throws IOException {
        return output.openStream();
    }

    PrintWriter openWriter() throws IOException {
        return output.openWriter();
    }

    boolean isHeadFinal() {
        return inState() != State.OPEN;
    }

    boolean isPassing() {
        return inState() == State.PASSING;
    }

    private State inState() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return held.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what the handler has written, or null if some of it is held no more: it has passed. */
    byte @Nullable [] held() {
        lock.lock();
        try {
            return state == State.PASSING ? null : held.toByteArray();
        } finally {
            lock.unlock();
        }
    }

    /** Changes the head of the response, unless it may have gone to the client, and the response to the container, already. */
    void whileHeld(Runnable change) {
        lock.lock();
        try {
            if (state != State.PASSING) {
                change.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what was written; how it was to be written, too, is open again if the response is reset. */
    void clear() {
        discarding = true;
        drain();
        discarding = false;
        lock.lock();
        try {
            held.reset();
        } finally {
            lock.unlock();
        }
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            rethrowLoss();
            if (closed || discarding || length == 0) {
                return;
            }
            awaitDecision();
            rethrowLoss();
            if (state == State.PASSING) {
                client.write(bytes, offset, length);
                return;
            }
            held.write(bytes, offset, length);
            if (flushed || (state == State.GATHERING && held.size() > limit)) {
                streaming = true;
            }
        } finally {
            lock.unlock();
        }
        proceed(size() > bufferSize);
    }

    /** To be called with the lock, which others can have meanwhile. */
    private void awaitDecision() {
        long left = longestDecision.toNanos();
        try {
            while (state == State.UNDECIDED && left > 0) {
                left = decided.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (state == State.UNDECIDED) {
            pass();
        }
    }

    private void rethrowLoss() throws IOException {
        if (lost != null) {
            throw new IOException("The client is gone", lost);
        }
    }

    /** What the handler has written, including what a writer still has to encode, is to reach its client. */
    void flushAll() throws IOException {
        drain();
        flush();
    }

    void flush() throws IOException {
        boolean passing;
        lock.lock();
        try {
            rethrowLoss();
            passing = state == State.PASSING;
            flushed = true;
            streaming |= !owner.isInDispatch();
        } finally {
            lock.unlock();
        }
        if (passing) {
            client.flush();
        } else {
            proceed(true);
        }
    }

    void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            if (state == State.PASSING) {
                client.close();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whatever comes, it goes to the handler's own client as it comes. */
    void openForGood() throws IOException {
        lock.lock();
        try {
            streaming = true;
        } finally {
            lock.unlock();
        }
        proceed(true);
        pass();
    }

    /** Goes on until there is nothing more to decide for what was written. */
    private void proceed(boolean headIsFinal) throws IOException {
        boolean nowFinal = false;
        lock.lock();
        try {
            if (state == State.OPEN && headIsFinal) {
                state = State.UNDECIDED;
                nowFinal = true;
            }
        } finally {
            lock.unlock();
        }
        if (nowFinal) {
            owner.headIsFinal();
        }
        boolean isOpen;
        lock.lock();
        try {
            isOpen = streaming && state == State.GATHERING;
        } finally {
            lock.unlock();
        }
        if (isOpen) {
            owner.bodyIsOpen();
            pass();
        }
        lock.lock();
        try {
            rethrowLoss();
        } finally {
            lock.unlock();
        }
    }

    /** Others may have the response; returns whether its end is known already. */
    Found gather(long most) {
        lock.lock();
        try {
            limit = most;
            if (held.size() > most || ((streaming || state == State.PASSING) && !ended)) {
                return Found.OPEN;
            }
            if (state == State.UNDECIDED) {
                state = State.GATHERING;
                decided.signalAll();
            }
            return ended ? Found.ENDED : Found.TO_COME;
        } finally {
            lock.unlock();
        }
    }

    /** What is known of the end of a body. */
    enum Found {
        ENDED,
        TO_COME,
        OPEN
    }

    /** The handler has ended; the owner is told of the head if it was not before. */
    void end() {
        drain();
        boolean nowFinal;
        lock.lock();
        try {
            ended = true;
            nowFinal = state == State.OPEN;
            if (nowFinal) {
                state = State.UNDECIDED;
            }
        } finally {
            lock.unlock();
        }
        if (nowFinal) {
            owner.headIsFinal();
        }
    }

    boolean isEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Passes what was held back to the client, and from now on all that is written. */
    void pass() {
        lock.lock();
        try {
            if (state == State.PASSING) {
                return;
            }
            state = State.PASSING;
            decided.signalAll();
            client.write(held.toByteArray(), 0, held.size());
            held.reset();
            if (flushed && !ended) {
                client.flush();
            }
            if (closed) {
                client.close();
            }
        } catch (IOException e) {
            lost = e;
        } finally {
            lock.unlock();
        }
    }

    /** The failure to pass something on, if there was one. */
    @Nullable IOException loss() {
        lock.lock();
        try {
            return lost;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void drain() {
        try {
            output.drain();
        } catch (IOException e) {
            lock.lock();
            try {
                lost = e;
            } finally {
                lock.unlock();
            }
        }
    }
}
