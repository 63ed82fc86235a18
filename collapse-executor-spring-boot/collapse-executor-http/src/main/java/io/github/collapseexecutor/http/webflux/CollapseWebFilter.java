package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebSession;
import org.springframework.web.server.session.CookieWebSessionIdResolver;
import org.springframework.web.server.session.WebSessionIdResolver;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Lets concurrent requests to a reactive server that ask for the same thing share one run of their handler.
 *
 * <pre>{@code
 * HttpHandler server = WebHttpHandlerBuilder.webHandler(handler)
 *         .filters(filters -> filters.add(new CollapseWebFilter(options)))
 *         .build();
 * }</pre>
 *
 * <p><b>It has to be the last filter.</b> A filter behind it would run only for the requests whose handler runs. If there is one,
 * nothing collapses, and a warning says so once, unless {@link Builder#order} names the place. Filters before it see every request:
 * authentication, limits, logs and metrics. It shares what comes behind it: the handler, annotated or functional. A request that shows who makes it, by credentials, a principal, a
 * security context, a client certificate or a session, is not collapsed unless its policy shares across users.
 *
 * <p><b>Threads.</b> No thread waits. A handler is subscribed to with the Reactor context of its own request. A lone request
 * runs its handler on the thread that it came on. The handler of a request that was gathered, and the answer of a follower, begin on
 * the thread that ends what they waited for, which may serve another request; thread-locals that Micrometer's context
 * propagation knows are those of the request all the same.
 *
 * <p><b>Failures.</b> If the handler fails, each request fails with the same error, inside its own filters and exception handlers.
 * If the client of the request that runs the handler is gone, the others are answered all the same; when nobody waits any
 * more, the handler is cancelled. Responses that are streamed, that are larger than {@code maxBodySize}, or that are
 * not for others are passed on as they are written, and the others run the handler themselves.
 *
 * <p>One instance serves one application, and any number of threads.
 */
public final class CollapseWebFilter implements WebFilter, Ordered {

    // immutable
    private final HttpCollapseOptions http;
    private final FutureHttpCollapseExecutor executor;
    private final boolean carriesContext;
    private final int order;
    private final boolean placed;
    private final WebSessionIdResolver sessionIds;
    private final String attribute = CollapseWebFilter.class.getName() + "@" + System.identityHashCode(this);

    /**
     * Creates a filter with no request in flight, which gathers as {@link CollapseOptions#defaults()} say.
     *
     * @param http what is collapsed; without a group, nothing
     */
    public CollapseWebFilter(HttpCollapseOptions http) {
        this(builder(http));
    }

    /**
     * Creates a filter with no request in flight.
     *
     * @param http what is collapsed; without a group, nothing
     * @param core how requests are gathered
     */
    public CollapseWebFilter(HttpCollapseOptions http, CollapseOptions core) {
        this(builder(http).core(core));
    }

    private CollapseWebFilter(Builder builder) {
        this.http = builder.http;
        this.executor = FutureHttpCollapseExecutor.ofServer(builder.http, builder.core);
        this.carriesContext = builder.core.contextCarrier() != null;
        this.order = builder.order == null ? LOWEST_PRECEDENCE : builder.order;
        this.placed = builder.order != null;
        this.sessionIds = builder.sessionIds;
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
        private @Nullable Integer order;
        private WebSessionIdResolver sessionIds = new CookieWebSessionIdResolver();

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
         * Sets the place among the filters of the application, and thus says that filters may stand behind: these run for the requests only
         * whose handler runs. Without it, nothing collapses if a filter stands behind, and a warning says so once.
         *
         * @param place as of {@link Ordered}; by default {@link Ordered#LOWEST_PRECEDENCE}
         * @return this builder
         */
        public Builder order(int place) {
            order = place;
            return this;
        }

        /**
         * Sets how the sessions of requests are found, so that a request with a session is not taken for anybody's.
         *
         * @param resolver that of the application; by default, sessions are found by cookies
         * @return this builder
         */
        public Builder sessionIdResolver(WebSessionIdResolver resolver) {
            sessionIds = Objects.requireNonNull(resolver, "resolver");
            return this;
        }

        /**
         * Creates the filter.
         *
         * @return a filter with no request in flight
         */
        public CollapseWebFilter build() {
            return new CollapseWebFilter(this);
        }
    }

    @Override
    public int getOrder() {
        return order;
    }

    /**
     * Runs the rest of the chain, or answers the request with what it gave for another.
     *
     * @param exchange the exchange
     * @param chain the handler
     * @return ends when the request is answered, or fails as the handler failed; with a
     *     {@link org.springframework.web.server.ResponseStatusException} of 503 if too many requests are waiting, or the time of this
     *     one is over
     */
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (exchange.getAttributes().containsKey(attribute)) {
            return chain.filter(exchange); // this filter stands in the chain twice
        }
        return Mono.deferContextual(context -> arrive(exchange, chain, context));
    }

    private Mono<Void> arrive(ServerWebExchange exchange, WebFilterChain chain, ContextView context) {
        WebFluxRequestView arrived =
                WebFluxRequestView.of(exchange, http::isCredential, placed ? null : FilterBehind.in(chain, this));
        if (!arrived.isReading()) {
            return new WebFluxChangingRequest(arrived).run(executor, exchange, chain);
        }
        if (!(executor.arrived(arrived) instanceof CollapsibleRequest collapsible)) {
            return chain.filter(exchange);
        }
        return isOfUser(exchange).flatMap(found -> {
            if (!found) {
                return collapse(exchange, chain, context, arrived, collapsible);
            }
            arrived.identifyUser();
            return executor.arrived(arrived) instanceof CollapsibleRequest shared
                    ? collapse(exchange, chain, context, arrived, shared)
                    : chain.filter(exchange);
        });
    }

    private Mono<Boolean> isOfUser(ServerWebExchange exchange) {
        return sessionIds.resolveSessionIds(exchange).isEmpty() ? Users.areIn(exchange) : Mono.just(true);
    }

    private Mono<Void> collapse(
            ServerWebExchange exchange,
            WebFilterChain chain,
            ContextView context,
            WebFluxRequestView arrived,
            CollapsibleRequest collapsible) {
        exchange.getAttributes().put(attribute, true);
        SteadyRequest request = new SteadyRequest(exchange.getRequest());
        WebFluxRequestView view = arrived.of(request);
        return new ServerExchange(
                        exchange,
                        view,
                        context,
                        way -> new WebFluxHandlerRun(
                                exchange, request, chain, context, view, session -> begins(session, exchange), way),
                        Mono.defer(() -> chain.filter(exchange)))
                .execute(executor, collapsible, carriesContext);
    }

    private boolean begins(WebSession session, ServerWebExchange exchange) {
        return !sessionIds.resolveSessionIds(exchange).contains(session.getId());
    }
}
