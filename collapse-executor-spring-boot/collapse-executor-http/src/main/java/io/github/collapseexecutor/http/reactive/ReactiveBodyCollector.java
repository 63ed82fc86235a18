package io.github.collapseexecutor.http.reactive;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
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
 * Reads a body into memory up to a limit. If it is larger, what was read and then the rest flow to the subscriber of
 * {@link #resumed()}, at its pace. Every buffer that it receives is copied and released, or passed on.
 */
final class ReactiveBodyCollector extends BaseSubscriber<DataBuffer> {

    // immutable
    private final long limit;
    private final Context context;
    private final Consumer<Throwable> broken;
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private final ByteArrayOutputStream collected = new ByteArrayOutputStream();

    // mutable, thread-safe
    private final AtomicBoolean taken = new AtomicBoolean();

    // mutable, confined to the signals of the body until it has ended
    private Sinks.@Nullable Many<DataBuffer> rest;

    // mutable, written once before the body has ended
    private volatile @Nullable Throwable failure;

    /**
     * Creates a collector that has not begun.
     *
     * @param broken learns of what breaks the body, before anybody else does
     */
    ReactiveBodyCollector(long limit, ContextView context, Consumer<Throwable> broken) {
        this.broken = broken;
        this.limit = limit;
        this.context = Context.of(context);
    }

    /** Completes with true when all is read, with false when there is more of it than the limit. */
    CompletableFuture<Boolean> ended() {
        return ended;
    }

    byte[] bytes() {
        return collected.toByteArray();
    }

    /** The whole of a body that is larger than the limit, for one subscriber, if that comes before {@link #cancelUnread()}. */
    Flux<DataBuffer> resumed() {
        return Flux.defer(() -> taken.compareAndSet(false, true) ? readAndUnread() : Flux.error(notReadable()));
    }

    /** Ends the body, unless there is a subscriber that is going to read or to cancel it. */
    void cancelUnread() {
        if (taken.compareAndSet(false, true)) {
            cancel();
        }
    }

    /** What has broken the body; null if nothing has. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** What was read of a broken body, and then its failure; for any number of subscribers. */
    Flux<DataBuffer> brokenOff() {
        Throwable present = failure;
        if (present == null) {
            throw new IllegalStateException("The body is not broken");
        }
        Flux<DataBuffer> end = Flux.error(present);
        return collected.size() == 0 ? end : Flux.concat(Flux.defer(this::read), end);
    }

    private Flux<DataBuffer> read() {
        return Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(bytes()));
    }

    private static IllegalStateException notReadable() {
        return new IllegalStateException(
                "The body can be read once, and not after the subscriber to the response has left");
    }

    private Flux<DataBuffer> readAndUnread() {
        Sinks.Many<DataBuffer> present = rest;
        if (present == null) {
            throw new IllegalStateException("The body is not larger than the limit");
        }
        Flux<DataBuffer> unread =
                present.asFlux().doOnRequest(this::request).doOnDiscard(DataBuffer.class, DataBufferUtils::release);
        return Flux.concat(read(), unread).doOnCancel(this::cancel);
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
        } catch (
                Throwable thrown) { // Reactor would throw some errors to the transport; all callers would wait for ever
            cancel();
            fail(thrown);
            return;
        }
        if (collected.size() > limit) {
            rest = Sinks.many().unicast().onBackpressureBuffer();
            ended.complete(false);
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
            ended.complete(true);
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
        broken.accept(thrown);
        ended.completeExceptionally(thrown);
    }
}
