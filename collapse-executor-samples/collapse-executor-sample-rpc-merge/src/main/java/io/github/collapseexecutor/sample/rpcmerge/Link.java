package io.github.collapseexecutor.sample.rpcmerge;

import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Where messages are sent to: what is sent to one link may leave together. Links are equal only to themselves. */
interface Link {

    /** The thread that everything about this link happens on. */
    EventLoop loop();

    /**
     * Writes messages, on the thread of the loop, in as few frames as may be.
     *
     * @return completes when all are written; then the outcome of each is settled or will be. It fails if none was written
     */
    CompletableFuture<@Nullable Void> write(List<? extends Outgoing> messages);
}
