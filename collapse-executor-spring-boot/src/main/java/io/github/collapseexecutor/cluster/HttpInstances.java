package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.KeySeal.Content;
import io.github.collapseexecutor.cluster.KeySeal.Kind;
import io.github.collapseexecutor.http.OtherInstances;
import java.util.concurrent.CompletableFuture;

/**
 * Shares the responses of one HTTP client. Keys hold addresses and credentials: in Redis they stand as a keyed hash. Responses stand there
 * encrypted. A call is shared with requests only that have arrived before it started, whatever the join mode of the others is.
 */
final class HttpInstances implements OtherInstances {

    // immutable
    private final ClusterNode node;
    private final String client;

    HttpInstances(ClusterNode node, String client) {
        this.node = node;
        this.client = client;
    }

    @Override
    public Question ask(String key) {
        byte[] name = node.seal().nameOf("http:" + client.length() + ":" + client + key);
        ClusterWaiter waiter = node.freshWaiter(name);
        CompletableFuture<Decision> decision = waiter.begin();
        CompletableFuture<Answer> answer = decision.isDone()
                ? decision.thenApply(decided -> answer(name, decided))
                // The thread that brings the decision is one of the Redis client's, which must not wait for a user's
                // code.
                : decision.thenApplyAsync(decided -> answer(name, decided), ClusterThreads.free());
        return new Waiting(waiter, answer);
    }

    private record Waiting(ClusterWaiter waiter, CompletableFuture<Answer> answer) implements Question {

        @Override
        public void leave() {
            waiter.leave();
        }
    }

    private Answer answer(byte[] name, Decision decided) {
        if (decided instanceof Decision.Lead lead) {
            node.led();
            return new Send(new LeaseDuty(node, name, lead.lease()));
        }
        if (decided instanceof Decision.GoAlone alone) {
            node.alone(alone.reason());
            return new Send(null);
        }
        Decision.Take take = (Decision.Take) decided;
        try {
            Content content = node.seal().open(name, take.covers(), take.sealed());
            if (content.kind != Kind.RESULT) {
                throw new UnreadableResultException("What is stored is no response");
            }
            byte[] response = node.cipher().decrypt(name, take.covers(), content.bytes);
            node.taken();
            return new Take(
                    response,
                    () -> node.unreadable(
                            name, new UnreadableResultException("A stored response is of another release's form")));
        } catch (UnreadableResultException e) {
            node.unreadable(name, e);
            return new Send(null);
        }
    }

    /** The lease of a call that sends a request for all. */
    private static final class LeaseDuty implements Duty {

        // immutable
        private final ClusterNode node;
        private final byte[] name;
        private final Lease lease;

        LeaseDuty(ClusterNode node, byte[] name, Lease lease) {
            this.node = node;
            this.name = name;
            this.lease = lease;
        }

        @Override
        public boolean isAwaited() {
            return lease.isAwaited();
        }

        @Override
        public int limit() {
            return node.maxResultSize();
        }

        @Override
        public void share(byte[] response) {
            byte[] hidden = node.cipher().encrypt(name, lease.covers(), response);
            if (hidden.length > node.maxResultSize()) {
                lease.publishPass();
            } else {
                lease.publishResult(node.seal().seal(name, lease.covers(), new Content(Kind.RESULT, hidden)));
            }
        }

        @Override
        public void refuse() {
            lease.publishPass();
        }

        @Override
        public void fail() {
            lease.publishFailure();
        }

        @Override
        public void end() {
            lease.publishNothing();
        }

        @Override
        public void giveUp() {
            lease.giveUp();
        }
    }

    /** Names the client, and nothing of its requests. */
    @Override
    public String toString() {
        return "OtherInstances[" + client + "]";
    }
}
