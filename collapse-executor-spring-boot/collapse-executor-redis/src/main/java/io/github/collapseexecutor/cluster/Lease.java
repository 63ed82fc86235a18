package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.LibraryThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The right to make a call for the cluster. It is renewed until it ends, and ends once: by a result, a failure, or by being given
 * up, upon which another waiter gets it. A lease that nobody renews runs out.
 *
 * <p>A call that is too short to be shared has a lease of which Redis does not know: nobody waits for it.
 */
final class Lease {

    private static final int RENEWALS = 3;

    // immutable
    private final ClusterProtocol protocol;
    private final Envelope envelope;
    private final ClusterCallTimes times;
    private final byte[] name;
    private final String token;
    private final String early;
    private final boolean joinable;
    /** How often it is renewed; 0 if Redis does not know of it. */
    private final long intervalNanos;

    private final long begun = System.nanoTime();

    // mutable, guarded by this
    private boolean ended;
    private @Nullable Future<?> timer;

    Lease(
            ClusterProtocol protocol,
            Envelope envelope,
            ClusterCallTimes times,
            byte[] name,
            String token,
            ClusterProtocol.Lead granted,
            long lengthNanos) {
        this.protocol = protocol;
        this.envelope = envelope;
        this.times = times;
        this.name = name;
        this.token = token;
        this.early = granted.early();
        this.joinable = granted.joinable();
        this.intervalNanos = lengthNanos / RENEWALS;
        renewLater();
    }

    /** Whether Redis knows of it. */
    boolean isShared() {
        return intervalNanos > 0;
    }

    /** Whether another instance may wait for the result. */
    boolean isAwaited() {
        return joinable || !early.isEmpty();
    }

    /** Hands the result to those that had asked before the call began, and to those that have joined it until now. */
    void publishResult(Envelope.Content content) {
        if (!end(true)) {
            return;
        }
        if (joinable) {
            CompletableFuture<Void> unused = protocol.joined(name, token)
                    .thenAcceptAsync(late -> store(late, content), LibraryThreads.free())
                    .exceptionally(failure -> null); // then the lease runs out
        } else {
            store("", content);
        }
    }

    private void store(String late, Envelope.Content content) {
        if (!early.isEmpty() || !late.isEmpty()) {
            byte[] sealed = envelope.seal(name, new Envelope.Addressees(early, late), content);
            protocol.publishResult(name, token, content.bytes.length, sealed);
        }
    }

    void publishFailure() {
        if (end(false)) {
            protocol.publishFailure(name, token);
        }
    }

    void publishNothing() {
        if (end(true)) {
            protocol.publishNothing(name, token);
        }
    }

    void publishPass() {
        if (end(true)) {
            protocol.publishPass(name, token);
        }
    }

    void giveUp() {
        if (end(false)) {
            protocol.leave(name, token);
        }
    }

    /** Says whether Redis is to be told. */
    private boolean end(boolean succeeded) {
        synchronized (this) {
            if (ended) {
                return false;
            }
            ended = true;
            if (timer != null) {
                timer.cancel(false);
            }
        }
        if (succeeded) {
            times.took(name, System.nanoTime() - begun);
        }
        return isShared();
    }

    private synchronized void renewLater() {
        if (!ended && isShared()) {
            timer = LibraryThreads.after(intervalNanos, this::renew);
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
