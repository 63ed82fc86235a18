package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.core.LibraryThreads;
import java.net.http.HttpRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@code timeout()} of one request. As that of the JDK's client, it covers the body only since Java 26; before, it ends when the head
 * is there.
 */
final class RequestTimeout {

    private static final boolean COVERS_BODY = Runtime.version().feature() >= 26;

    // immutable
    private final HttpRequest request;
    private final Executor threads;
    private final CompletableFuture<@Nullable Void> timer = new CompletableFuture<>();

    RequestTimeout(HttpRequest request, Executor threads) {
        this.request = request;
        this.threads = threads;
    }

    /**
     * Begins, if the request has a time-out.
     *
     * @param passed is told that it has passed, on a thread of the client's, because code of the application may follow
     */
    void start(Consumer<Throwable> passed) {
        request.timeout().ifPresent(duration -> {
            Future<?> due = LibraryThreads.after(
                    TimeUnit.NANOSECONDS.convert(duration), () -> timer.completeExceptionally(new TimeoutException()));
            CompletableFuture<?> unused = timer.whenComplete((stopped, failure) -> {
                due.cancel(false);
                if (failure != null) {
                    handOver(() -> passed.accept(failure));
                }
            });
        });
    }

    private void handOver(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException refused) { // the caller must not wait for ever
            task.run();
        }
    }

    void headArrived() {
        if (!COVERS_BODY) {
            stop();
        }
    }

    void stop() {
        timer.complete(null);
    }
}
