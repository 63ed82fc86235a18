package io.github.collapseexecutor.sample.rpcmerge;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a server does with requests of one type, apart from those of all others. */
final class Handler<Q, R> implements AutoCloseable {

    // immutable
    private final MessageType<Q, R> type;
    private final Function<? super Q, ? extends CompletionStage<? extends R>> function;
    /** The type's own threads; null if its function does not block. */
    private final @Nullable ThreadPoolExecutor pool;

    Handler(
            MessageType<Q, R> type,
            Function<? super Q, ? extends CompletionStage<? extends R>> function,
            @Nullable ThreadPoolExecutor pool) {
        this.type = type;
        this.function = function;
        this.pool = pool;
    }

    /** Answers a request, or fails with what is to be told to the caller; one that was answered meanwhile is not run. */
    void answer(byte[] request, CompletableFuture<byte[]> answer) {
        if (pool == null) {
            answerHere(request, answer);
            return;
        }
        try {
            pool.execute(() -> answerHere(request, answer));
        } catch (RejectedExecutionException full) {
            answer.completeExceptionally(new RejectedExecutionException(
                    type + " has " + pool.getQueue().size() + " requests waiting already", full));
        }
    }

    private void answerHere(byte[] request, CompletableFuture<byte[]> answer) {
        if (answer.isDone()) {
            return; // its time was over before a thread was free
        }
        try {
            CompletionStage<? extends R> reply = function.apply(type.request().decode(request));
            CompletionStage<byte[]> unused = reply.<byte[]>thenApply(this::encode)
                    .whenComplete((payload, failure) -> {
                        if (failure == null) {
                            answer.complete(payload);
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    });
        } catch (Throwable thrown) { // an Error too: the caller is told, and nobody else needs this thread's stack
            answer.completeExceptionally(thrown);
        }
    }

    private byte[] encode(R reply) {
        try {
            return type.reply().encode(reply);
        } catch (Exception unencodable) {
            throw new IllegalStateException("the reply cannot be encoded: " + unencodable, unencodable);
        }
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.shutdownNow();
        }
    }
}
