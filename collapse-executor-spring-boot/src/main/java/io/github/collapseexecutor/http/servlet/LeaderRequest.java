package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The request that the handler of a leader sees: if the handler goes on asynchronously, it does so with the captured response,
 * and its end is noticed.
 */
final class LeaderRequest extends HttpServletRequestWrapper {

    private static final @Nullable Class<?> TOKEN = tokenType();

    // immutable
    private final HandlerRun run;
    private final HttpServletResponse shown;
    private final CapturedResponse captured;

    // mutable, confined to the handler
    private @Nullable LeaderContext context;

    /**
     * Wraps a request.
     *
     * @param shown the captured response as the handler gets it
     */
    LeaderRequest(HttpServletRequest request, HttpServletResponse shown, CapturedResponse captured, HandlerRun run) {
        super(request);
        this.shown = shown;
        this.captured = captured;
        this.run = run;
    }

    private static @Nullable Class<?> tokenType() {
        try {
            return Class.forName(
                    "org.springframework.security.web.csrf.CsrfToken", false, LeaderRequest.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError absent) {
            return null;
        }
    }

    /** What a handler makes of a CSRF token of Spring Security is for the one client that has the same token. */
    @Override
    public @Nullable Object getAttribute(String name) {
        Object value = super.getAttribute(name);
        if (TOKEN != null && TOKEN.isInstance(value)) {
            captured.buffer().keepForClient();
        }
        return value;
    }

    /** The request as the filters in front have left it. */
    HttpServletRequest arrived() {
        return (HttpServletRequest) getRequest();
    }

    @Override
    public AsyncContext startAsync() {
        return startAsync(this, shown);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        AsyncContext started = super.startAsync(request, response);
        run.wentAsync(started);
        LeaderContext own = new LeaderContext(started, run);
        context = own;
        return own;
    }

    /** A forward clears what was written; a container that unwraps the response does not see what is held back of it. */
    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(String path) {
        RequestDispatcher dispatcher = super.getRequestDispatcher(path);
        return dispatcher == null ? null : new ClearingDispatcher(dispatcher, captured);
    }

    private record ClearingDispatcher(RequestDispatcher dispatcher, CapturedResponse captured)
            implements RequestDispatcher {

        @Override
        public void forward(ServletRequest request, ServletResponse response) throws ServletException, IOException {
            if (!captured.isCommitted()) {
                captured.buffer().clear();
            }
            dispatcher.forward(request, response);
        }

        @Override
        public void include(ServletRequest request, ServletResponse response) throws ServletException, IOException {
            dispatcher.include(request, response);
        }
    }

    @Override
    public AsyncContext getAsyncContext() {
        return context == null ? super.getAsyncContext() : context;
    }
}
