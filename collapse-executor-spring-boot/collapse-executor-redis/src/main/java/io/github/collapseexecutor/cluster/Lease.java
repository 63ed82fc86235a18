package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.Envelope.Content;
import io.github.collapseexecutor.cluster.Envelope.Kind;
import io.github.collapseexecutor.core.LibraryThreads;
import io.github.collapseexecutor.http.OtherInstances;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The right to make a call for the cluster. It is renewed until it ends, and ends once: by a result, a failure, or by being given
 * up, upon which another waiter gets it. A lease that nobody renews runs out.
 *
 * <p>A call that is too short to be shared has a lease of which Redis does not know: nobody waits for it.
 */
final class Lease implements OtherInstances.Duty {

    private static final int RENEWALS = 3;

    // immutable
    private final ClusterNode node;
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

    Lease(ClusterNode node, byte[] name, String token, ClusterProtocol.Lead granted, long lengthNanos) {
        this.node = node;
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

    @Override
    public boolean isAwaited() {
        return joinable || !early.isEmpty();
    }

    @Override
    public int limit() {
        return node.maxResultSize();
    }

    @Override
    public void share(byte[] response) {
        publish(new Content(Kind.RESULT, response));
    }

    /** Hands the result to those that had asked before the call began, and to those that have joined it until now. */
    void publish(Content content) {
        if (content.bytes.length > node.maxResultSize()) {
            refuse();
        } else if (end(true)) {
            CompletableFuture<String> late =
                    joinable ? node.protocol().joined(name, token) : CompletableFuture.completedFuture("");
            CompletableFuture<Void> unused = StageRun.awaited(late, LibraryThreads.free())
                    .thenAccept(ids -> store(ids, content))
                    .exceptionally(failure -> null); // then the lease runs out
        }
    }

    private void store(String late, Content content) {
        if (!early.isEmpty() || !late.isEmpty()) {
            byte[] sealed = node.envelope().seal(name, new Envelope.Addressees(early, late), content);
            node.protocol().publishResult(name, token, content.bytes.length, sealed);
        }
    }

    @Override
    public void refuse() {
        if (end(true)) {
            node.protocol().publishPass(name, token);
        }
    }

    @Override
    public void fail() {
        if (end(false)) {
            node.protocol().publishFailure(name, token);
        }
    }

    @Override
    public void end() {
        if (end(true)) {
            node.protocol().publishNothing(name, token);
        }
    }

    @Override
    public void giveUp() {
        if (end(false)) {
            node.protocol().leave(name, token);
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
            node.calls().took(name, System.nanoTime() - begun);
        }
        return isShared();
    }

    private synchronized void renewLater() {
        if (!ended && isShared()) {
            timer = LibraryThreads.after(intervalNanos, this::renew);
        }
    }

    private void renew() {
        CompletableFuture<Void> unused = node.protocol()
                .renew(name, token, intervalNanos)
                .handle((stands, failure) -> {
                    // A lease that has run out does not come back, and nobody renews one who has left the cluster.
                    if (failure != null ? !node.protocol().isClosed() : stands) {
                        renewLater();
                    }
                    return null;
                });
    }
}
