package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/**
 * Completes a request that Tomcat would lose. A handler that runs in a dispatch, as behind a wait, may go on asynchronously and ask for an error page
 * before the container's thread is back. Tomcat has made the page then, and reports an error without a failure. Unless a listener completes the
 * request, its state is one that Tomcat refuses to go on from, and it closes the connection without a response.
 */
final class FailedDispatch implements AsyncListener {

    // immutable
    private final ServletHandlerRun run;

    FailedDispatch(ServletHandlerRun run) {
        this.run = run;
    }

    /** Whether it is that error; any other has a failure, or the handler has ended, and Tomcat completes the request itself. */
    static boolean isTold(AsyncEvent event, ServletHandlerRun run) {
        return event.getThrowable() == null && run.hasGoneAsync();
    }

    @Override
    public void onError(AsyncEvent event) {
        if (isTold(event, run)) {
            run.endedByContainer();
            event.getAsyncContext().complete();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
