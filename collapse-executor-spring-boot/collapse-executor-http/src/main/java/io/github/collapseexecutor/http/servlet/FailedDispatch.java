package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletResponse;

/**
 * Completes a request that Tomcat would lose. A handler that runs in a dispatch, as behind a wait, may go on asynchronously and ask for an error page
 * before the container's thread is back. Tomcat has made the page then, and reports an error without a failure. Unless a listener completes the
 * request, its state is one that Tomcat refuses to go on from, and it closes the connection without a response.
 *
 * <p>Tomcat tells its listeners of each start, also of one by a request that the handler has unwrapped.
 */
record FailedDispatch(ServletHandlerRun run) implements AsyncListener {

    /** Watches all dispatches of a request from now on, where the container needs it. */
    static void watch(AsyncContext context, ServletResponse response, ServletHandlerRun run) {
        if (MadeBy.TOMCAT.isBelow(response)) {
            context.addListener(new FailedDispatch(run));
        }
    }

    /** Any other error has a failure, or the handler has ended: then Tomcat completes the request itself. */
    @Override
    public void onError(AsyncEvent event) {
        if (event.getThrowable() == null && run.endsByContainer()) {
            event.getAsyncContext().complete();
        }
    }

    /** Tomcat forgets its listeners then. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        run.startedAsync();
        event.getAsyncContext().addListener(this);
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onTimeout(AsyncEvent event) {}
}
