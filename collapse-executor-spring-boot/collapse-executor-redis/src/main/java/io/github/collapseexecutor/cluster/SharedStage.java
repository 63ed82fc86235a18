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
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A call that returns a stage and asks the cluster first; no thread waits. */
final class SharedStage<R extends @Nullable Object> implements BatchCall<CompletionStage<R>> {

    // immutable
    private final ResultExchange<R> exchange;
    private final Callable<? extends CompletionStage<R>> call;
    private final Executor free;

    /**
     * Creates a call.
     *
     * @param free runs what cannot run on a thread of the Redis client's
     */
    SharedStage(ResultExchange<R> exchange, Callable<? extends CompletionStage<R>> call, Executor free) {
        this.exchange = exchange;
        this.call = call;
        this.free = free;
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
        // If nothing is to be waited for, the call is made where it would be without a cluster. Else the decision comes
        // on a thread of the Redis client's, which must not wait for a user's code.
        CompletableFuture<Void> carriedOut =
                decision.isDone() ? decision.thenAccept(run::carryOut) : decision.thenAcceptAsync(run::carryOut, free);
        CompletableFuture<Void> unused = carriedOut.exceptionally(failure -> {
            run.broken(failure);
            return null;
        });
        return run.result;
    }

    /** One run of the call, for one batch. */
    private final class Run {

        // immutable
        private final BatchHandle batch;
        private final ClusterWaiter waiter;
        private final CompletableFuture<R> result = new CompletableFuture<>();

        // mutable, set once; the one of set() and cancelled() that comes later cancels the stage
        private final AtomicReference<@Nullable CompletionStage<R>> made = new AtomicReference<>();

        Run(BatchHandle batch, ClusterWaiter waiter) {
            this.batch = batch;
            this.waiter = waiter;
            CompletableFuture<R> unused = result.whenComplete((value, failure) -> {
                if (failure instanceof CancellationException) {
                    waiter.leave();
                    cancelMade();
                }
            });
        }

        void carryOut(Decision decision) {
            if (decision instanceof Decision.Lead lead) {
                exchange.node().led(lead.lease());
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

        /** By this package, by a stage of a user's, or because there is no thread: no caller may wait for ever, and no lease stay. */
        private void broken(Throwable failure) {
            waiter.leave();
            result.completeExceptionally(ResultExchange.unwrapped(failure));
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
            stage.whenComplete((value, failure) -> {
                try {
                    ended(value, failure, lease);
                } catch (Throwable thrown) {
                    broken(thrown);
                }
            });
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
