package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.call.BoundedBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body into memory up to a limit. If it is larger, what was read and then the rest go to the subscriber of the response's new
 * body, at its pace.
 *
 * <p>The subscriber may come while the body fails, so that its signals are put into an order. It gets them outside any lock.
 */
final class JdkBodyCollector implements Flow.Subscriber<List<ByteBuffer>>, Flow.Publisher<List<ByteBuffer>> {

    // immutable
    private final UnreadResponse response;
    private final long limit;
    private final CompletableFuture<BoundedBody<UnreadResponse>> collected = new CompletableFuture<>();

    // mutable, thread-safe by themselves
    private final Signals signals = new Signals();
    private final AtomicReference<Flow.@Nullable Subscriber<? super List<ByteBuffer>>> reader = new AtomicReference<>();
    private volatile Flow.@Nullable Subscription source;

    // mutable, confined to the source, which is not asked for more until a reader has taken them
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private long size;

    // mutable, confined to the signals
    private boolean readerHasBegun;
    private @Nullable Consumer<Flow.Subscriber<?>> end;

    JdkBodyCollector(UnreadResponse response, long limit) {
        this.response = response;
        this.limit = limit;
    }

    /** Collects the body; cancelling what this returns releases the response. */
    CompletableFuture<BoundedBody<UnreadResponse>> collect() {
        Objects.requireNonNull(response.body(), "a response that may be shared has a body")
                .subscribe(this);
        return collected;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        source = subscription;
        CompletableFuture<?> unused = collected.whenComplete((body, failure) -> {
            if (failure != null) {
                subscription.cancel();
            }
        });
        subscription.request(1); // so that none is under way when the limit is passed
    }

    @Override
    public void onNext(List<ByteBuffer> next) {
        Flow.Subscriber<? super List<ByteBuffer>> present = reader.get();
        if (present != null) {
            signals.add(() -> present.onNext(next));
            return;
        }
        try {
            keep(next);
        } catch (Throwable thrown) {
            fail(thrown);
        }
    }

    private void keep(List<ByteBuffer> next) {
        buffers.addAll(next);
        for (ByteBuffer buffer : next) {
            size += buffer.remaining();
        }
        Flow.Subscription begun = source;
        if (size > limit) {
            collected.complete(BoundedBody.tooLarge(response.withBody(this)));
        } else if (begun != null) {
            begun.request(1);
        }
    }

    @Override
    public void onComplete() {
        if (size > limit) {
            signals.add(() -> end(Flow.Subscriber::onComplete));
            return;
        }
        try {
            collected.complete(joined());
        } catch (Throwable thrown) {
            fail(thrown);
        }
    }

    private BoundedBody<UnreadResponse> joined() {
        ByteBuffer bytes = ByteBuffer.allocate((int) size);
        buffers.forEach(bytes::put);
        buffers.clear();
        UnreadResponse unread = response.withBody(new BufferedBody(bytes.flip().asReadOnlyBuffer()));
        return BoundedBody.complete(bytes.array(), unread, response.received());
    }

    /** There was no memory for the body. The source may tell nobody of what its subscriber throws. */
    private void fail(Throwable thrown) {
        buffers.clear();
        collected.completeExceptionally(thrown);
    }

    @Override
    public void onError(Throwable failure) {
        if (!collected.completeExceptionally(failure)) {
            signals.add(() -> end(present -> present.onError(failure)));
        }
    }

    /** The reader gets what was read before it learns of the end. */
    private void end(Consumer<Flow.Subscriber<?>> last) {
        Flow.Subscriber<?> present = reader.get();
        if (readerHasBegun && present != null) {
            last.accept(present);
        } else {
            end = last;
        }
    }

    /** Of the body that is larger than the limit. */
    @Override
    public void subscribe(Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        Flow.Subscription present = source;
        if (present == null || !reader.compareAndSet(null, subscriber)) {
            throw new IllegalStateException("The body has a reader already, or is not there yet");
        }
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                signals.add(() -> {
                    long more = count > 0 && begin(subscriber) ? count - 1 : count;
                    if (more != 0) {
                        present.request(more);
                    }
                });
            }

            @Override
            public void cancel() {
                present.cancel();
            }
        });
    }

    /** Gives the reader what was read; returns false if it has it already. */
    private boolean begin(Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        if (readerHasBegun) {
            return false;
        }
        readerHasBegun = true;
        List<ByteBuffer> read = List.copyOf(buffers);
        buffers.clear();
        subscriber.onNext(read);
        Consumer<Flow.Subscriber<?>> last = end;
        if (last != null) {
            last.accept(subscriber);
        }
        return true;
    }
}
