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
    private final long intervalNanos;

    // mutable, guarded by this
    private boolean ended;
    private @Nullable Future<?> timer;

    Lease(ClusterProtocol protocol, byte[] name, String token, long covers, long lengthNanos) {
        this.protocol = protocol;
        this.name = name;
        this.token = token;
        this.covers = covers;
        this.intervalNanos = lengthNanos / RENEWALS;
        renewLater();
    }

    long covers() {
        return covers;
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
        CompletableFuture<Void> unused = protocol.renew(name, token).handle((stands, failure) -> {
            if (failure != null || stands) { // a lease that has run out does not come back
                renewLater();
            }
            return null;
        });
    }
}
