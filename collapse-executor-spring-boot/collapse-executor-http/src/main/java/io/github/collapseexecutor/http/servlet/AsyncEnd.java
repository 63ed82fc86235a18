package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/** Notices that the container is done with a request, or that its client is gone. */
record AsyncEnd(Runnable action) implements AsyncListener {

    @Override
    public void onComplete(AsyncEvent event) {
        action.run();
    }

    /** What follows is the container's: it dispatches to an error page, and completes. */
    @Override
    public void onTimeout(AsyncEvent event) {}

    /** As on a time-out. */
    @Override
    public void onError(AsyncEvent event) {}

    /** A request that goes on again after a dispatch has not ended; the container forgets its listeners. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
