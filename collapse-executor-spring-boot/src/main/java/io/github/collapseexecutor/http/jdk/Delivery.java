package io.github.collapseexecutor.http.jdk;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has the body handler of one caller read the response that its request got, its own or another's.
 *
 * <p>The caller may leave at any moment, by its request's time-out or by cancelling its future. Signals reach the handler's subscriber
 * under the monitor, so that the one that says so comes between two others.
 */
final class Delivery<T> implements Flow.Subscriber<List<ByteBuffer>> {

    // immutable
    private final HttpRequest request;
    private final BodyHandler<T> handler;
    private final Executor threads;
    private final CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();

    // mutable, guarded by this
    private @Nullable BodySubscriber<T> reader;
    private Flow.@Nullable Subscription subscription;
    private boolean ended;

    Delivery(HttpRequest request, BodyHandler<T> handler, Executor threads) {
        this.request = request;
        this.handler = handler;
        this.threads = threads;
    }

    /** Returns a future of what the handler makes of the response; cancelling it makes the caller leave. */
    CompletableFuture<HttpResponse<T>> of(CompletableFuture<UnreadResponse> response) {
        CompletableFuture<?> unused = result.whenComplete((read, failure) -> {
            if (failure != null) {
                response.cancel(true);
                leave();
            }
        });
        request.timeout()
                .ifPresent(timeout -> response.orTimeout(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS));
        CompletableFuture<?> unusedToo = response.whenCompleteAsync((unread, failure) -> {}, threads)
                .whenComplete((unread, failure) -> {
                    if (failure == null) {
                        read(unread);
                    } else {
                        result.completeExceptionally(thrownFor(failure));
                        if (!response.isCompletedExceptionally()) {
                            response.join().close(); // the threads have refused to read it
                        }
                    }
                });
        return result;
    }

    private void read(UnreadResponse response) {
        try {
            BodySubscriber<T> subscriber =
                    Objects.requireNonNull(handler.apply(response), "the BodyHandler returned null");
            synchronized (this) {
                reader = subscriber;
            }
            response.body().subscribe(this);
            CompletableFuture<?> unused = subscriber
                    .getBody()
                    .toCompletableFuture()
                    .whenComplete((body, failure) -> {
                        if (failure == null) {
                            result.complete(response.read(request, body));
                        } else {
                            result.completeExceptionally(thrownFor(failure));
                        }
                    });
        } catch (Throwable thrown) { // by the handler; its caller must not wait for ever
            result.completeExceptionally(thrown);
            if (!isSubscribed()) {
                response.close();
            }
        }
    }

    /** What the client of the JDK would end with. */
    private static Throwable thrownFor(Throwable failure) {
        Throwable cause = failure.getCause();
        if (failure instanceof CompletionException && cause != null) {
            return thrownFor(cause);
        } else if (failure instanceof TimeoutException) {
            String message = failure.getMessage();
            return new HttpTimeoutException(message == null ? "request timed out" : message).initCause(failure);
        }
        return failure;
    }

    private synchronized boolean isSubscribed() {
        return subscription != null;
    }

    private synchronized void leave() {
        Flow.Subscription present = subscription;
        if (present != null) {
            present.cancel();
        }
        onError(new IOException("The request was cancelled, or its body could not be read"));
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        if (ended) {
            begun.cancel();
        } else {
            signal(present -> present.onSubscribe(begun));
        }
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> buffers) {
        if (!ended) {
            signal(present -> present.onNext(buffers));
        }
    }

    @Override
    public void onError(Throwable failure) {
        end(present -> present.onError(failure));
    }

    @Override
    public void onComplete() {
        end(BodySubscriber::onComplete);
    }

    private synchronized void end(Consumer<BodySubscriber<T>> last) {
        if (!ended) {
            ended = true;
            if (subscription != null) {
                signal(last);
            }
        }
    }

    private void signal(Consumer<BodySubscriber<T>> signal) {
        try {
            signal.accept(Objects.requireNonNull(reader));
        } catch (Throwable thrown) { // by the handler's subscriber; its caller must not wait for ever
            result.completeExceptionally(thrown);
        }
    }
}
