package io.github.collapseexecutor.sample.rpcmerge;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Sends every message as a frame of its own, at once: what {@link MergingSender} is compared with. */
final class UnmergedSender implements Sender {

    @Override
    public CompletableFuture<? extends @Nullable Object> send(Outgoing message) {
        message.link.loop().execute(() -> {
            CompletableFuture<@Nullable Void> unused = message.link
                    .write(List.of(message))
                    .whenComplete((written, failure) -> {
                        if (failure != null) {
                            message.outcome().completeExceptionally(failure);
                        }
                    });
        });
        return message.outcome();
    }
}
