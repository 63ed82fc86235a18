package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.cluster.ResultExchange.Ended;
import io.github.collapseexecutor.cluster.ResultExchange.Returned;
import io.github.collapseexecutor.cluster.ResultExchange.Threw;
import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A call that returns a stage and asks the cluster first; no thread waits. */
final class SharedStage<R extends @Nullable Object> implements BatchCall<CompletionStage<R>> {

    // immutable
    private final ResultExchange<R> exchange;
    private final Callable<? extends CompletionStage<R>> call;

    SharedStage(ResultExchange<R> exchange, Callable<? extends CompletionStage<R>> call) {
        this.exchange = exchange;
        this.call = call;
    }

    @Override
    public void opened() {
        if (call instanceof BatchCall<?> batchCall) {
            batchCall.opened();
        }
    }

    @Override
    public CompletionStage<R> call(BatchHandle batch) {
        ClusterWaiter waiter = exchange.waiter();
        Run run = new Run(batch, waiter);
        CompletableFuture<Decision> decision = waiter.begin();
        if (decision.isDone()) { // nothing was to be waited for: the call is made where it would be without a cluster
            run.carryOut(decision.join());
        } else {
            // The thread that brings the decision is one of the Redis client's, which must not wait for a user's code.
            CompletableFuture<Void> unused = decision.thenAcceptAsync(run::carryOut, ClusterThreads.free());
        }
        return run.result;
    }

    /** One run of the call, for one batch. */
    private final class Run {

        // immutable
        private final BatchHandle batch;
        private final CompletableFuture<R> result = new CompletableFuture<>();

        // mutable, set once; the one of set() and cancelled() that comes later cancels the stage
        private final AtomicReference<@Nullable CompletionStage<R>> made = new AtomicReference<>();

        Run(BatchHandle batch, ClusterWaiter waiter) {
            this.batch = batch;
            CompletableFuture<R> unused = result.whenComplete((value, failure) -> {
                if (failure instanceof CancellationException) {
                    waiter.leave();
                    cancelMade();
                }
            });
        }

        void carryOut(Decision decision) {
            if (decision instanceof Decision.Lead lead) {
                exchange.node().led();
                make(SharedBatch.of(batch, lead.lease()), lead.lease());
                return;
            }
            if (decision instanceof Decision.Take take) {
                Ended<R> ended = exchange.open(take);
                if (ended instanceof Returned<R> returned) {
                    result.complete(returned.result());
                    return;
                }
                if (ended instanceof Threw<R> threw) {
                    result.completeExceptionally(threw.failure());
                    return;
                }
            } else if (decision instanceof Decision.GoAlone alone) {
                exchange.node().alone(alone.reason());
            }
            make(batch, null);
        }

        private void make(BatchHandle handle, @Nullable Lease lease) {
            if (result.isDone()) { // cancelled meanwhile, upon which the waiter has left
                return;
            }
            CompletionStage<R> stage;
            try {
                stage = handle.nested(() -> SharedBatch.make(call, handle));
                if (stage == null) {
                    throw new UnboundOutputException("The call returned null: it must return a stage of its result");
                }
            } catch (Throwable thrown) {
                ended(null, thrown, lease);
                return;
            }
            made.set(stage);
            if (result.isCancelled()) {
                cancelMade();
            }
            stage.whenComplete((value, failure) -> ended(value, failure, lease));
        }

        private void ended(@Nullable R value, @Nullable Throwable failure, @Nullable Lease lease) {
            if (failure != null) {
                if (lease != null) {
                    exchange.publishFailure(lease, failure);
                }
                result.completeExceptionally(failure);
                return;
            }
            R returned = cast(value);
            if (lease != null) {
                exchange.publish(lease, returned);
            }
            result.complete(returned);
        }

        private void cancelMade() {
            CompletionStage<R> stage = made.get();
            if (stage != null) {
                try {
                    stage.toCompletableFuture().cancel(true);
                } catch (UnsupportedOperationException e) {
                    return; // CompletionStage allows it: such a stage ends by itself
                }
            }
        }

        // A stage of R that does not fail completes with an R.
        @SuppressWarnings("NullAway")
        private R cast(@Nullable R value) {
            return value;
        }
    }
}
