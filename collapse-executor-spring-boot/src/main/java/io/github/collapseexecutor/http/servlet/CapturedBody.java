package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The body that a handler writes, held back until it is known who may have it, then passed on.
 *
 * <p>At first it is like the container's own buffer: the head of the response may still change. The head is final when that
 * buffer would be full, when the handler flushes, or when it has ended. Then the owner decides: either nobody else may have
 * the response, and it passes, what was held back first; or somebody may, and it is gathered to its end or its limit.
 *
 * <p>A flush alone does not tell a streaming handler from one that is done, because most frameworks flush what they have
 * written completely. It streams if it writes on after that, or flushes on a thread of its own; then it is passed on.
 */
final class CapturedBody {

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
    private final HttpServletResponse response;
    private final Owner owner;
    private final int bufferSize;
    private final ReentrantLock lock = new ReentrantLock();

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
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;
    private @Nullable OutputStreamWriter encoder;
    private @Nullable Charset charset;
    private boolean draining;
    private boolean discarding;

    CapturedBody(HttpServletResponse response, Owner owner) {
        this.response = response;
        this.owner = owner;
        this.bufferSize = response.getBufferSize();
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

    byte[] bytes() {
        lock.lock();
        try {
            return held.toByteArray();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what was written; how it was to be written, too, is open again if the response is reset. */
    void clear() {
        discarding = true;
        drainEncoder();
        discarding = false;
        lock.lock();
        try {
            held.reset();
        } finally {
            lock.unlock();
        }
    }

    ServletOutputStream openStream() throws IOException {
        stream = response.getOutputStream();
        writer = null;
        encoder = null;
        charset = null;
        return new CapturedStream();
    }

    /** The container fixes the character encoding when it opens its writer. */
    PrintWriter openWriter() throws IOException {
        PrintWriter own = response.getWriter();
        Charset named = Charset.forName(response.getCharacterEncoding());
        OutputStreamWriter encoding = new OutputStreamWriter(new CapturedStream(), named);
        stream = null;
        writer = own;
        charset = named;
        encoder = encoding;
        return new PrintWriter(encoding) {
            @Override
            public boolean checkError() {
                return super.checkError() || (isPassing() && own.checkError());
            }
        };
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            rethrowLoss();
            if (closed || discarding || length == 0) {
                return;
            }
            if (state == State.PASSING) {
                passOn(bytes, offset, length);
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

    private void rethrowLoss() throws IOException {
        if (lost != null) {
            throw new IOException("The client is gone", lost);
        }
    }

    void flush() throws IOException {
        drainEncoder();
        flushHeld();
    }

    private void flushHeld() throws IOException {
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
            passFlush();
        } else {
            proceed(true);
        }
    }

    private void passFlush() throws IOException {
        if (writer != null) {
            writer.flush();
        }
        response.flushBuffer();
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
            if (held.size() > most || (streaming && !ended)) {
                return Found.OPEN;
            }
            if (state == State.UNDECIDED) {
                state = State.GATHERING;
            }
            return ended ? Found.COMPLETE : Found.TO_COME;
        } finally {
            lock.unlock();
        }
    }

    /** What is known of the end of a body. */
    enum Found {
        COMPLETE,
        TO_COME,
        OPEN
    }

    /** The handler has ended; the owner is told of the head if it was not before. */
    void end() {
        drainEncoder();
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
            passOn(held.toByteArray(), 0, held.size());
            held.reset();
            if (flushed && !ended) {
                passFlush();
            }
            if (closed && stream != null) {
                stream.close();
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

    private void passOn(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return;
        }
        if (writer != null && charset != null) {
            // a character encoder never splits a character between two of its writes
            writer.write(new String(bytes, offset, length, charset));
        } else if (stream != null) {
            stream.write(bytes, offset, length);
        }
    }

    private void drainEncoder() {
        OutputStreamWriter encoding = encoder;
        if (encoding != null && !isClosed()) {
            draining = true;
            try {
                encoding.flush();
            } catch (IOException e) {
                lock.lock();
                try {
                    lost = e;
                } finally {
                    lock.unlock();
                }
            } finally {
                draining = false;
            }
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** What the handler, or the encoder of its writer, writes bytes to. */
    private final class CapturedStream extends ServletOutputStream {

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            CapturedBody.this.write(bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            if (!draining) {
                flushHeld();
            }
        }

        @Override
        public void close() throws IOException {
            lock.lock();
            try {
                closed = true;
                if (state == State.PASSING && stream != null) {
                    stream.close();
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean isReady() {
            return !isPassing() || stream == null || stream.isReady();
        }

        /** Who writes without blocking writes to its own client. */
        @Override
        public void setWriteListener(WriteListener listener) {
            lock.lock();
            try {
                streaming = true;
            } finally {
                lock.unlock();
            }
            try {
                proceed(true);
            } catch (IOException e) {
                listener.onError(e);
                return;
            }
            pass();
            if (stream != null) {
                stream.setWriteListener(listener);
            }
        }
    }
}
