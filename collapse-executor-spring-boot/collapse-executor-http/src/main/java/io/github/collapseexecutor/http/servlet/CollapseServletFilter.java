package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.LibraryThreads;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.RequestDecision;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
 * it see every request: authentication, limits, logs and metrics. It shares what comes behind it: the handler, be it
 * synchronous or asynchronous. A request that shows who makes it, by credentials, principal, client certificate or session,
 * is not collapsed unless its policy shares across users.
 *
 * <p><b>Threads.</b> A handler runs on the thread that its request came on, inside the filters that the request passed, as
 * without this filter. A request that opens a batch waits there until the batch starts. A follower waits as {@link
 * FollowerWaiting} says: by default on its own thread too; with {@link FollowerWaiting#ASYNC} it gives its thread back and comes
 * back by an asynchronous dispatch. Only then, and only if the response of its leader is not for it, a follower runs its handler
 * in that dispatch.
 *
 * <p><b>Asynchronous handlers.</b> A handler that goes on asynchronously needs a thread of the container to end. Followers that
 * hold all of these threads would wait for ever. Such a handler is therefore shared only where followers are {@code ASYNC}, or
 * threads are virtual; elsewhere the followers run the handler themselves, and a warning says so once.
 *
 * <p><b>Failures.</b> If the handler fails, each request gets the same error and an error page of its own. If the client of the
 * request that runs the handler is gone, the others are answered all the same. Responses that are streamed, that are larger than
 * {@code maxBodySize}, or that are not for others are passed on as they are written, and the others run the handler themselves.
 * A thread that is interrupted while its request waits throws an {@link java.io.InterruptedIOException}.
 *
 * <p>One instance serves one servlet context, and any number of threads.
 */
public final class CollapseServletFilter implements Filter {

    private static final System.Logger LOGGER = System.getLogger(CollapseServletFilter.class.getName());

    // immutable
    private final HttpCollapseOptions http;
    private final FutureHttpCollapseExecutor executor;
    private final Executor dispatcher;
    private final Function<? super ServletContext, FollowerWaiting> waitingIn;
    private final FollowerListener listener;
    private final String attribute = CollapseServletFilter.class.getName() + "@" + System.identityHashCode(this);
    private final Set<String> said = ConcurrentHashMap.newKeySet();

    // mutable, written once by the container
    private volatile @Nullable ServletContext context;
    // mutable; null until it is known, then written once
    private volatile @Nullable FollowerWaiting waiting;

    /**
     * Creates a filter with no request in flight, which gathers as {@link CollapseOptions#defaults()} say and whose followers
     * wait on their own threads.
     *
     * @param http what is collapsed; without a group, nothing
     */
    public CollapseServletFilter(HttpCollapseOptions http) {
        this(builder(http));
    }

    /**
     * Creates a filter with no request in flight, whose followers wait on their own threads.
     *
     * @param http what is collapsed; without a group, nothing
     * @param core how requests are gathered
     */
    public CollapseServletFilter(HttpCollapseOptions http, CollapseOptions core) {
        this(builder(http).core(core));
    }

    private CollapseServletFilter(Builder builder) {
        this.http = builder.http;
        this.executor = FutureHttpCollapseExecutor.ofServer(builder.http, builder.core);
        this.dispatcher = builder.dispatcher;
        this.waiting = builder.waiting;
        this.waitingIn = builder.waitingIn;
        this.listener = builder.listener;
    }

    /**
     * Begins a filter.
     *
     * @param http what is collapsed; without a group, nothing
     * @return a builder with the defaults of each option
     */
    public static Builder builder(HttpCollapseOptions http) {
        return new Builder(http);
    }

    /** Collects the options of a filter. */
    public static final class Builder {

        // immutable
        private final HttpCollapseOptions http;

        // mutable, confined to the thread that builds
        private CollapseOptions core = CollapseOptions.defaults();
        private Executor dispatcher = Runnable::run;
        private @Nullable FollowerWaiting waiting = FollowerWaiting.BLOCK;
        private Function<? super ServletContext, FollowerWaiting> waitingIn = context -> FollowerWaiting.BLOCK;
        private FollowerListener listener = follower -> {};

        private Builder(HttpCollapseOptions http) {
            this.http = Objects.requireNonNull(http, "http");
        }

        /**
         * Sets how requests are gathered.
         *
         * @param options the options; by default {@link CollapseOptions#defaults()}
         * @return this builder
         */
        public Builder core(CollapseOptions options) {
            core = Objects.requireNonNull(options, "options");
            return this;
        }

        /**
         * Sets where a follower waits.
         *
         * @param where by default {@link FollowerWaiting#BLOCK}
         * @return this builder
         */
        public Builder waiting(FollowerWaiting where) {
            waiting = Objects.requireNonNull(where, "where");
            return this;
        }

        /**
         * Sets what decides where a follower waits, for example by the filters of the context. It is asked once, when the first
         * request comes or somebody {@linkplain CollapseServletFilter#waiting() asks}.
         *
         * @param whereIn gives the place for a context in which every filter is registered
         * @return this builder
         */
        public Builder waiting(Function<? super ServletContext, FollowerWaiting> whereIn) {
            waitingIn = Objects.requireNonNull(whereIn, "whereIn");
            waiting = null;
            return this;
        }

        /**
         * Sets what hands followers that have given their thread back to the container again, which takes some microseconds for
         * each.
         *
         * @param executor by default, the thread that ends what they waited for does it
         * @return this builder
         */
        public Builder dispatcher(Executor executor) {
            dispatcher = Objects.requireNonNull(executor, "executor");
            return this;
        }

        /**
         * Sets what learns of each follower before it is answered.
         *
         * @param followers by default, nothing does
         * @return this builder
         */
        public Builder followerListener(FollowerListener followers) {
            listener = Objects.requireNonNull(followers, "followers");
            return this;
        }

        /**
         * Creates the filter.
         *
         * @return a filter with no request in flight
         */
        public CollapseServletFilter build() {
            return new CollapseServletFilter(this);
        }
    }

    @Override
    public void init(FilterConfig configuration) {
        context = configuration.getServletContext();
        FilterRegistration registration =
                configuration.getServletContext().getFilterRegistration(configuration.getFilterName());
        if (registration != null
                && !registration.getClass().getName().startsWith(RequestSnapshot.MOCKS)
                && registration.getUrlPatternMappings().isEmpty()
                && registration.getServletNameMappings().isEmpty()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "The filter {0} is mapped to no request, so that nothing is collapsed. Map it to \"/*\" and to the"
                            + " dispatcher types REQUEST and ASYNC.",
                    configuration.getFilterName());
        }
    }

    /** {@return where a follower waits; {@link FollowerWaiting#BLOCK} as long as it depends on a container that has not initialised this filter} */
    public FollowerWaiting waiting() {
        FollowerWaiting known = waiting;
        if (known != null) {
            return known;
        }
        ServletContext present = context;
        if (present == null) {
            return FollowerWaiting.BLOCK;
        }
        return decidedIn(present);
    }

    private synchronized FollowerWaiting decidedIn(ServletContext present) {
        FollowerWaiting known = waiting;
        if (known == null) {
            known = Objects.requireNonNull(waitingIn.apply(present), "waiting(…) gave null for a servlet context");
            waiting = known;
        }
        return known;
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
        if (present instanceof RequestWay way && request.getDispatcherType() == DispatcherType.ASYNC) {
            way.resume(httpRequest, httpResponse, chain);
        } else if (present != null || request.getDispatcherType() != DispatcherType.REQUEST) {
            chain.doFilter(request, response);
        } else {
            arrive(httpRequest, httpResponse, chain);
        }
    }

    private void arrive(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!RequestSnapshot.isReading(request)) {
            change(request, response, chain);
            return;
        }
        if (!executor.mayBeInGroup(RequestSnapshot.receivedPath(request))) {
            tellOfUncovered(request);
            chain.doFilter(request, response);
            return;
        }
        if (RequestSnapshot.isSimulated(request)) {
            tellOfSimulation();
            chain.doFilter(request, response);
            return;
        }
        RequestSnapshot arrived = RequestSnapshot.of(request, response, http::isCredential);
        if (arrived == null || !(executor.arrived(arrived) instanceof CollapsibleRequest collapsible)) {
            chain.doFilter(request, response);
            return;
        }
        arrived.noteSession(request);
        boolean asynchronous = waiting() == FollowerWaiting.ASYNC;
        if (asynchronous && !request.isAsyncSupported()) {
            sayOnce(
                    System.Logger.Level.WARNING,
                    "Followers hold their threads, although they are to wait without: this filter, one in front of it or the"
                            + " servlet is registered without async support. Register each with setAsyncSupported(true).");
        }
        boolean mayPark = asynchronous && request.isAsyncSupported() && arrived.canBeDispatched();
        boolean holdsThreads = !mayPark && !LibraryThreads.isVirtual(Thread.currentThread());
        ServletHandlerRun run = new ServletHandlerRun(
                arrived,
                holdsThreads ? this::warnOfAsyncHandlers : null,
                new ShownHeaders(request, collapsible::countsIfShown));
        RequestWay way = new RequestWay(arrived, run, mayPark, dispatcher, listener);
        request.setAttribute(attribute, way);
        way.execute(executor, collapsible, request, response, chain);
    }

    private void change(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RequestLine line = RequestLine.of(request);
        if (line == null) {
            chain.doFilter(request, response);
        } else {
            new ServletChangingRequest(line).run(executor, request, response, chain);
        }
    }

    /** Only a listener needs the address of a request that no group covers. */
    private void tellOfUncovered(HttpServletRequest request) {
        RequestLine line = executor.isListenedTo() ? RequestLine.of(request) : null;
        if (line != null) {
            RequestDecision unused = executor.arrived(line);
        }
    }

    private void tellOfSimulation() {
        sayOnce(
                System.Logger.Level.INFO,
                "Requests of MockMvc are not collapsed: there is no container that goes on with a request which has waited. Ask a"
                        + " server to see requests collapse (@SpringBootTest with webEnvironment = RANDOM_PORT).");
    }

    private void warnOfAsyncHandlers() {
        sayOnce(
                System.Logger.Level.WARNING,
                "Handlers that go on asynchronously are not shared: followers wait on threads of the container, which such"
                        + " handlers need to end. Use virtual threads, or FollowerWaiting.ASYNC (Spring Boot:"
                        + " collapse.executor.servlet.waiting=async) if every filter in front bears asynchronous dispatches.");
    }

    private void sayOnce(System.Logger.Level level, String message) {
        if (said.add(message)) {
            LOGGER.log(level, message);
        }
    }
}
