package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.LibraryThreads;
import io.github.collapseexecutor.http.OtherInstances;
import java.util.concurrent.CompletableFuture;

/**
 * Shares the responses of one HTTP client. A call is shared with requests only that have arrived before it started, whatever the join mode of the others is.
 */
record HttpInstances(ClusterNode node, String client) implements OtherInstances {

    /** Responses have a form of bytes already. */
    private static final ResultCodec<byte[]> AS_THEY_ARE = ResultCodec.of(response -> response, bytes -> bytes);

    @Override
    public Question ask(String key) {
        ResultExchange<byte[]> exchange =
                new ResultExchange<>(node, "http", key, AS_THEY_ARE.withFormat(client), false);
        ClusterWaiter waiter = exchange.waiter(true, nanos -> {});
        CompletableFuture<Answer> answer = SharedStage.awaited(waiter.begin(), LibraryThreads.free())
                .thenApply(decided -> answer(exchange, decided));
        return new Waiting(waiter, answer);
    }

    private record Waiting(ClusterWaiter waiter, CompletableFuture<Answer> answer) implements Question {

        @Override
        public void leave() {
            waiter.leave();
        }
    }

    private static Answer answer(ResultExchange<byte[]> exchange, Decision decided) {
        ResultExchange.Ended<byte[]> ended = exchange.settle(decided);
        try {
            return ended == null
                    ? new Send(decided.lease())
                    : new Take(
                            ended.get(),
                            () -> exchange.unreadable(
                                    new UnreadableResultException("A stored response is of another release's form")));
        } catch (Exception failure) {
            throw new IllegalStateException("No failure of a response is stored", failure);
        }
    }

    /** Names the client, and nothing of its requests. */
    @Override
    public String toString() {
        return "OtherInstances[" + client + "]";
    }
}
