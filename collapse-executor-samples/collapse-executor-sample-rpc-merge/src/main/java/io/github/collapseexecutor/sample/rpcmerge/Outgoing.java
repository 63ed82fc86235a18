package io.github.collapseexecutor.sample.rpcmerge;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A message to be sent. */
abstract class Outgoing {

    // immutable
    final Link link;
    final int type;
    final byte kind;
    final byte[] payload;

    // mutable, confined to the thread of the link
    long id;

    Outgoing(Link link, int type, byte kind, byte[] payload) {
        this.link = link;
        this.type = type;
        this.kind = kind;
        this.payload = payload;
    }

    /** What the sender of this message gets when it has been written. */
    abstract CompletableFuture<? extends @Nullable Object> outcome();

    final int frameBytes() {
        return Frame.HEADER_BYTES + payload.length;
    }
}
