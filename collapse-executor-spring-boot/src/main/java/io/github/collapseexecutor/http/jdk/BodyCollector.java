package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.BoundedBody;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body into memory up to a limit. If it is larger, what was read and then the rest go to the subscriber of the response's new
 * body, at its pace.
 *
 * <p>Signals are passed on under the monitor: the subscriber may come while the body fails.
 */
final class BodyCollector implements Flow.Subscriber<List<ByteBuffer>>, Flow.Publisher<List<ByteBuffer>> {

    // immutable
    private final UnreadResponse response;
    private final long limit;
    private final CompletableFuture<BoundedBody<UnreadResponse>> collected = new CompletableFuture<>();

    // mutable, guarded by this
    private final List<ByteBuffer> buffers = new ArrayList<>();
    private long size;
    private Flow.@Nullable Subscription source;
    private Flow.@Nullable Subscriber<? super List<ByteBuffer>> reader;
    private boolean readerHasBegin;
    private @Nullable Runnable end;

    BodyCollector(UnreadResponse response, long limit) {
        this.response = response;
        this.limit = limit;
    }

    /** Collects the body; cancelling what this returns releases the response. */
    CompletableFuture<BoundedBody<UnreadResponse>> collect() {
        response.body().subscribe(this);
        return collected;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription subscription) {
        source = subscription;
        CompletableFuture<?> unused = collected.whenComplete((body, failure) -> {
            if (failure != null) {
                subscription.cancel();
            }
        });
        subscription.request(1); // so that none is under way when the limit is passed
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> next) {
        if (reader != null) {
            reader.onNext(next);
            return;
        }
        buffers.addAll(next);
        for (ByteBuffer buffer : next) {
            size += buffer.remaining();
        }
        if (size > limit) {
            collected.complete(BoundedBody.tooLarge(response.withBody(this)));
        } else if (source != null) {
            source.request(1);
        }
    }

    @Override
    public synchronized void onComplete() {
        if (size > limit) {
            end(() -> {
                if (reader != null) {
                    reader.onComplete();
                }
            });
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) size);
        buffers.forEach(bytes::put);
        buffers.clear();
        UnreadResponse unread = response.withBody(new BufferedBody(bytes.flip().asReadOnlyBuffer()));
        collected.complete(BoundedBody.complete(bytes.array(), unread, response.received()));
    }

    @Override
    public synchronized void onError(Throwable failure) {
        if (!collected.completeExceptionally(failure)) {
            end(() -> {
                if (reader != null) {
                    reader.onError(failure);
                }
            });
        }
    }

    /** The reader gets what was read before it learns of the end. */
    private void end(Runnable last) {
        if (readerHasBegin) {
            last.run();
        } else {
            end = last;
        }
    }

    /** Of the body that is larger than the limit. */
    @Override
    public synchronized void subscribe(Flow.Subscriber<? super List<ByteBuffer>> subscriber) {
        Flow.Subscription present = source;
        if (present == null || reader != null) {
            throw new IllegalStateException("The body has a reader already, or is not there yet");
        }
        reader = subscriber;
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long count) {
                long more = count > 0 && begin() ? count - 1 : count;
                if (more != 0) {
                    present.request(more);
                }
            }

            @Override
            public void cancel() {
                present.cancel();
            }
        });
    }

    /** Gives the reader what was read; returns false if it has it already. */
    private synchronized boolean begin() {
        if (readerHasBegin || reader == null) {
            return false;
        }
        readerHasBegin = true;
        Runnable last = end;
        List<ByteBuffer> read = List.copyOf(buffers);
        buffers.clear();
        reader.onNext(read);
        if (last != null) {
            last.run();
        }
        return true;
    }
}
