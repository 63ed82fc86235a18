package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.Envelope.Content;
import io.github.collapseexecutor.cluster.Envelope.Kind;
import io.github.collapseexecutor.core.LibraryThreads;
import io.github.collapseexecutor.http.OtherInstances;
import java.util.concurrent.CompletableFuture;

/**
 * Shares the responses of one HTTP client. A call is shared with requests only that have arrived before it started, whatever the join mode of the others is.
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
        byte[] name = node.envelope().nameOf("http", client, key);
        ClusterWaiter waiter = node.freshWaiter(name);
        CompletableFuture<Decision> decision = waiter.begin();
        CompletableFuture<Answer> answer = decision.isDone()
                ? decision.thenApply(decided -> answer(name, decided))
                // The thread that brings the decision is one of the Redis client's, which must not wait for a user's
                // code.
                : decision.thenApplyAsync(decided -> answer(name, decided), LibraryThreads.free());
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
            node.led(lead.lease());
            return new Send(new LeaseDuty(node, lead.lease()));
        }
        if (decided instanceof Decision.GoAlone alone) {
            node.alone(alone.reason());
            return new Send(null);
        }
        Decision.Take take = (Decision.Take) decided;
        try {
            Content content = node.envelope().open(name, take.id(), take.mayJoin(), take.sealed());
            node.taken();
            return new Take(
                    content.bytes,
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
        private final Lease lease;

        LeaseDuty(ClusterNode node, Lease lease) {
            this.node = node;
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
            if (response.length > node.maxResultSize()) {
                lease.publishPass();
            } else {
                lease.publishResult(new Content(Kind.RESULT, response));
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
