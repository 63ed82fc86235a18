package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Failures;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.InvalidOptionException;
import io.github.collapseexecutor.core.Stages;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.HttpTime;
import io.github.collapseexecutor.http.rules.RequestDecision;
import io.github.collapseexecutor.http.rules.SharingRules;
import io.github.collapseexecutor.http.rules.Side;
import io.github.collapseexecutor.http.rules.StatusOnly;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Collapses the exchanges of one non-blocking HTTP client, or the requests to one server; the part that such adapters have in
 * common.
 *
 * <p>It decides as {@link BlockingHttpCollapseExecutor} does, and blocks no thread. A caller leaves by cancelling its future,
 * which affects no other caller: the call goes on while a caller waits for it, even if its leader has left. When the last caller
 * leaves, the call is cancelled, and a later request starts a new one.
 *
 * <p>Safe for use by any number of threads.
 */
public final class FutureHttpCollapseExecutor {

    // immutable
    private final SharingRules rules;
    private final GatheringExecutors<FutureCallableGroupCollapseExecutor> executors;

    FutureHttpCollapseExecutor(HttpCollapseOptions http, CollapseOptions core, Side side, HttpTime time) {
        this.rules = new SharingRules(http, side, time, core.name());
        this.executors = GatheringExecutors.of(core, FutureCallableGroupCollapseExecutor::new, rules);
    }

    /**
     * Creates an executor for the requests that a client sends.
     *
     * @param http what is collapsed
     * @param core how calls are gathered; {@code maxPending} bounds the requests that are gathered or wait for a call
     * @return an executor with no call in flight
     */
    public static FutureHttpCollapseExecutor ofClient(HttpCollapseOptions http, CollapseOptions core) {
        return new FutureHttpCollapseExecutor(http, core, Side.CLIENT, HttpTime.SYSTEM);
    }

    /**
     * Creates an executor for the requests that a server receives: one that shows who sent it, by credentials, principal,
     * client certificate or session, is not collapsed unless its policy shares across users (H5).
     *
     * @param http what is collapsed
     * @param core how requests are gathered, as for {@link #ofClient}
     * @return an executor with no request in flight
     * @throws InvalidOptionException if there are {@link HttpCollapseOptions#otherInstances()}
     */
    public static FutureHttpCollapseExecutor ofServer(HttpCollapseOptions http, CollapseOptions core) {
        if (http.otherInstances() != null) { // servers know users by more than headers
            throw new InvalidOptionException(
                    "otherInstances",
                    http.otherInstances(),
                    "only clients share responses with other instances; leave the option unset for a server");
        }
        return new FutureHttpCollapseExecutor(http, core, Side.SERVER, HttpTime.SYSTEM);
    }

    /**
     * Tells whether a request might share a call if nothing but its method and address counted, which costs less than {@link
     * #arrived}: for adapters that learn the rest of a request only by an effort.
     *
     * @param request the request; neither its headers nor its body are asked for
     * @return false if it certainly shares none
     */
    public boolean isInGroup(HttpRequestView request) {
        return rules.isInGroup(request);
    }

    /**
     * Tells by its path alone whether a request might share a call: for adapters that show a request only by an effort.
     *
     * @param rawPath the path on the wire, still encoded
     * @return false if no group has a pattern for the path, on any host: {@link #arrived} refuses the request without looking at
     *     its headers
     */
    public boolean mayBeInGroup(String rawPath) {
        return rules.mayBeInGroup(rawPath);
    }

    /**
     * {@return whether {@link #arrived} tells anything of requests that it refuses; false without a
     * {@linkplain HttpCollapseOptions#listener() listener}, or without a group}
     */
    public boolean isListenedTo() {
        return rules.reporter().isListenedTo();
    }

    /**
     * Decides whether a request that has arrived may share a call, and tells the {@linkplain HttpCollapseOptions#listener()
     * listener} if it may not; to be asked once for each request, by adapters that send the others themselves.
     *
     * @param request the request as it has arrived
     * @return a {@link CollapsibleRequest} for {@link #execute(FutureExchange, CollapsibleRequest)}, or the reason why the
     *     request does not share a call
     */
    public RequestDecision arrived(HttpRequestView request) {
        return rules.arrived(request);
    }

    /**
     * Tells that a request has ended which its adapter sent itself, because {@link #arrived} refused it. Must be called before the
     * caller goes on: after an unsafe request, reads do not join earlier reads of the same address (H11).
     *
     * @param request the request
     * @param response the head of the response, null if there is none
     */
    public void forwarded(HttpRequestView request, @Nullable HttpResponseView response) {
        rules.forwarded(request, response);
    }

    /**
     * Tells that a request begins which shares no call and which its adapter has carried out itself: a request to a server that changes
     * something. Reads do not join earlier reads of the same address while it is under way and after its end, unless it ended with
     * an error (H11).
     *
     * @param request the request as it has arrived
     * @param status the status of its response, once its handler has ended; if this fails, nobody knows what the handler has done
     */
    public void forwarding(HttpRequestView request, CompletionStage<Integer> status) {
        RequestDecision unused = rules.arrived(request);
        rules.forwardingBegins(request);
        Stages.whenEnded(status, (known, failure) -> {
            rules.forwarded(request, known == null ? null : new StatusOnly(known));
            rules.forwardingEnded(request);
        });
    }

    /**
     * Makes an exchange, or has another's response answer it.
     *
     * @param exchange one request on its way
     * @param <RESPONSE> the framework's type of response
     * @return a future of the response for this request alone; cancelling it takes the request out; it fails as the exchange
     *     failed that was made, with a {@link java.util.concurrent.TimeoutException} if {@code callTimeout} has passed, or
     *     {@code followerTimeout} and it is to fail then, and with a
     *     {@link java.util.concurrent.RejectedExecutionException} if {@code maxPending} requests are waiting already
     */
    public <RESPONSE> CompletableFuture<RESPONSE> execute(FutureExchange<RESPONSE> exchange) {
        return rules.arrived(exchange.request()) instanceof CollapsibleRequest request
                ? execute(exchange, request)
                : forward(exchange);
    }

    /**
     * Makes an exchange whose request {@link #arrived} has been asked about, or has another's response answer it.
     *
     * @param exchange one request on its way
     * @param request what {@link #arrived} of this executor returned for it, just before
     * @param <RESPONSE> the framework's type of response
     * @return as {@link #execute(FutureExchange)}
     */
    public <RESPONSE> CompletableFuture<RESPONSE> execute(
            FutureExchange<RESPONSE> exchange, CollapsibleRequest request) {
        return new FutureDriver<>(new CallMachine(rules, request, executors.core()), exchange, executors, rules.time())
                .run();
    }

    private <RESPONSE> CompletableFuture<RESPONSE> forward(FutureExchange<RESPONSE> exchange) {
        HttpRequestView request = exchange.request();
        CompletableFuture<RESPONSE> result = new CompletableFuture<>();
        rules.forwardingBegins(request);
        CompletableFuture<RESPONSE> sending = FutureSend.send(exchange);
        Stages.whenEnded(sending, (response, failure) -> {
            try {
                // before the caller goes on: it may send the next request at once
                rules.forwarded(
                        request, response == null || !rules.isWatched(request) ? null : headIn(exchange, response));
            } catch (Throwable thrown) { // by the adapter; the caller must not wait for ever
                result.completeExceptionally(thrown);
            } finally {
                rules.forwardingEnded(request);
            }
            if (failure != null) {
                result.completeExceptionally(Failures.unwrapped(failure));
            } else if (!result.complete(response)) {
                UnusedResponses.close(() -> exchange.close(response));
            }
        });
        Stages.whenEnded(result, (response, failure) -> sending.cancel(true)); // of no effect unless the caller leaves
        return result;
    }

    /** The head of a response, or null if it cannot be read, which its caller finds out by itself. */
    private static <RESPONSE> @Nullable HttpResponseView headIn(FutureExchange<RESPONSE> exchange, RESPONSE response) {
        try {
            return exchange.headOf(response);
        } catch (RuntimeException unreadable) {
            return null;
        }
    }
}
