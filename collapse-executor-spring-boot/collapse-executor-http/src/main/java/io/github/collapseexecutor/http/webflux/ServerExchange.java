package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.http.call.BoundedBody;
import io.github.collapseexecutor.http.call.FutureExchange;
import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.dryrun.BodyWatch;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import io.github.collapseexecutor.http.spring.SubscriberContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * One request of a server on its way, for the subscriber that its server has. To send it is to have its handler run, in its own
 * exchange and chain and with its own Reactor context, on whichever thread decides that.
 */
final class ServerExchange implements FutureExchange<WebFluxAnswer> {

    // immutable
    private final ServerWebExchange exchange;
    private final WebFluxRequestView view;
    private final ContextView context;
    private final Function<ServerExchange, WebFluxHandlerRun> runs;
    private final Mono<Void> unshared;
    /** What the subscriber goes on with. */
    private final CompletableFuture<Mono<Void>> end = new CompletableFuture<>();

    // mutable; the thread that has brought the request, as long as it executes it
    private volatile @Nullable Thread arriving;
    // mutable; written once, when the request is sent
    private volatile @Nullable WebFluxHandlerRun run;
    // mutable; written by the subscriber
    private volatile boolean left;

    /**
     * Creates an exchange that has not been executed.
     *
     * @param runs makes the run of the request's own handler, whose response others may have
     * @param unshared runs the handler as without collapsing
     */
    ServerExchange(
            ServerWebExchange exchange,
            WebFluxRequestView view,
            ContextView context,
            Function<ServerExchange, WebFluxHandlerRun> runs,
            Mono<Void> unshared) {
        this.exchange = exchange;
        this.view = view;
        this.context = context;
        this.runs = runs;
        this.unshared = unshared;
    }

    /** Has the request executed; what is returned ends when it is answered, and cancelling that takes the request out. */
    Mono<Void> execute(FutureHttpCollapseExecutor executor, CollapsibleRequest collapsible, boolean carriesContext) {
        arriving = Thread.currentThread();
        Supplier<CompletableFuture<WebFluxAnswer>> call = () -> executor.execute(this, collapsible);
        CompletableFuture<WebFluxAnswer> answer =
                carriesContext ? SubscriberContext.within(context, true, call) : call.get();
        CompletableFuture<WebFluxAnswer> unused = answer.whenComplete(this::settle);
        arriving = null;
        return Mono.fromFuture(end, true).flatMap(Function.identity()).doOnCancel(() -> leave(answer));
    }

    /** The subscriber is gone: the handler goes on only if others wait for it. */
    private void leave(CompletableFuture<WebFluxAnswer> answer) {
        left = true;
        boolean unused = answer.cancel(false);
        WebFluxHandlerRun present = run;
        if (present != null && present.response().isPassing()) {
            present.abandon();
        }
    }

    /** What came of the request. */
    private void settle(@Nullable WebFluxAnswer answer, @Nullable Throwable failure) {
        WebFluxHandlerRun present = run;
        if (answer instanceof WebFluxCapturedResponse own) {
            own.pass();
            if (left && present != null) {
                present.abandon();
            }
        } else if (answer instanceof WebFluxAnswer.Shared shared) {
            end.complete(WebFluxRecording.replay(shared.response(), exchange, unshared));
        } else if (left) {
            return; // others may wait for the handler
        } else if (failure instanceof RejectedExecutionException || failure instanceof TimeoutException) {
            end.complete(Mono.error(new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE)));
        } else if (present != null && !present.response().received().isCancelled()) {
            present.response().pass(); // its own client gets what there is
        } else if (failure instanceof HandlerLostException) {
            end.complete(unshared);
        } else if (failure != null) {
            end.complete(Mono.error(failure));
        }
    }

    /** Whether the client still waits. */
    boolean isPresent() {
        return !left;
    }

    /** The handler has ended, and its client may learn of it. */
    void ended(Mono<Void> with) {
        end.complete(with);
    }

    @Override
    public HttpRequestView request() {
        return view;
    }

    @Override
    public ContextView callerContext() {
        return context;
    }

    @Override
    public <T> T asCaller(Supplier<T> gathering) {
        return SubscriberContext.within(context, true, gathering);
    }

    @Override
    public CompletableFuture<WebFluxAnswer> send() {
        WebFluxHandlerRun handler = runs.apply(this);
        run = handler;
        CompletableFuture<WebFluxAnswer> received = handler.response().received();
        CompletableFuture<WebFluxAnswer> unused = received.whenComplete((response, failure) -> {
            if (received.isCancelled()) {
                handler.abandon();
            }
        });
        if (arriving == Thread.currentThread()) {
            handler.start();
        } else {
            boolean unusedStarted = SubscriberContext.within(context, true, () -> {
                handler.start();
                return true;
            });
        }
        return received;
    }

    @Override
    public HttpResponseView headOf(WebFluxAnswer response) {
        return ((WebFluxCapturedResponse) response).head();
    }

    @Override
    public CompletableFuture<BoundedBody<WebFluxAnswer>> collect(WebFluxAnswer response, long limit) {
        CompletableFuture<BoundedBody<WebFluxAnswer>> collected = ((WebFluxCapturedResponse) response).collect(limit);
        CompletableFuture<BoundedBody<WebFluxAnswer>> unused = collected.whenComplete((body, failure) -> {
            if (collected.isCancelled()) {
                close(response);
            }
        });
        return collected;
    }

    @Override
    public WebFluxAnswer watched(WebFluxAnswer response, BodyWatch watch) {
        ((WebFluxCapturedResponse) response).watch(watch);
        return response;
    }

    @Override
    public WebFluxAnswer answer(SharedResponse response, SharedResponse.Receiver receiver) {
        WebFluxHandlerRun present = run;
        return receiver == SharedResponse.Receiver.LEADER && present != null
                ? present.response()
                : new WebFluxAnswer.Shared(response);
    }

    @Override
    public WebFluxAnswer withHeader(WebFluxAnswer response, String name, String value) {
        if (response instanceof WebFluxCapturedResponse own) {
            own.mark(name, value);
        }
        return response;
    }

    /** The client is gone, and the followers have the whole body already: the rest of the handler is not needed. */
    @Override
    public void close(WebFluxAnswer response) {
        WebFluxHandlerRun present = run;
        if (response instanceof WebFluxCapturedResponse && present != null) {
            present.abandon();
        }
    }

    /** A handler fails for a reason of its own; only if it is lost, another may do better. */
    @Override
    public boolean isTransportFailure(Throwable failure) {
        return failure instanceof HandlerLostException;
    }
}
