package io.github.collapseexecutor.http.lab;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.concurrent.locks.ReentrantLock;

/**
 * When a thread of an application's own may touch a response: not when the container is done with it, because its client has left for example. Tomcat
 * uses the object for another request then. Spring has such a lock, too.
 */
final class LabTurns implements AsyncListener {

    // mutable, thread-safe
    private final ReentrantLock lock = new ReentrantLock();
    private boolean over;

    /** Begins a turn unless there are no more; it has to be {@linkplain #end ended}. */
    boolean begin() {
        lock.lock();
        if (over) {
            lock.unlock();
            return false;
        }
        return true;
    }

    void end() {
        lock.unlock();
    }

    private void endAll() {
        lock.lock();
        try {
            over = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        endAll();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        endAll();
    }

    @Override
    public void onError(AsyncEvent event) {
        endAll();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
