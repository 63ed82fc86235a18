package io.github.collapseexecutor.http.webflux;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
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
final class WebFluxHandlerRun extends BaseSubscriber<Void> implements WebFluxCapturedResponse.Handler {

    // immutable
    private final HandlerExchange exchange;
    /** The exchange, and those of filters in front that the handler may find in its context. */
    private final List<HandlerExchange> exchanges = new ArrayList<>();

    private final WebFilterChain chain;
    private final Context context;
    private final WebFluxRequestView view;
    private final Predicate<WebSession> beginsSession;
    private final WebFluxCapturedResponse response;
    private final Questions questions;
    private final ServerExchange way;

    // mutable, thread-safe
    private final AtomicInteger telling = new AtomicInteger();
    private volatile boolean abandoned;

    /**
     * Creates a run that has not begun.
     *
     * @param beginsSession tells whether a session is one that the request did not arrive with
     * @param way is told how the chain has ended, when the client may learn of it
     */
    WebFluxHandlerRun(
            ServerWebExchange exchange,
            SteadyRequest request,
            WebFilterChain chain,
            ContextView context,
            WebFluxRequestView view,
            Predicate<WebSession> beginsSession,
            ServerExchange way) {
        this.response = FileResponse.of(exchange.getResponse(), this);
        this.questions = new Questions(response::keepForClient);
        this.exchange = HandlerExchange.own(exchange, request, view.mayHideBody(), response, questions);
        this.exchanges.add(this.exchange);
        this.chain = chain;
        this.view = view;
        this.context = shown(context);
        this.beginsSession = beginsSession;
        this.way = way;
    }

    /** The context of the request, whose exchanges notice what the handler asks them for. */
    private Context shown(ContextView context) {
        Map<Object, Object> entries = new HashMap<>();
        context.stream().forEach(entry -> {
            Object value = entry.getValue();
            if (value instanceof ServerWebExchange inFront) {
                HandlerExchange noticing = HandlerExchange.inFront(inFront, view.mayHideBody(), questions);
                exchanges.add(noticing);
                value = noticing;
            }
            entries.put(entry.getKey(), value);
        });
        return Context.of(entries);
    }

    WebFluxCapturedResponse response() {
        return response;
    }

    /** Runs the handler; it may not have ended when this returns. */
    void start() {
        // a handler that fails because its client has left fails for nobody: Reactor would log it as an error
        Mono.defer(() -> chain.filter(exchange))
                .onErrorComplete(failure -> isDisposed())
                .subscribe(this);
    }

    /** Nobody needs what the handler has not done yet. */
    void abandon() {
        abandoned = true;
        cancelUnlessTelling();
    }

    @Override
    public void undisturbed(Runnable others) {
        telling.incrementAndGet();
        try {
            others.run();
        } finally {
            telling.decrementAndGet();
            if (abandoned) {
                cancelUnlessTelling();
            }
        }
    }

    private void cancelUnlessTelling() {
        if (telling.get() == 0) {
            cancel();
        }
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    protected void hookOnComplete() {
        ended(null, Mono.empty());
    }

    @Override
    protected void hookOnError(Throwable failure) {
        ended(failure, Mono.error(failure));
    }

    /** Reactor would drop what is thrown here, and all requests would wait for ever. */
    private void ended(@Nullable Throwable failure, Mono<Void> with) {
        try {
            response.ended(failure, () -> way.ended(with));
        } catch (RuntimeException | Error thrown) {
            way.ended(Mono.error(thrown));
            boolean unused = response.received().completeExceptionally(thrown);
        }
    }

    @Override
    public RouteAttributes left() {
        return RouteAttributes.in(exchange);
    }

    @Override
    public Questions.Asked asked() {
        return questions.soFar();
    }

    @Override
    public boolean isOfSomebody() {
        return view.isOfSomebody();
    }

    @Override
    public boolean isPersonal() {
        return exchanges.stream().map(HandlerExchange::session).anyMatch(this::isBegun);
    }

    private boolean isBegun(@Nullable WebSession session) {
        return session != null && session.isStarted() && beginsSession.test(session);
    }

    @Override
    public boolean isClientPresent() {
        return way.isPresent();
    }
}
