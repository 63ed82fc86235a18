package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.ResultExchange.Ended;
import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A blocking call that asks the cluster first; the thread of the batch waits for the answer. */
final class SharedCall<R extends @Nullable Object> implements BatchCall<R> {

    // immutable
    private final ResultExchange<R> exchange;
    private final Callable<? extends R> call;

    SharedCall(ResultExchange<R> exchange, Callable<? extends R> call) {
        this.exchange = exchange;
        this.call = call;
    }

    @Override
    public R call(BatchHandle batch) throws Exception {
        ClusterWaiter waiter = exchange.waiter();
        Decision decision;
        try {
            decision = waiter.begin().get();
        } catch (InterruptedException interruption) {
            waiter.leave();
            throw interruption;
        }
        Ended<R> ended = exchange.settle(decision);
        return ended == null ? make(decision.lease(), batch) : ended.get();
    }

    private R make(@Nullable Lease lease, BatchHandle batch) throws Exception {
        R result;
        try {
            result = SharedBatch.make(call, SharedBatch.of(batch, lease));
        } catch (Throwable failure) {
            if (lease != null && batch.isLeadersOwn(failure)) {
                lease.giveUp();
            } else {
                exchange.publishFailure(lease, failure);
            }
            throw failure;
        }
        exchange.publish(lease, result);
        return result;
    }
}
