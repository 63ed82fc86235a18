package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.NestedCall;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A batch whose result other instances may wait for, so that it is never lone. */
record SharedBatch(BatchHandle batch) implements BatchHandle {

    /** What the call of a leader is told. */
    static BatchHandle of(BatchHandle batch, @Nullable Lease lease) {
        return lease != null && lease.isAwaited() ? new SharedBatch(batch) : batch;
    }

    @Override
    public boolean isLone() {
        return false;
    }

    @Override
    public boolean isLeadersOwn(Throwable failure) {
        return batch.isLeadersOwn(failure);
    }

    @Override
    public <R extends @Nullable Object, X extends Exception> R nested(NestedCall<R, X> call) throws X {
        return batch.nested(call);
    }

    /** Makes a call for a batch, and tells it which, if it wants to know. */
    static <R extends @Nullable Object> R make(Callable<? extends R> call, BatchHandle batch) throws Exception {
        // A BatchCall is a Callable of the same result.
        return call instanceof BatchCall<? extends R> batchCall ? batchCall.call(batch) : call.call();
    }

    /** Tells a call that its batch is open, if it wants to know. */
    static void tellOpened(Callable<?> call) {
        if (call instanceof BatchCall<?> batchCall) {
            batchCall.opened();
        }
    }
}
