package io.github.collapseexecutor.http.webflux;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * One run of a handler, with the Reactor context of its request. It does not end with the subscription of its own client: others
 * may wait for it.
 */
final class HandlerRun extends BaseSubscriber<Void> implements CapturedResponse.Handler {

    // immutable
    private final HandlerExchange exchange;
    private final WebFilterChain chain;
    private final Context context;
    private final RequestView view;
    private final Predicate<WebSession> beginsSession;
    private final CapturedResponse response;
    private final BooleanSupplier clientPresent;
    private final Consumer<Mono<Void>> end;

    /**
     * Creates a run that has not begun.
     *
     * @param beginsSession tells whether a session is one that the request did not arrive with
     * @param clientPresent tells whether the client of the request still waits
     * @param end is told how the chain has ended, when the client may learn of it
     */
    HandlerRun(
            ServerWebExchange exchange,
            SteadyRequest request,
            WebFilterChain chain,
            ContextView context,
            RequestView view,
            Predicate<WebSession> beginsSession,
            BooleanSupplier clientPresent,
            Consumer<Mono<Void>> end) {
        this.response = FileResponse.of(exchange.getResponse(), this);
        this.exchange = new HandlerExchange(exchange, request, response);
        this.chain = chain;
        this.context = Context.of(context);
        this.view = view;
        this.beginsSession = beginsSession;
        this.clientPresent = clientPresent;
        this.end = end;
    }

    CapturedResponse response() {
        return response;
    }

    /** Runs the handler; it may not have ended when this returns. */
    void start() {
        Mono.defer(() -> chain.filter(exchange)).subscribe(this);
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    protected void hookOnComplete() {
        response.ended(null, () -> end.accept(Mono.empty()));
    }

    @Override
    protected void hookOnError(Throwable failure) {
        response.ended(failure, () -> end.accept(Mono.error(failure)));
    }

    @Override
    public RouteAttributes left() {
        return RouteAttributes.in(exchange);
    }

    @Override
    public boolean isOfSomebody() {
        return view.isOfSomebody();
    }

    @Override
    public boolean isPersonal() {
        WebSession session = exchange.session();
        return session != null && session.isStarted() && beginsSession.test(session);
    }

    @Override
    public boolean isClientPresent() {
        return clientPresent.getAsBoolean();
    }
}
