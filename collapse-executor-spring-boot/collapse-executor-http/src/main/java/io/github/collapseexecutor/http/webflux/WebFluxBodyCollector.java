package io.github.collapseexecutor.http.webflux;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Reads the body that a handler writes into memory, up to a limit. If it is larger, what was read and then the rest flow to the
 * subscriber of {@link #resumed()}, at its pace. Every buffer that it receives is copied and released, or passed on.
 */
final class WebFluxBodyCollector extends BaseSubscriber<DataBuffer> {

    /** How the reading has ended. */
    enum End {
        /** All is read. */
        WHOLE,
        /** There is more than the limit. */
        TOO_LARGE,
        /** The body has failed behind what was read. */
        BROKEN
    }

    // immutable
    private final long limit;
    private final Context context;
    private final CompletableFuture<End> ended = new CompletableFuture<>();
    private final ByteArrayOutputStream collected = new ByteArrayOutputStream();

    // mutable, confined to the signals of the body until it has ended
    private Sinks.@Nullable Many<DataBuffer> rest;
    private @Nullable Throwable failure;

    WebFluxBodyCollector(long limit, ContextView context) {
        this.limit = limit;
        this.context = Context.of(context);
    }

    /** Done as soon as it is known whether the body is whole; it never fails. */
    CompletableFuture<End> ended() {
        return ended;
    }

    byte[] bytes() {
        return collected.toByteArray();
    }

    /** What has broken the body; null if nothing has. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** The whole of a body that is larger than the limit, for one subscriber. */
    Flux<DataBuffer> resumed() {
        Sinks.Many<DataBuffer> present = rest;
        if (present == null) {
            throw new IllegalStateException("The body is not larger than the limit");
        }
        Flux<DataBuffer> read = Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(bytes())));
        Flux<DataBuffer> unread =
                present.asFlux().doOnRequest(this::request).doOnDiscard(DataBuffer.class, DataBufferUtils::release);
        return Flux.concat(read, unread).doOnCancel(this::cancel);
    }

    @Override
    public Context currentContext() {
        return context;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
        request(1); // so that none is under way when the limit is passed
    }

    @Override
    protected void hookOnNext(DataBuffer buffer) {
        Sinks.Many<DataBuffer> present = rest;
        if (present != null) {
            if (present.tryEmitNext(buffer).isFailure()) {
                DataBufferUtils.release(buffer);
            }
            return;
        }
        try {
            copyAndRelease(buffer);
        } catch (Throwable thrown) { // Reactor would throw some errors to the server; all requests would wait for ever
            cancel();
            fail(thrown);
            return;
        }
        if (collected.size() > limit) {
            rest = Sinks.many().unicast().onBackpressureBuffer();
            ended.complete(End.TOO_LARGE);
        } else {
            request(1);
        }
    }

    private void copyAndRelease(DataBuffer buffer) {
        try {
            byte[] bytes = new byte[buffer.readableByteCount()];
            buffer.read(bytes);
            collected.writeBytes(bytes);
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    @Override
    protected void hookOnComplete() {
        Sinks.Many<DataBuffer> present = rest;
        if (present == null) {
            ended.complete(End.WHOLE);
        } else {
            Sinks.EmitResult unused = present.tryEmitComplete();
        }
    }

    @Override
    protected void hookOnError(Throwable thrown) {
        Sinks.Many<DataBuffer> present = rest;
        if (present == null) {
            fail(thrown);
        } else {
            Sinks.EmitResult unused = present.tryEmitError(thrown);
        }
    }

    private void fail(Throwable thrown) {
        failure = thrown;
        ended.complete(End.BROKEN);
    }
}
