package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.Envelope.Content;
import io.github.collapseexecutor.cluster.Envelope.Kind;
import io.github.collapseexecutor.core.LibraryThreads;
import io.github.collapseexecutor.http.OtherInstances;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The right to make a call for the cluster. It is renewed until it ends, and ends once: by a result, a failure, or by being given
 * up, upon which another waiter gets it. A lease that nobody renews runs out.
 */
final class Lease implements OtherInstances.Duty {

    private static final int RENEWALS = 3;

    // immutable
    private final ClusterNode node;
    private final byte[] name;
    private final String token;
    private final ClusterProtocol.Grant granted;
    /** How often it is renewed; 0 if Redis does not know of it. */
    private final long intervalNanos;

    private final long begun = System.nanoTime();

    // mutable, guarded by this
    private boolean ended;
    private @Nullable Future<?> timer;

    private Lease(ClusterNode node, byte[] name, String token, ClusterProtocol.Grant granted, long intervalNanos) {
        this.node = node;
        this.name = name;
        this.token = token;
        this.granted = granted;
        this.intervalNanos = intervalNanos;
        renewLater();
    }

    static Lease of(ClusterNode node, byte[] name, String token, ClusterProtocol.Grant granted) {
        return new Lease(node, name, token, granted, node.options.lease().toNanos() / RENEWALS);
    }

    /** One of a call that is too short to be shared: Redis does not know of it, and nobody waits for it. */
    static Lease unshared(ClusterNode node, byte[] name) {
        return new Lease(node, name, "", new ClusterProtocol.Grant("", false), 0);
    }

    /** Whether Redis knows of it. */
    boolean isShared() {
        return intervalNanos > 0;
    }

    @Override
    public boolean isAwaited() {
        return granted.joinable() || !granted.early().isEmpty();
    }

    @Override
    public int limit() {
        return node.options.maxResultSize();
    }

    @Override
    public void share(byte[] response) {
        publish(new Content(Kind.RESULT, response));
    }

    /** Hands the result to those that had asked before the call began, and to those that have joined it until now. */
    void publish(Content content) {
        if (content.bytes.length > node.options.maxResultSize()) {
            refuse();
        } else if (end(true)) {
            CompletableFuture<String> late =
                    granted.joinable() ? node.protocol.joined(name, token) : CompletableFuture.completedFuture("");
            CompletableFuture<Void> unused = SharedStage.awaited(late, LibraryThreads.free())
                    .thenAccept(ids -> store(ids, content))
                    .exceptionally(failure -> {
                        node.protocol.leave(name, token);
                        return null;
                    });
        }
    }

    private void store(String late, Content content) {
        if (!granted.early().isEmpty() || !late.isEmpty()) {
            byte[] sealed = node.envelope.seal(name, new Envelope.Addressees(granted.early(), late), content);
            node.protocol.publishResult(name, token, content.bytes.length, sealed);
        }
    }

    @Override
    public void refuse() {
        end(true, node.protocol::publishPass);
    }

    @Override
    public void fail() {
        end(false, node.protocol::publishFailure);
    }

    @Override
    public void end() {
        end(true, node.protocol::publishNothing);
    }

    @Override
    public void giveUp() {
        end(false, node.protocol::leave);
    }

    /** Ends it, and has Redis told how if that knows of it. */
    private void end(boolean succeeded, BiConsumer<byte[], String> telling) {
        if (end(succeeded)) {
            telling.accept(name, token);
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
            node.calls.took(name, System.nanoTime() - begun);
        }
        return isShared();
    }

    private synchronized void renewLater() {
        if (!ended && isShared()) {
            timer = LibraryThreads.after(intervalNanos, this::renew);
        }
    }

    private void renew() {
        CompletableFuture<Void> unused = node.protocol
                .renew(name, token, intervalNanos)
                .handle((stands, failure) -> {
                    // A lease that has run out does not come back, and nobody renews one who has left the cluster.
                    if (failure != null ? !node.isClosed() : stands) {
                        renewLater();
                    }
                    return null;
                });
    }
}
