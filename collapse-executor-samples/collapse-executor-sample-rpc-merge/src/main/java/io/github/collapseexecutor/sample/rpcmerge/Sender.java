package io.github.collapseexecutor.sample.rpcmerge;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Brings messages to their links: alone or with others. */
interface Sender extends AutoCloseable {

    /**
     * Sends a message.
     *
     * @return its {@linkplain Outgoing#outcome() outcome}, or why it could not be sent
     * @throws java.util.concurrent.RejectedExecutionException if there are too many
     */
    CompletableFuture<? extends @Nullable Object> send(Outgoing message);

    @Override
    default void close() {}
}
