package io.github.collapseexecutor.http.spring;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Reads a body into memory up to a limit. If it is larger, what was read and then the rest flow to the subscriber of
 * {@link #resumed()}, at its pace. Every buffer that it receives is copied and released, or passed on. Public for other packages of the
 * library only.
 */
public final class BodyCollector extends BaseSubscriber<DataBuffer> {

    /** How the reading has ended. */
    public enum End {
        /** All is read. */
        WHOLE,
        /** There is more than the limit. */
        TOO_LARGE,
        /** The body has failed behind what was read. */
        BROKEN
    }

    private static final int CHUNK = 16 * 1024;

    // immutable
    private final long limit;
    private final Context context;
    private final Consumer<Throwable> broken;
    private final CompletableFuture<End> ended = new CompletableFuture<>();
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
    public BodyCollector(long limit, ContextView context, Consumer<Throwable> broken) {
        this.broken = broken;
        this.limit = limit;
        this.context = Context.of(context);
    }

    /** Done as soon as it is known whether the body is whole; it never fails. */
    public CompletableFuture<End> ended() {
        return ended;
    }

    public byte[] bytes() {
        return collected.toByteArray();
    }

    /** A body that is in memory, in a new buffer for each subscriber; without bytes there is none, as from a transport. */
    public static Flux<DataBuffer> of(byte[] bytes) {
        return of(bytes, DefaultDataBufferFactory.sharedInstance);
    }

    private static Flux<DataBuffer> of(byte[] bytes, DataBufferFactory buffers) {
        return bytes.length == 0 ? Flux.empty() : Flux.defer(() -> Flux.just(buffers.wrap(bytes)));
    }

    /**
     * A body that is in memory, copied into new buffers at the pace of each subscriber. {@link DataBufferUtils#readInputStream} would read it
     * through a channel, which fails on a thread that has been interrupted, and would tell the end later than a body that is written does.
     *
     * @param copy copies the bytes from one index to another
     */
    public static Flux<DataBuffer> copied(int length, BiFunction<Integer, Integer, byte[]> copy) {
        return copied(length, copy, DefaultDataBufferFactory.sharedInstance);
    }

    /**
     * The same for a server.
     *
     * @param buffers that of the response: the server's buffers, which filters make, join no others
     */
    public static Flux<DataBuffer> copied(
            int length, BiFunction<Integer, Integer, byte[]> copy, DataBufferFactory buffers) {
        return Flux.range(0, (length + CHUNK - 1) / CHUNK).map(index -> {
            int from = index * CHUNK;
            return buffers.wrap(copy.apply(from, Math.min(length, from + CHUNK)));
        });
    }

    /** The whole of a body that is larger than the limit, for one subscriber, if that comes before {@link #cancelUnread()}. */
    public Flux<DataBuffer> resumed() {
        return resumed(DefaultDataBufferFactory.sharedInstance);
    }

    /**
     * The same for a server.
     *
     * @param buffers that of the response
     */
    public Flux<DataBuffer> resumed(DataBufferFactory buffers) {
        return Flux.defer(() -> taken.compareAndSet(false, true) ? readAndUnread(buffers) : Flux.error(notReadable()));
    }

    /** Ends the body, unless there is a subscriber that is going to read or to cancel it. */
    public void cancelUnread() {
        if (taken.compareAndSet(false, true)) {
            cancel();
        }
    }

    /** What has broken the body; null if nothing has. */
    public @Nullable Throwable failure() {
        return failure;
    }

    /** What was read of a broken body, and then its failure; for any number of subscribers. */
    public Flux<DataBuffer> brokenOff() {
        Throwable present = requireNonNull(failure, "the body is not broken");
        return Flux.concat(of(bytes()), Flux.error(present));
    }

    private static IllegalStateException notReadable() {
        return new IllegalStateException(
                "The body can be read once, and not after the subscriber to the response has left");
    }

    private Flux<DataBuffer> readAndUnread(DataBufferFactory buffers) {
        Sinks.Many<DataBuffer> present = requireNonNull(rest, "the body is not larger than the limit");
        Flux<DataBuffer> unread =
                present.asFlux().doOnRequest(this::request).doOnDiscard(DataBuffer.class, DataBufferUtils::release);
        return Flux.concat(of(bytes(), buffers), unread).doOnCancel(this::cancel);
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
        } catch (Throwable thrown) { // Reactor would throw some errors to the transport; all would wait for ever
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
        broken.accept(thrown);
        ended.complete(End.BROKEN);
    }
}
