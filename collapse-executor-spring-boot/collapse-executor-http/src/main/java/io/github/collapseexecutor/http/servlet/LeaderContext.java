package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;

/** The container's context, which tells when the handler says that it is done. */
record LeaderContext(AsyncContext context, ServletHandlerRun run) implements AsyncContext {

    @Override
    public void complete() {
        if (run.isEndedByContainer()) {
            return;
        }
        try {
            run.completed();
        } finally {
            completeOnce();
        }
    }

    private void completeOnce() {
        try {
            context.complete();
        } catch (IllegalStateException refusal) {
            if (!run.isEndedByContainer()) {
                throw refusal;
            }
        }
    }

    @Override
    public ServletRequest getRequest() {
        return context.getRequest();
    }

    @Override
    public ServletResponse getResponse() {
        return context.getResponse();
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return context.hasOriginalRequestAndResponse();
    }

    @Override
    public void dispatch() {
        context.dispatch();
    }

    @Override
    public void dispatch(String path) {
        context.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext servletContext, String path) {
        context.dispatch(servletContext, path);
    }

    @Override
    public void start(Runnable run) {
        context.start(run);
    }

    @Override
    public void addListener(AsyncListener listener) {
        context.addListener(new HandlersListener(listener, this));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
        context.addListener(new HandlersListener(listener, this), request, response);
    }

    /**
     * A listener that the handler has added. Most of them complete a request whose time is over by the context of the event: that has to tell of
     * it, too, because what the handler has written is held back until then.
     */
    private record HandlersListener(AsyncListener listener, LeaderContext own) implements AsyncListener {

        private AsyncEvent shown(AsyncEvent event) {
            AsyncContext present = event.getAsyncContext();
            return new AsyncEvent(
                    present == own.context ? own : new LeaderContext(present, own.run),
                    event.getSuppliedRequest(),
                    event.getSuppliedResponse(),
                    event.getThrowable());
        }

        @Override
        public void onComplete(AsyncEvent event) throws IOException {
            listener.onComplete(shown(event));
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            listener.onTimeout(shown(event));
        }

        @Override
        public void onError(AsyncEvent event) throws IOException {
            if (!own.run.isEndedByContainer()) {
                listener.onError(shown(event));
            }
        }

        @Override
        public void onStartAsync(AsyncEvent event) throws IOException {
            listener.onStartAsync(shown(event));
        }
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return context.createListener(type);
    }

    @Override
    public void setTimeout(long timeout) {
        context.setTimeout(timeout);
    }

    @Override
    public long getTimeout() {
        return context.getTimeout();
    }
}
