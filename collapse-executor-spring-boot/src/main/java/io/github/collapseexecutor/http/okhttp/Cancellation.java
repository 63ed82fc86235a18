package io.github.collapseexecutor.http.okhttp;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import okhttp3.Call;
import okhttp3.EventListener;

/**
 * Ends the waiting of a call that is cancelled, by whoever and for whatever reason: a time-out of the whole call is one.
 *
 * <p>OkHttp cancels by closing the connection, and a call that waits for another's answer has none. While it waits, its
 * thread is interrupted instead; never while it is on the wire, where OkHttp does the rest, and never after it has ended,
 * when the thread may be somebody else's.
 */
final class Cancellation extends EventListener {

    // immutable
    private final Call call;
    private final Thread thread = Thread.currentThread();
    private final ReentrantLock lock = new ReentrantLock();

    // mutable, guarded by the lock
    private boolean waiting = true;
    private boolean interrupted;

    private Cancellation(Call call) {
        this.call = call;
    }

    /** For a call of this thread that begins to wait. */
    static Cancellation watch(Call call) {
        Cancellation cancellation = new Cancellation(call);
        call.addEventListener(cancellation);
        if (call.isCanceled()) {
            cancellation.interrupt();
        }
        return cancellation;
    }

    @Override
    public void canceled(Call canceled) {
        interrupt();
    }

    private void interrupt() {
        lock.lock();
        try {
            // an interruption that is there already is not ours to take back
            if (waiting && !interrupted && !thread.isInterrupted()) {
                interrupted = true;
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The call goes on the wire: from now on OkHttp cancels it. */
    void beginSending() throws IOException {
        lock.lock();
        try {
            waiting = false;
        } finally {
            lock.unlock();
        }
        if (call.isCanceled()) {
            throw new CanceledCallException(new IOException("Canceled"));
        }
    }

    /** The call has ended; the thread is as interrupted as it would be without us. */
    void end() {
        lock.lock();
        try {
            waiting = false;
            if (interrupted) {
                interrupted = false;
                Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }

    /** What became of the call on the wire, told from what others must not suffer for. */
    IOException causeOf(IOException failure) {
        return call.isCanceled() ? new CanceledCallException(failure) : failure;
    }

    /** The failure as OkHttp itself would put it: the interruption was how we did it, not what happened. */
    IOException requestedAs(IOException failure) {
        lock.lock();
        try {
            return interrupted ? new IOException("Canceled", failure) : failure;
        } finally {
            lock.unlock();
        }
    }
}
