package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.ResultExchange.Ended;
import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A call that returns a stage and asks the cluster first; no thread waits. */
final class SharedStage<R extends @Nullable Object> implements BatchCall<CompletionStage<R>> {

    // immutable
    private final ResultExchange<R> exchange;
    private final Callable<? extends CompletionStage<R>> call;
    private final Executor free;

    SharedStage(ResultExchange<R> exchange, Callable<? extends CompletionStage<R>> call, Executor free) {
        this.exchange = exchange;
        this.call = call;
        this.free = free;
    }

    @Override
    public void opened() {
        SharedBatch.tellOpened(call);
    }

    @Override
    public CompletionStage<R> call(BatchHandle batch) {
        ClusterWaiter waiter = exchange.waiter();
        StageRun<R> run = new StageRun<>(free, waiter::leave);
        run.then(waiter.begin(), decision -> carryOut(decision, batch, run));
        return run.result();
    }

    private void carryOut(Decision decision, BatchHandle batch, StageRun<R> run) {
        Ended<R> ended = exchange.settle(decision);
        if (ended != null) {
            try {
                run.result().complete(ended.get());
            } catch (Exception failure) {
                run.result().completeExceptionally(failure);
            }
            return;
        }
        Lease lease = decision.lease();
        BatchHandle handle = SharedBatch.of(batch, lease);
        run.make(
                handle,
                () -> SharedBatch.make(call, handle),
                (value, failure) -> end(run.result(), lease, value, failure));
    }

    private void end(
            CompletableFuture<R> result, @Nullable Lease lease, @Nullable R value, @Nullable Throwable failure) {
        if (failure != null) {
            exchange.publishFailure(lease, failure);
            result.completeExceptionally(failure);
        } else {
            R returned = cast(value);
            exchange.publish(lease, returned);
            result.complete(returned);
        }
    }

    // A stage of R that does not fail completes with an R.
    @SuppressWarnings("NullAway")
    private R cast(@Nullable R value) {
        return value;
    }
}
