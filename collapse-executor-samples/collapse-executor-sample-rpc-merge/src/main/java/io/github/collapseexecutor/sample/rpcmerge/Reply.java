package io.github.collapseexecutor.sample.rpcmerge;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A server's answer to a request. */
final class Reply extends Outgoing {

    private static final CompletableFuture<@Nullable Void> WRITTEN = CompletableFuture.completedFuture(null);

    Reply(Link link, long id, int type, byte kind, byte[] payload) {
        super(link, type, kind, payload);
        this.id = id;
    }

    @Override
    CompletableFuture<@Nullable Void> outcome() {
        return WRITTEN;
    }
}
