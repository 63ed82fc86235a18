package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.ResultExchange.Ended;
import io.github.collapseexecutor.cluster.ResultExchange.Returned;
import io.github.collapseexecutor.cluster.ResultExchange.Threw;
import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
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
        Decision decision = await(exchange.waiter());
        if (decision instanceof Decision.Lead lead) {
            return lead(lead.lease(), SharedBatch.of(batch, lead.lease()));
        }
        if (decision instanceof Decision.Take take) {
            Ended<R> ended = exchange.open(take);
            if (ended instanceof Returned<R> returned) {
                return returned.result();
            }
            if (ended instanceof Threw<R> threw) {
                throw threw.failure();
            }
        } else if (decision instanceof Decision.GoAlone alone) {
            exchange.node().alone(alone.reason());
        }
        return SharedBatch.make(call, batch);
    }

    private static Decision await(ClusterWaiter waiter) throws InterruptedException {
        try {
            return waiter.begin().get();
        } catch (InterruptedException interruption) {
            waiter.leave();
            throw interruption;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A waiter decides, and does not fail", e);
        }
    }

    private R lead(Lease lease, BatchHandle batch) throws Exception {
        exchange.node().led(lease);
        R result;
        try {
            result = SharedBatch.make(call, batch);
        } catch (Throwable failure) {
            if (batch.isLeadersOwn(failure)) {
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
