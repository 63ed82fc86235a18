package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.Dispatching;
import io.github.collapseexecutor.http.servlet.zoo.Passing;
import io.github.collapseexecutor.http.servlet.zoo.ResponseFilters;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/** The filters of the lab on the Servlet API. */
final class ServletParts {

    static final String ADDED = "X-Added";

    static final String ATTRIBUTE = "lab.user";

    private static final String PASSED = "lab.passed";

    private ServletParts() {}

    /** A filter that does something to a request when it comes first, and nothing when it is dispatched. */
    private interface Front extends Filter {

        void before(HttpServletRequest request, HttpServletResponse response) throws IOException;

        @Override
        default void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                before((HttpServletRequest) request, (HttpServletResponse) response);
            }
            chain.doFilter(request, response);
        }
    }

    private static Front front(Front front) {
        return front;
    }

    static Filter of(LabFilter filter) {
        return switch (filter) {
            case NAMES_THE_USER ->
                front((request, response) -> {
                    response.addHeader("X-Front", request.getHeader("X-User"));
                    response.addHeader("Vary", "X-Front-Vary");
                });
            case CACHE_CONTROL ->
                front((request, response) -> {
                    response.setHeader("Cache-Control", "no-cache, no-store");
                    response.setDateHeader("Expires", 0);
                });
            case COOKIE ->
                front((request, response) -> response.addCookie(new Cookie("front", request.getHeader("X-User"))));
            case READS_THE_FORM ->
                front((request, response) ->
                        response.addHeader("X-Form", request.getParameter("form") + request.getParameter("q")));
            case CHARSET -> front((request, response) -> response.setCharacterEncoding("UTF-8"));
            case CONTENT_TYPE -> front((request, response) -> response.setContentType("text/html;charset=ISO-8859-1"));
            case CHANGES_THE_REQUEST ->
                (request, response, chain) -> chain.doFilter(new Added((HttpServletRequest) request), response);
            case ATTRIBUTE ->
                front((request, response) -> request.setAttribute(ATTRIBUTE, request.getHeader("X-User")));
            case TRANSLATES_FAILURES -> new ResponseFilters.Translating();
            case LATE_HEADER ->
                (request, response, chain) -> {
                    chain.doFilter(request, response);
                    if (!response.isCommitted() && !request.isAsyncStarted()) {
                        ((HttpServletResponse) response).addHeader("X-Late", "1");
                    }
                };
            case ETAG -> new ShallowEtagHeaderFilter();
            case GZIP -> new ResponseFilters.Gzip();
            case HOLDS_THE_BODY -> new ResponseFilters.Caching();
            case UPPER_CASE -> new ResponseFilters.UpperCase();
            case BEGINS_WHEN_ASKED -> begins(true);
            case BEGINS_EACH_TIME -> begins(false);
            case GZIP_WHEN_ASKED -> new ResponseFilters.GzipWhenAsked();
            case WRITES_TEXT_FIRST ->
                front((request, response) -> response.getWriter().write("(" + request.getHeader("X-User") + ")"));
            case WRITES_BYTES_FIRST ->
                front((request, response) -> response.getOutputStream().print("(" + request.getHeader("X-User") + ")"));
            case WRAPS ->
                (request, response, chain) ->
                        chain.doFilter(request, new ResponseFilters.PassingOn((HttpServletResponse) response));
            case FORWARDS -> once(Dispatching.OF_THE_REQUEST, RequestDispatcher::forward);
            case FORWARDS_BY_NAME -> once(Dispatching.BY_NAME, RequestDispatcher::forward);
            case INCLUDES -> once(Dispatching.OF_THE_REQUEST, RequestDispatcher::include);
            case INCLUDES_BY_NAME -> once(Dispatching.BY_NAME, RequestDispatcher::include);
        };
    }

    /** Has the container go on to the handler by its own way, and not again when the handler is dispatched back. */
    private static Filter once(Dispatching by, Passing passing) {
        return (request, response, chain) -> {
            if (request.getAttribute(PASSED) == null) {
                request.setAttribute(PASSED, true);
                passing.pass(by.dispatcher((HttpServletRequest) request), request, response);
            } else {
                chain.doFilter(request, response);
            }
        };
    }

    private static Filter begins(boolean once) {
        String seen = "lab.begun." + once;
        return (request, response, chain) -> {
            boolean first = request.getAttribute(seen) == null;
            request.setAttribute(seen, true);
            chain.doFilter(request, first ? new Begun((HttpServletResponse) response, once) : response);
        };
    }

    /** A response that writes as soon as somebody asks where to write. */
    private static final class Begun extends ResponseFilters.WithoutLength {

        // immutable
        private final boolean once;

        // mutable, confined to the thread that writes
        private boolean begun;

        Begun(HttpServletResponse response, boolean once) {
            super(response);
            this.once = once;
        }

        private boolean begins() {
            boolean begins = !begun || !once;
            begun = true;
            return begins;
        }

        @Override
        public ServletOutputStream getOutputStream() throws IOException {
            ServletOutputStream stream = super.getOutputStream();
            if (begins()) {
                stream.print("<");
            }
            return stream;
        }

        @Override
        public PrintWriter getWriter() throws IOException {
            PrintWriter writer = super.getWriter();
            if (begins()) {
                writer.print("<");
            }
            return writer;
        }
    }

    /** A request with a header more. */
    private static final class Added extends HttpServletRequestWrapper {

        Added(HttpServletRequest request) {
            super(request);
        }

        private String value() {
            return "added-" + super.getHeader("X-User");
        }

        @Override
        public String getHeader(String name) {
            return name.equalsIgnoreCase(ADDED) ? value() : super.getHeader(name);
        }

        @Override
        public Enumeration<String> getHeaders(String name) {
            return name.equalsIgnoreCase(ADDED) ? Collections.enumeration(List.of(value())) : super.getHeaders(name);
        }

        @Override
        public Enumeration<String> getHeaderNames() {
            List<String> names = new ArrayList<>(Collections.list(super.getHeaderNames()));
            names.add(ADDED);
            return Collections.enumeration(names);
        }
    }
}
