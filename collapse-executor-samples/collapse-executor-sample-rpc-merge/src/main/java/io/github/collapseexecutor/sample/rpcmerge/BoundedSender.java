package io.github.collapseexecutor.sample.rpcmerge;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Bounds the messages without an outcome, as {@link MergingSender} does by itself, for those that it is compared with. */
final class BoundedSender implements Sender {

    // immutable
    private final Sender sender;
    private final int maxPending;
    private final AtomicInteger pending = new AtomicInteger();

    BoundedSender(Sender sender, int maxPending) {
        this.sender = sender;
        this.maxPending = maxPending;
    }

    @Override
    public CompletableFuture<? extends @Nullable Object> send(Outgoing message) {
        if (pending.incrementAndGet() > maxPending) {
            pending.decrementAndGet();
            throw new RejectedExecutionException(
                    "maxPending = " + maxPending + " calls have no answer yet: call later, or raise maxPending");
        }
        CompletableFuture<? extends @Nullable Object> unused =
                message.outcome().whenComplete((outcome, failure) -> pending.decrementAndGet());
        return sender.send(message);
    }

    @Override
    public void close() {
        sender.close();
    }
}
