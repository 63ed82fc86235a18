package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsibleRequest;
import io.github.collapseexecutor.http.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Lets concurrent requests to a server that ask for the same thing share one run of their handler.
 *
 * <pre>{@code
 * FilterRegistration.Dynamic collapsing = servletContext.addFilter("collapsing", new CollapseServletFilter(options));
 * collapsing.setAsyncSupported(true);
 * collapsing.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
 * }</pre>
 *
 * <p>It has to be the last filter, and to be mapped to the dispatcher types {@code REQUEST} and {@code ASYNC}. Filters before
 * it see every request: authentication, limits, logs and metrics. What is shared is what comes behind: the handler, be it
 * synchronous or asynchronous. A request that shows who makes it, by credentials, principal, client certificate or session,
 * is not collapsed unless its policy shares across users.
 *
 * <p>A lone request runs its handler on its own thread, as without this filter. A request that waits, for another's handler or
 * to run its own, holds no thread; it comes back by an asynchronous dispatch. If the handler fails, everybody gets the same
 * error and an error page of his own. If the client of the request that runs the handler is gone, the others are answered all
 * the same. Responses that are streamed, that are larger than {@code maxBodySize}, or that are not for others are passed on as
 * they are written, and the others run the handler themselves.
 *
 * <p>One instance serves one servlet context, and any number of threads.
 */
public final class CollapseServletFilter implements Filter {

    // immutable
    private final HttpCollapseOptions http;
    private final FutureHttpCollapseExecutor executor;
    private final Executor dispatcher;
    private final String attribute = CollapseServletFilter.class.getName() + "@" + System.identityHashCode(this);

    /**
     * Creates a filter with no request in flight, which gathers as {@link CollapseOptions#defaults()} say.
     *
     * @param http what is collapsed; without a group, nothing
     */
    public CollapseServletFilter(HttpCollapseOptions http) {
        this(http, CollapseOptions.defaults());
    }

    /**
     * Creates a filter with no request in flight.
     *
     * @param http what is collapsed; without a group, nothing
     * @param core how requests are gathered
     */
    public CollapseServletFilter(HttpCollapseOptions http, CollapseOptions core) {
        this(http, core, Runnable::run);
    }

    /**
     * Creates a filter with no request in flight.
     *
     * @param http what is collapsed; without a group, nothing
     * @param core how requests are gathered
     * @param dispatcher hands requests that have waited back to the container, which takes some microseconds for each; by
     *     default, whoever ends what they waited for does
     */
    public CollapseServletFilter(HttpCollapseOptions http, CollapseOptions core, Executor dispatcher) {
        this.http = http;
        this.executor = FutureHttpCollapseExecutor.ofServer(http, core);
        this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher");
    }

    /**
     * Runs the rest of the chain, or answers the request with what it gave for another, at once or later.
     *
     * @param request the request
     * @param response the response
     * @param chain the handler
     * @throws IOException as the handler threw it
     * @throws ServletException as the handler threw it
     */
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!(request instanceof HttpServletRequest httpRequest)
                || !(response instanceof HttpServletResponse httpResponse)) {
            chain.doFilter(request, response);
            return;
        }
        Object present = request.getAttribute(attribute);
        if (present instanceof ServletExchange exchange && request.getDispatcherType() == DispatcherType.ASYNC) {
            exchange.resume(httpRequest, httpResponse, chain);
        } else if (present != null || request.getDispatcherType() != DispatcherType.REQUEST) {
            chain.doFilter(request, response);
        } else {
            arrive(httpRequest, httpResponse, chain);
        }
    }

    private void arrive(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ArrivedRequest arrived = ArrivedRequest.of(request, http::isCredential);
        if (arrived != null && !ArrivedRequest.isReading(request)) {
            new ForwardedExchange(arrived).run(executor, request, response, chain);
            return;
        }
        if (arrived == null
                || !request.isAsyncSupported()
                || !arrived.canBeDispatched()
                || !(executor.collapsible(arrived) instanceof CollapsibleRequest collapsible)) {
            chain.doFilter(request, response);
            return;
        }
        ServletExchange exchange = new ServletExchange(arrived, dispatcher);
        request.setAttribute(attribute, exchange);
        exchange.submit(executor.execute(exchange, collapsible), request, response, chain);
    }
}
