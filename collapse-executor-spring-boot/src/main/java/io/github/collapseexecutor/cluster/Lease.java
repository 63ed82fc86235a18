package io.github.collapseexecutor.cluster;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The right to make a call for the cluster. It is renewed until it ends, and ends once: by a result, a failure, or by being given
 * up, upon which another waiter gets it. A lease that nobody renews runs out.
 */
final class Lease {

    private static final int RENEWALS = 3;

    // immutable
    private final ClusterProtocol protocol;
    private final byte[] name;
    private final String token;
    private final long covers;
    private final boolean awaited;
    private final long intervalNanos;

    // mutable, guarded by this
    private boolean ended;
    private @Nullable Future<?> timer;

    Lease(ClusterProtocol protocol, byte[] name, String token, ClusterProtocol.Lead granted, long lengthNanos) {
        this.protocol = protocol;
        this.name = name;
        this.token = token;
        this.covers = granted.covers();
        this.awaited = granted.awaited();
        this.intervalNanos = lengthNanos / RENEWALS;
        renewLater();
    }

    long covers() {
        return covers;
    }

    /** Whether another instance may wait for the result. */
    boolean isAwaited() {
        return awaited;
    }

    void publishResult(byte[] sealed) {
        if (end()) {
            protocol.publishResult(name, token, sealed);
        }
    }

    void publishFailure() {
        if (end()) {
            protocol.publishFailure(name, token);
        }
    }

    void publishNothing() {
        if (end()) {
            protocol.publishNothing(name, token);
        }
    }

    void publishPass() {
        if (end()) {
            protocol.publishPass(name, token);
        }
    }

    void giveUp() {
        if (end()) {
            protocol.leave(name, token, 0);
        }
    }

    private synchronized boolean end() {
        boolean first = !ended;
        ended = true;
        if (timer != null) {
            timer.cancel(false);
        }
        return first;
    }

    private synchronized void renewLater() {
        if (!ended) {
            timer = ClusterThreads.after(intervalNanos, this::renew);
        }
    }

    private void renew() {
        CompletableFuture<Void> unused = protocol.renew(name, token, intervalNanos)
                .handle((stands, failure) -> {
                    // A lease that has run out does not come back, and nobody renews one who has left the cluster.
                    if (failure != null ? !protocol.isClosed() : stands) {
                        renewLater();
                    }
                    return null;
                });
    }
}
