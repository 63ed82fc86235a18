package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.call.BoundedBody;
import io.github.collapseexecutor.http.call.FutureExchange;
import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.dryrun.BodyWatch;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import io.github.collapseexecutor.http.spring.BodyCollector;
import io.github.collapseexecutor.http.spring.HeadersByName;
import io.github.collapseexecutor.http.spring.SubscriberContext;
import io.github.collapseexecutor.http.spring.WatchedBuffers;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.reactive.ClientHttpRequest;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * A request on its way, for one subscriber: what the filter and the connector have in common. They differ in the type of the
 * response, and in what stands between them and the wire.
 */
abstract class ReactiveExchange<RESPONSE> implements FutureExchange<RESPONSE>, HttpRequestView {

    private static final String UNSEEN =
            "something behind the adapter sends a request of its own in place of a WebClient's, so"
                    + " that nobody knows on whose behalf it is made; have it send the request that it is given, and put credentials on"
                    + " the request before it gets to the adapter";

    // immutable
    private final RequestHead asked;
    private final ContextView context;

    // mutable, confined to the thread that sends
    private boolean alone;
    // mutable, written once by the thread that sends, receives or fails; read by those that come later
    private volatile boolean expected;
    private volatile @Nullable RequestHead sent;
    /** The request of the transport, until its response is there. */
    private volatile @Nullable ClientHttpRequest carrier;

    private volatile boolean followsUnseen;
    private volatile @Nullable RESPONSE received;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable ResponseReceiver<RESPONSE> receiver;
    private volatile @Nullable BodyCollector collector;
    private volatile boolean handedOn;
    private volatile boolean subscriberLeft;

    ReactiveExchange(RequestHead asked, ContextView context) {
        this.asked = asked;
        this.context = context;
    }

    /** Sends the request when it is subscribed to. */
    abstract Mono<RESPONSE> exchange();

    /** What sends the request, or null if that is unknown. */
    abstract @Nullable Object transport();

    abstract HttpStatusCode statusOf(RESPONSE response);

    abstract HttpHeaders headersOf(RESPONSE response);

    /** The body, for one subscriber; one that cancels releases the response. */
    abstract Flux<DataBuffer> bodyOf(RESPONSE response);

    /** The same response with another body. */
    abstract RESPONSE withBody(RESPONSE response, Flux<DataBuffer> body);

    /** The same response with the values of one header replaced. */
    abstract RESPONSE withHeader(RESPONSE response, String name, List<String> values);

    /** A response for a follower whose leader's body broke off. */
    abstract RESPONSE brokenAnswer(ReactiveBrokenBody broken, Throwable failure);

    /** What the followers need of the leader's response beside headers and body. */
    abstract @Nullable Object attachmentOf(RESPONSE response);

    /** Has the executor answer the exchange, for a subscriber that may cancel. A carrier finds the subscriber's context. */
    static <RESPONSE> Mono<RESPONSE> execute(
            FutureHttpCollapseExecutor executor,
            ReactiveExchange<RESPONSE> exchange,
            Class<RESPONSE> type,
            boolean carriesContext) {
        CompletableFuture<RESPONSE> answer = carriesContext
                ? SubscriberContext.within(
                        exchange.context, Schedulers.isInNonBlockingThread(), () -> executor.execute(exchange))
                : executor.execute(exchange);
        return Mono.fromFuture(answer)
                .onErrorResume(ResponseReceiver.NoResponseException.class, ended -> Mono.empty())
                .onErrorResume(
                        thrown -> ReactiveBrokenBody.of(thrown) != null,
                        thrown -> Mono.fromCallable(() -> exchange.broken(thrown)))
                .doOnNext(response -> exchange.handedOn())
                .doOnCancel(exchange::subscriberLeft)
                .doOnDiscard(type, exchange::close);
    }

    private void handedOn() {
        handedOn = true;
        if (subscriberLeft) {
            releaseUnread();
        }
    }

    /** A subscriber may leave with the response in its hands: a filter in front refuses it, or waits with it for too long. */
    private void subscriberLeft() {
        subscriberLeft = true;
        if (handedOn) {
            releaseUnread();
        }
    }

    /**
     * Releases a response that was handed on, unless its body has a subscriber: the transport does so as if nothing stood in between,
     * for which it looks whether it is read; what the adapter itself has begun to read is cancelled.
     */
    private void releaseUnread() {
        ResponseReceiver<RESPONSE> received = receiver;
        if (received != null) {
            received.leave();
        }
        BodyCollector collected = collector;
        if (collected != null) {
            collected.cancelUnread();
        }
    }

    @Override
    public final ContextView callerContext() {
        return context;
    }

    @Override
    public final <T> T asCaller(Supplier<T> gathering) {
        return SubscriberContext.within(context, true, gathering);
    }

    @Override
    public HttpRequestView request() {
        return this;
    }

    /** The request as the transport got it, once it has. */
    private RequestHead head() {
        RequestHead present = sent;
        return present == null ? asked : present;
    }

    @Override
    public String method() {
        return head().method();
    }

    @Override
    public URI uri() {
        return head().uri();
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        head().forEachHeader(action);
    }

    @Override
    public final void alone() {
        alone = true;
    }

    /** As it is known before the request is sent, and better when the response is there. */
    @Override
    public final @Nullable String unseenRedirects() {
        return followsUnseen || ReactiveFollowedSteps.followsUnseen(transport()) ? ReactiveFollowedSteps.UNSEEN : null;
    }

    /** Whether it is of no interest what becomes of the request on its way. */
    final boolean isAlone() {
        return alone;
    }

    /** Notes that {@link #watch} will see the request before there is a response. */
    final void willBeSeen() {
        expected = true;
    }

    /** Returns why a response is for this request only, if there is one although {@link #watch} has not seen what was sent. */
    final @Nullable String unseen() {
        return expected && sent == null ? UNSEEN : null;
    }

    /**
     * Keeps the request as it is when the transport takes its headers over, with what the transport has added to it. Where a collapsing
     * connector stands in between, that is the request of the connector, and then the one that it sends, if it sends any.
     */
    final void watch(ClientHttpRequest request) {
        RecordedRequest recorded = RecordedRequest.in(request);
        if (recorded != null) {
            recorded.whenSent(this::watch);
        }
        request.beforeCommit(() -> Mono.fromRunnable(() -> {
            sent = RequestHead.sent(request, transport());
            carrier = request;
        }));
    }

    @Override
    public final CompletableFuture<RESPONSE> send() {
        ResponseReceiver<RESPONSE> created = new ResponseReceiver<>(context, this::close);
        receiver = created;
        exchange().doOnError(thrown -> failure = thrown).subscribe(created);
        return created.response();
    }

    /** Whether a failure is that of this request's own exchange. */
    final boolean isOwn(Throwable thrown) {
        return thrown == failure;
    }

    /** The response that this request's own exchange has collected, or null. */
    final @Nullable RESPONSE received() {
        return received;
    }

    @Override
    public final HttpResponseView headOf(RESPONSE response) {
        List<HttpResponseView> steps = ReactiveFollowedSteps.to(response, carrier, transport());
        carrier = null;
        followsUnseen = steps == null;
        return new HttpResponseView() {
            @Override
            public int status() {
                return statusOf(response).value();
            }

            @Override
            public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
                HeadersByName.show(headersOf(response), action);
            }

            @Override
            public List<HttpResponseView> followed() {
                return Objects.requireNonNullElse(steps, List.of());
            }
        };
    }

    @Override
    public final CompletableFuture<BoundedBody<RESPONSE>> collect(RESPONSE response, long limit) {
        received = response;
        ReactiveBrokenBody ifBroken = new ReactiveBrokenBody(
                statusOf(response), headersOf(response).getFirst(HttpHeaders.CONTENT_TYPE), attachmentOf(response));
        // the JDK's client asks by GET for what a HEAD is redirected to by a 303, and may not show that it has: the
        // leader keeps that body
        BodyCollector created = new BodyCollector(method().equals("HEAD") ? 0 : limit, context, ifBroken::by);
        collector = created;
        CompletableFuture<BoundedBody<RESPONSE>> collected =
                created.ended().thenCompose(end -> bounded(end, response, created));
        CompletableFuture<BoundedBody<RESPONSE>> unused = collected.whenComplete((body, thrown) -> {
            if (thrown != null) {
                created.dispose(); // cancelled, or the response cannot be changed
            }
        });
        bodyOf(response).subscribe(created);
        return collected;
    }

    @Override
    public final RESPONSE watched(RESPONSE response, BodyWatch watch) {
        return withBody(response, WatchedBuffers.of(bodyOf(response), watch));
    }

    private CompletableFuture<BoundedBody<RESPONSE>> bounded(
            BodyCollector.End end, RESPONSE response, BodyCollector collector) {
        return switch (end) {
            case WHOLE -> CompletableFuture.completedFuture(whole(response, collector));
            case TOO_LARGE -> CompletableFuture.completedFuture(rest(response, collector));
            case BROKEN -> CompletableFuture.failedFuture(Objects.requireNonNull(collector.failure()));
        };
    }

    private BoundedBody<RESPONSE> whole(RESPONSE response, BodyCollector collector) {
        byte[] bytes = collector.bytes();
        RESPONSE unread = withBody(response, BodyCollector.of(bytes));
        return BoundedBody.complete(bytes, unread, attachmentOf(response));
    }

    /**
     * The response as its caller would have got it without the adapter, with a body that breaks off where it did; a follower gets the
     * failure at once, as it may not have been meant by what came before.
     */
    private RESPONSE broken(Throwable failure) {
        BodyCollector collected = collector;
        return collected != null && failure == collected.failure()
                ? withBody(Objects.requireNonNull(received), collected.brokenOff())
                : brokenAnswer(Objects.requireNonNull(ReactiveBrokenBody.of(failure)), failure);
    }

    private BoundedBody<RESPONSE> rest(RESPONSE response, BodyCollector collector) {
        return BoundedBody.tooLarge(withBody(response, collector.resumed()));
    }

    /** A new map of the headers that a receiver of a shared response gets. */
    static HttpHeaders sharedHeaders(SharedResponse response, SharedResponse.Receiver receiver) {
        HttpHeaders headers = new HttpHeaders();
        response.forEachHeader(receiver, (name, values) -> headers.put(name, new ArrayList<>(values)));
        return headers;
    }

    /** New buffers for each subscriber. */
    static Flux<DataBuffer> sharedBody(SharedResponse response) {
        return BodyCollector.copied(response.bodyLength(), response::part);
    }

    @Override
    public final RESPONSE withHeader(RESPONSE response, String name, String value) {
        List<String> values = new ArrayList<>(); // a list of one's own: those of some transports cannot be added to
        headersOf(response).forEach((present, all) -> {
            if (present.equalsIgnoreCase(name)) {
                values.addAll(all);
            }
        });
        values.add(value);
        return withHeader(response, name, values);
    }

    /** Ends the exchange of a response that nobody reads, instead of receiving all of it. */
    @Override
    public final void close(RESPONSE response) {
        try {
            bodyOf(response).subscribe(new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    subscription.cancel();
                }
            });
        } catch (RuntimeException unreadable) {
            // a response that cannot be read cannot be released either; its caller has an end to report already
        }
    }
}
