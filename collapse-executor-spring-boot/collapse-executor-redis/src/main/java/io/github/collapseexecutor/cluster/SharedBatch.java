package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.NestedCall;
import org.jspecify.annotations.Nullable;

/** A batch whose result other instances may wait for, so that it is never lone. */
record SharedBatch(BatchHandle batch) implements BatchHandle {

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
}
