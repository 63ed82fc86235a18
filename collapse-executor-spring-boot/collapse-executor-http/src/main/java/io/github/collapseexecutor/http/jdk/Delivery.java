package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.core.Failures;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has the body handler of one caller read the response that its request got, its own or another's.
 *
 * <p>The caller may leave at any moment, by its request's time-out or by cancelling its future. Signals reach the handler's subscriber
 * one after another, so that the one that says so comes between two others. None of them comes under a lock: a subscriber may
 * wait for a thread that leaves.
 */
final class Delivery<T> implements Flow.Subscriber<List<ByteBuffer>> {

    // immutable
    private final HttpRequest request;
    private final BodyHandler<T> handler;
    private final Executor threads;
    private final CompletableFuture<HttpResponse<T>> result = new SendAsyncFuture<>(this);
    private final RequestTimeout timeout;

    // mutable, thread-safe by themselves
    private final Signals signals = new Signals();
    private volatile @Nullable BodySubscriber<T> reader;
    /** What the reader makes of the body. */
    private volatile @Nullable CompletableFuture<T> made;

    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean left;

    // mutable, confined to the signals
    private boolean begun;
    private boolean ended;

    Delivery(HttpRequest request, BodyHandler<T> handler, Executor threads) {
        this.request = request;
        this.handler = handler;
        this.threads = threads;
        this.timeout = new RequestTimeout(request, threads);
    }

    /** The head of a response to this very request is there. */
    void headArrived() {
        timeout.headArrived();
    }

    /** Returns a future of what the handler makes of the response; cancelling it makes the caller leave. */
    CompletableFuture<HttpResponse<T>> of(CompletableFuture<UnreadResponse> response) {
        CompletableFuture<?> unused = result.whenComplete((read, failure) -> {
            if (failure != null) {
                timeout.stop();
                response.cancel(true);
                leave();
            }
        });
        timeout.start(passed -> {
            if (!response.completeExceptionally(passed) && !fail(passed)) {
                leave(); // the caller reads the body itself
            }
        });
        CompletableFuture<?> unusedToo = response.whenComplete((unread, failure) -> timeout.headArrived())
                .whenCompleteAsync((unread, failure) -> {}, threads)
                .whenComplete((unread, failure) -> {
                    if (failure == null) {
                        read(unread);
                    } else {
                        fail(failure);
                        if (!response.isCompletedExceptionally()) {
                            response.join().close(); // the threads have refused to read it
                        }
                    }
                });
        return result;
    }

    /** The caller does not want what its handler makes of the response, even if it has it and the body is still being read. */
    void cancel() {
        if (!result.completeExceptionally(new CancellationException())) {
            leave();
        }
    }

    private void read(UnreadResponse response) {
        Flow.Publisher<List<ByteBuffer>> source = response.body();
        if (source == null) {
            result.complete(response.read(request, null));
            return;
        }
        try {
            BodySubscriber<T> subscriber =
                    Objects.requireNonNull(handler.apply(response), "the BodyHandler returned null");
            reader = subscriber;
            CompletableFuture<T> body = subscriber.getBody().toCompletableFuture();
            made = body;
            source.subscribe(this); // first, because a stage behind the result may read what comes
            CompletableFuture<?> unused = body.whenComplete((read, failure) -> {
                if (failure == null) {
                    result.complete(response.read(request, read));
                } else {
                    fail(failure);
                }
            });
        } catch (Throwable thrown) { // by the handler; its caller must not wait for ever
            fail(thrown);
            if (subscription == null) {
                response.close();
            }
        }
    }

    /** Fails as the future of the JDK's client does, which is a stage behind others: stages behind it see the failure wrapped. */
    private boolean fail(Throwable failure) {
        return result.completeExceptionally(new CompletionException(thrownFor(failure)));
    }

    /** What the client of the JDK would end with. */
    private static Throwable thrownFor(Throwable failure) {
        Throwable own = Failures.unwrapped(failure);
        if (own instanceof TimeoutException) {
            String message = own.getMessage();
            return new HttpTimeoutException(message == null ? "request timed out" : message).initCause(own);
        }
        return own;
    }

    private void leave() {
        left = true;
        cancelSubscription();
        signals.add(() -> {
            cancelSubscription(); // it may have begun meanwhile
            endNow(present ->
                    present.onError(new IOException("The request was cancelled, or its body could not be read")));
        });
    }

    private void cancelSubscription() {
        Flow.Subscription present = subscription;
        if (present != null) {
            present.cancel();
        }
    }

    @Override
    public void onSubscribe(Flow.Subscription source) {
        subscription = source;
        signals.add(() -> {
            if (ended) {
                source.cancel();
            } else {
                begun = true;
                signal(present -> present.onSubscribe(source));
            }
        });
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        signals.add(() -> {
            if (!ended && !left) {
                signal(present -> present.onNext(buffers));
            }
        });
    }

    @Override
    public void onError(Throwable failure) {
        endOfBody(present -> present.onError(failure));
    }

    @Override
    public void onComplete() {
        endOfBody(BodySubscriber::onComplete);
    }

    /** A subscriber whose caller has left meanwhile is told that instead. */
    private void endOfBody(Consumer<BodySubscriber<T>> last) {
        signals.add(() -> {
            if (!left) {
                endNow(last);
            }
        });
    }

    private void endNow(Consumer<BodySubscriber<T>> last) {
        if (!ended) {
            ended = true;
            timeout.stop();
            if (begun) {
                signal(last);
            }
        }
    }

    private void signal(Consumer<BodySubscriber<T>> signal) {
        try {
            signal.accept(Objects.requireNonNull(reader));
        } catch (Throwable thrown) { // by the handler's subscriber; its caller must not wait for ever
            if (!Objects.requireNonNull(made).isDone()) { // what is thrown behind the end of the body is of no account
                fail(thrown);
            }
        }
    }
}
