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

    /** Answers a request; the stage fails with what is to be told to the caller. */
    CompletionStage<byte[]> answer(byte[] request) {
        if (pool == null) {
            return answerHere(request);
        }
        try {
            return CompletableFuture.supplyAsync(() -> answerHere(request), pool)
                    .thenCompose(answer -> answer);
        } catch (RejectedExecutionException full) {
            return CompletableFuture.failedFuture(new RejectedExecutionException(
                    type + " has " + pool.getQueue().size() + " requests waiting already", full));
        }
    }

    private CompletionStage<byte[]> answerHere(byte[] request) {
        try {
            CompletionStage<? extends R> reply = function.apply(type.request().decode(request));
            return reply.thenApply(this::encode);
        } catch (Throwable thrown) { // an Error too: the caller is told, and nobody else needs this thread's stack
            return CompletableFuture.failedFuture(thrown);
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
