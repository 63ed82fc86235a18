package io.github.collapseexecutor.http.webflux;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.call.BoundedBody;
import io.github.collapseexecutor.http.dryrun.BodyWatch;
import io.github.collapseexecutor.http.spring.BodyCollector;
import io.github.collapseexecutor.http.spring.WatchedBuffers;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The response of a handler, held back until it is decided who may have it.
 *
 * <p>It behaves as a server's own: what the handler has registered for the commit runs, and then the head is final. Then
 * {@link #received} is done, and what the handler writes waits, without a thread, for the decision: the response {@linkplain #pass
 * passes} to the handler's own client as it is written, or its body is {@linkplain #collect collected} to its end or to the limit,
 * and passes when the followers have it.
 *
 * <p>Until it passes, nothing touches the response of the client: that one may be gone, and servers use their objects again.
 */
sealed class WebFluxCapturedResponse extends AbstractServerHttpResponse implements WebFluxAnswer permits FileResponse {

    /** Asked when the head is final. */
    interface Handler {

        /** What the handler left in its exchange. */
        RouteAttributes left();

        /** What the handler has asked for so far, of which no key tells. */
        Questions.Asked asked();

        /** Whether anything says on whose behalf the request is made. */
        boolean isOfSomebody();

        /** Whether the handler has begun something with its own client, as a session, that it would not with another. */
        boolean isPersonal();

        /** Whether the handler's own client still waits, so that its response may be looked at. */
        boolean isClientPresent();

        /** Answers others on the thread of the handler: it is not cancelled meanwhile, which may interrupt that thread. */
        void undisturbed(Runnable telling);
    }

    private static final long PASS = -1;

    private static final int MOST_CAUSES = 20;

    // immutable
    private final ServerHttpResponse client;
    private final Handler handler;
    private final NotedHeaders noted;
    private final HeadDifference.Head before;
    private final CompletableFuture<WebFluxAnswer> received = new CompletableFuture<>();
    private final CompletableFuture<BoundedBody<WebFluxAnswer>> collected = new CompletableFuture<>();
    /** The largest body to collect, in bytes, or {@link #PASS}. */
    private final CompletableFuture<Long> decided = new CompletableFuture<>();

    private final CompletableFuture<@Nullable Void> passing = new CompletableFuture<>();
    private final AtomicBoolean applied = new AtomicBoolean();

    // mutable, written by the handler's signals before received is done
    private volatile @Nullable WebFluxHandlerHead head;
    private volatile @Nullable HeadDifference change;
    private volatile WebFluxRecording.Form form = WebFluxRecording.Form.UNWRITTEN;
    private volatile @Nullable Throwable thrown;
    private volatile boolean keptForClient;

    // mutable, written by the deciding side before it decides
    private volatile @Nullable BodyWatch watch;
    private final List<String[]> marks = new ArrayList<>();

    /**
     * Creates a response that looks as the client's does now.
     *
     * @param client the response as the filters in front have decorated it
     */
    WebFluxCapturedResponse(ServerHttpResponse client, Handler handler) {
        this(client, handler, new NotedHeaders());
    }

    private WebFluxCapturedResponse(ServerHttpResponse client, Handler handler, NotedHeaders noted) {
        super(client.bufferFactory(), noted.shown());
        this.client = client;
        this.noted = noted;
        this.handler = handler;
        this.before = HeadDifference.Head.of(client);
        boolean unused = setStatusCode(before.status());
        noted.begin(before.headers());
        before.cookies().forEach(this::addCookie);
    }

    // The deciding side.

    /** Done as soon as the head is final; it fails if the handler is lost. */
    CompletableFuture<WebFluxAnswer> received() {
        return received;
    }

    WebFluxHandlerHead head() {
        return requireNonNull(head, "the handler has not said anything yet");
    }

    /** Collects the body for all that wait, because others may have the response. */
    CompletableFuture<BoundedBody<WebFluxAnswer>> collect(long limit) {
        if (keptForClient) {
            collected.complete(BoundedBody.notShared(this, Reason.ADAPTER));
        } else if (form == WebFluxRecording.Form.UNWRITTEN || form == WebFluxRecording.Form.EMPTY) {
            complete(new byte[0], thrown);
        } else {
            decided.complete(limit);
        }
        return collected;
    }

    private void complete(byte[] bytes, @Nullable Throwable failure) {
        collected.complete(BoundedBody.complete(bytes, this, recorded(bytes, failure)));
    }

    private WebFluxRecording recorded(byte[] bytes, @Nullable Throwable failure) {
        HeadDifference known = requireNonNull(change, "the head is not final");
        return new WebFluxRecording(
                known, form, new WebFluxRecording.Bytes(bytes), failure, handler.left(), handler.asked());
    }

    /** The response is for its own client now. */
    void pass() {
        decided.complete(PASS);
        passing.complete(null);
    }

    boolean isPassing() {
        return passing.isDone();
    }

    /** Has somebody see the body as it goes to the client; to be asked for before the response passes. */
    void watch(BodyWatch watching) {
        watch = watching;
    }

    /** Adds a header when the response passes. */
    void mark(String name, String value) {
        marks.add(new String[] {name, value});
    }

    // The handler's side.

    /**
     * The handler has ended.
     *
     * @param failure what it failed with; null if it has not
     * @param then is told as soon as the client's response has the head that the handler left
     */
    void ended(@Nullable Throwable failure, Runnable then) {
        if (isCommitted()) {
            giveUp();
            then.run();
            return;
        }
        thrown = failure;
        if (isInterruption(failure)) {
            giveUp();
        }
        finishHead(WebFluxRecording.Form.UNWRITTEN);
        CompletableFuture<@Nullable Void> unused = passing.thenRun(() -> {
            apply();
            watchEnded(true);
            then.run();
        });
    }

    /** Reactor interrupts the thread of a request whose client leaves. The handler may run on it: with another client, it would not have failed. */
    private static boolean isInterruption(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .anyMatch(
                        cause -> cause instanceof InterruptedException || cause instanceof ClosedByInterruptException);
    }

    /** What the handler has begun to write and not ended, say because it has timed out, does not come to an end any more. */
    private void giveUp() {
        HandlerLostException lost = new HandlerLostException();
        received.completeExceptionally(lost); // of no effect if it is there, as what follows
        collected.completeExceptionally(lost);
    }

    /** From now on, the response is for its own client only. */
    final void keepForClient() {
        keptForClient = true;
    }

    final boolean isWatched() {
        return watch != null;
    }

    private void finishHead(WebFluxRecording.Form written) {
        form = written;
        HeadDifference.Head after = HeadDifference.Head.of(this);
        HeadDifference known = HeadDifference.between(before, after, noted.written());
        change = known;
        Throwable failure = thrown;
        boolean forLeaderOnly = keptForClient
                || client.isCommitted()
                || wasWrittenPast()
                || handler.isPersonal()
                || (failure != null && handler.isOfSomebody()); // it may be about that user
        head = WebFluxHandlerHead.of(after, known, failure, forLeaderOnly);
        handler.undisturbed(() -> received.complete(this));
    }

    /**
     * Whether something has written to the client's own response while the handler ran: a token that a filter in front makes when the
     * handler asks for it, or a handler that has the exchange of a filter in front. Others would not get that.
     */
    private boolean wasWrittenPast() {
        return !before.cookies().equals(HeadDifference.Head.cookiesOf(client))
                || (handler.isClientPresent() && !before.headers().equals(HeadDifference.Head.headersOf(client)));
    }

    @Override
    public Mono<Void> setComplete() {
        return isCommitted() ? Mono.empty() : doCommit(() -> Mono.defer(this::completed));
    }

    private Mono<Void> completed() {
        finishHead(WebFluxRecording.Form.EMPTY);
        return Mono.fromFuture(passing, true).then(Mono.defer(() -> {
            apply();
            watchEnded(true);
            return client.setComplete();
        }));
    }

    @Override
    protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
        return write(
                body,
                body instanceof Mono ? WebFluxRecording.Form.ONE : WebFluxRecording.Form.MANY,
                Mono.defer(() -> passOn(body)));
    }

    /**
     * Writes a body when it is decided who may have it.
     *
     * @param body is subscribed to once, to collect it
     * @param passed writes the body to the client as it comes; the head has been applied then
     */
    final Mono<Void> write(Publisher<? extends DataBuffer> body, WebFluxRecording.Form written, Mono<Void> passed) {
        return Mono.deferContextual(context -> {
            finishHead(written);
            return Mono.fromFuture(decided, true).flatMap(limit -> {
                if (limit != PASS) {
                    return gather(body, limit, context);
                }
                apply();
                return passed;
            });
        });
    }

    private Mono<Void> gather(Publisher<? extends DataBuffer> body, long limit, ContextView context) {
        BodyCollector collector = new BodyCollector(limit, context, broken -> {});
        CompletableFuture<Void> told =
                collector.ended().thenAccept(end -> handler.undisturbed(() -> tell(collector, end)));
        body.subscribe(collector);
        return Mono.fromFuture(told, true)
                .then(Mono.fromFuture(passing, true))
                .then(Mono.defer(() -> passCollected(collector)))
                .doOnCancel(collector::dispose);
    }

    /** The others learn of the end first, then the client gets it. */
    private void tell(BodyCollector collector, BodyCollector.End end) {
        if (end == BodyCollector.End.TOO_LARGE) {
            collected.complete(BoundedBody.tooLarge(this));
        } else if (keptForClient // since the head was final
                || (end == BodyCollector.End.BROKEN && handler.isOfSomebody()) // the failure may be about that user
                || isInterruption(collector.failure())) {
            collected.completeExceptionally(new HandlerLostException());
        } else {
            complete(collector.bytes(), collector.failure());
        }
    }

    private Mono<Void> passCollected(BodyCollector collector) {
        apply();
        if (collector.ended().join() == BodyCollector.End.TOO_LARGE) {
            Flux<DataBuffer> whole = collector.resumed(client.bufferFactory());
            // a server tells the length of what comes in one part
            return passOn(form == WebFluxRecording.Form.ONE ? whole.singleOrEmpty() : whole);
        }
        return recorded(collector.bytes(), collector.failure()).writeTo(client);
    }

    @Override
    protected Mono<Void> writeAndFlushWithInternal(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        return Mono.defer(() -> {
            keepForClient(); // a handler that says when to flush streams
            finishHead(WebFluxRecording.Form.MANY);
            return Mono.fromFuture(passing, true).then(Mono.defer(() -> {
                apply();
                return passOnParts(body);
            }));
        });
    }

    /**
     * A client without a body, as of a HEAD request, does not subscribe to the parts. Spring has asked for the first one by then; what that
     * one holds is released.
     */
    private Mono<Void> passOnParts(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        AtomicBoolean taken = new AtomicBoolean();
        Flux<Publisher<? extends DataBuffer>> parts =
                partsInDemand(Flux.from(body)).doOnSubscribe(begun -> taken.set(true));
        BodyWatch watching = watch;
        Flux<Publisher<? extends DataBuffer>> passed =
                watching == null ? parts : WatchedBuffers.ofParts(parts, watching);
        return client.writeAndFlushWith(passed).doFinally(end -> {
            if (taken.compareAndSet(false, true)) {
                Disposable unused = Flux.from(body).take(1).subscribe(WebFluxCapturedResponse::discard, broken -> {});
            }
        });
    }

    private static void discard(Publisher<?> part) {
        Flux.from(part)
                .ofType(DataBuffer.class)
                .subscribe(DataBufferUtils::release, broken -> {})
                .dispose();
    }

    /** Writes a body to the client as it comes. */
    final Mono<Void> passOn(Publisher<? extends DataBuffer> body) {
        Publisher<? extends DataBuffer> passed = body instanceof Mono ? body : inDemand(Flux.from(body));
        BodyWatch watching = watch;
        return client.writeWith(watching == null ? passed : WatchedBuffers.of(passed, watching));
    }

    /**
     * Gives nothing before it is asked. Spring holds the first part of what a handler writes until the head is committed, and then gives it to its
     * subscriber, asked or not. A server that is busy with what a filter in front has written fails then.
     */
    static Flux<DataBuffer> inDemand(Flux<DataBuffer> body) {
        return body.limitRate(2).doOnDiscard(DataBuffer.class, DataBufferUtils::release);
    }

    private static Flux<Publisher<? extends DataBuffer>> partsInDemand(Flux<Publisher<? extends DataBuffer>> parts) {
        return parts.limitRate(2).doOnDiscard(Publisher.class, WebFluxCapturedResponse::discard);
    }

    private void watchEnded(boolean complete) {
        BodyWatch watching = watch;
        if (watching != null) {
            watching.ended(complete);
        }
    }

    /** Makes the change of the head to the client's response, once. */
    private void apply() {
        HeadDifference known = change;
        if (known != null && applied.compareAndSet(false, true)) {
            boolean open = !client.isCommitted();
            known.applyToOwn(client);
            if (open) {
                marks.forEach(mark -> client.getHeaders().add(mark[0], mark[1]));
            }
        }
    }

    /** What is done to the server's own response is not seen here. */
    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Spring's signature
    public <T> T getNativeResponse() {
        keepForClient();
        return ServerHttpResponseDecorator.getNativeResponse(client);
    }

    /** Nothing is sent at a commit; all that is applied when the response passes. */
    @Override
    protected void applyStatusCode() {}

    @Override
    protected void applyHeaders() {}

    @Override
    protected void applyCookies() {}
}
