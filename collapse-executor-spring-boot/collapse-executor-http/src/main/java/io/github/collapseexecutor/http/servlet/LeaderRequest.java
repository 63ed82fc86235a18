package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request that the handler of a leader sees: if the handler goes on asynchronously, it does so with the captured response,
 * and its end is noticed.
 */
final class LeaderRequest extends HttpServletRequestWrapper {

    // immutable
    private final ServletHandlerRun run;
    private final HttpServletResponse shown;
    private final ServletCapturedResponse captured;
    private final boolean wrapped;
    /** Whether a filter in front has put another request in the place of the server's. */
    private final boolean replaced;

    private final String address;

    // mutable, confined to the handler
    private @Nullable LeaderContext context;

    /** The name to which a walk through all of them has come; null without one. */
    private @Nullable String walkedTo;

    /**
     * Wraps a request.
     *
     * @param shown the captured response as the handler gets it
     */
    LeaderRequest(
            HttpServletRequest request,
            HttpServletResponse shown,
            ServletCapturedResponse captured,
            ServletHandlerRun run) {
        super(request);
        this.shown = shown;
        this.captured = captured;
        this.run = run;
        this.wrapped = isWrapped();
        this.replaced = request instanceof ServletRequestWrapper;
        this.address = request.getRequestURI();
    }

    /**
     * What a handler makes of a CSRF token of Spring Security is for the one client that has the same token. To read the attribute is not to use
     * the token: Spring itself copies all attributes, and puts the copies back, for each nested route.
     */
    @Override
    public @Nullable Object getAttribute(String name) {
        return ServletPersonalToken.shown(super.getAttribute(name), captured.buffer()::keepForClient);
    }

    /** Of a resource that is included by its name, containers tell by the type of the dispatch alone; of one by its path also in a forward that it makes. */
    boolean isIncluded() {
        return super.getDispatcherType() == DispatcherType.INCLUDE
                || super.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) != null;
    }

    /** A handler may have a dispatcher of its servlet's context, which nobody sees forward: Jetty comes by here. */
    @Override
    public ServletRequest getRequest() {
        captured.lookForForward();
        return super.getRequest();
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        super.setAttribute(name, ServletPersonalToken.unwrapped(value));
    }

    /** Spring copies all headers of each request, if an application has a function as a handler: to read each name on the way is to look at none. */
    @Override
    public Enumeration<String> getHeaderNames() {
        Iterator<String> names = super.getHeaderNames().asIterator();
        return new Enumeration<>() {
            @Override
            public boolean hasMoreElements() {
                boolean more = names.hasNext();
                walkedTo = more ? walkedTo : null;
                return more;
            }

            @Override
            public String nextElement() {
                String next = names.next();
                walkedTo = next;
                return next;
            }
        };
    }

    private void lookAt(String name) {
        run.looksAt(name, !name.equalsIgnoreCase(walkedTo));
        if (replaced
                && !run.knows(name)
                && (super.getHeader(name) != null || super.getHeaders(name).hasMoreElements())) {
            captured.buffer()
                    .keepForClient(); // no key shows a header that a filter in front has added without listing it
        }
    }

    @Override
    public @Nullable String getParameter(String name) {
        String value = super.getParameter(name);
        keepUnlessListed(name, value);
        return value;
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        String[] values = super.getParameterValues(name);
        keepUnlessListed(name, values);
        return values;
    }

    /** No key shows a parameter that a filter in front has added without listing it. */
    private void keepUnlessListed(String parameter, @Nullable Object value) {
        if (replaced
                && value != null
                && !super.getParameterMap().containsKey(parameter)
                && !Collections.list(super.getParameterNames()).contains(parameter)) {
            captured.buffer().keepForClient();
        }
    }

    @Override
    public @Nullable String getHeader(String name) {
        lookAt(name);
        return super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        lookAt(name);
        return super.getHeaders(name);
    }

    @Override
    public long getDateHeader(String name) {
        lookAt(name);
        return super.getDateHeader(name);
    }

    @Override
    public int getIntHeader(String name) {
        lookAt(name);
        return super.getIntHeader(name);
    }

    /** Where nobody knows whether requests have bodies, the response of a handler that looks is for its own client (H9). */
    @Override
    public ServletInputStream getInputStream() throws IOException {
        lookForBody();
        return super.getInputStream();
    }

    @Override
    public BufferedReader getReader() throws IOException {
        lookForBody();
        return super.getReader();
    }

    @Override
    public @Nullable HttpSession getSession(boolean create) {
        if (create && super.getSession(false) == null) {
            captured.askWhetherCommitted(); // then its cookie comes too late, or the container refuses
            captured.keepFromOthers(); // its own client is told of it, even if the handler ends it
        }
        return super.getSession(create);
    }

    @Override
    public @Nullable HttpSession getSession() {
        return getSession(true);
    }

    private void lookForBody() {
        if (RequestSnapshot.mayHideBody(arrived())) {
            captured.buffer().keepForClient();
        }
    }

    /** The request as the filters in front have left it. */
    HttpServletRequest arrived() {
        return (HttpServletRequest) super.getRequest();
    }

    /**
     * A handler that names no response goes on with the server's own, as {@link ServletRequest#startAsync()} says, past filters in front that
     * have put theirs in its place and may have sent what they kept of it. Nobody sees what the handler writes there.
     */
    @Override
    public AsyncContext startAsync() {
        if (!wrapped && (!isWrapped() || isDispatchedBack())) {
            return startAsync(this, shown);
        }
        captured.buffer().keepForClient();
        return goesOn(super.startAsync());
    }

    /** Whether filters in front have put requests or responses of their own in the place of the server's. */
    private boolean isWrapped() {
        return arrived() instanceof ServletRequestWrapper || captured.getResponse() instanceof ServletResponseWrapper;
    }

    /** Whether the handler has dispatched the request to where it came from; Tomcat puts requests and responses of its own in between then. */
    private boolean isDispatchedBack() {
        return getDispatcherType() == DispatcherType.ASYNC && address.equals(getRequestURI());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return goesOn(super.startAsync(request, ShownResponse.asWrapper(response)));
    }

    private AsyncContext goesOn(AsyncContext started) {
        run.wentAsync(started);
        LeaderContext own = new LeaderContext(started, run);
        context = own;
        return own;
    }

    /**
     * A forward clears what was written; a container that unwraps the response does not see what is held back of it. For an include, filters in
     * front complete their headers, as Spring Security's.
     */
    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(String path) {
        RequestDispatcher dispatcher = super.getRequestDispatcher(path);
        return dispatcher == null ? null : new LeaderDispatcher(dispatcher, captured);
    }

    private record LeaderDispatcher(RequestDispatcher dispatcher, ServletCapturedResponse captured)
            implements RequestDispatcher {

        @Override
        public void forward(ServletRequest request, ServletResponse response) throws ServletException, IOException {
            captured.forwards();
            dispatcher.forward(request, response);
        }

        @Override
        public void include(ServletRequest request, ServletResponse response) throws ServletException, IOException {
            Map<String, List<String>> headers = captured.presentHeaders();
            try {
                dispatcher.include(request, response);
            } finally {
                captured.includedSince(headers);
            }
        }
    }

    @Override
    public AsyncContext getAsyncContext() {
        return context == null ? super.getAsyncContext() : context;
    }
}
