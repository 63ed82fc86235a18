package io.github.collapseexecutor.core;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The work of executors whose callers bring a callable each, all of a group for the same thing: the leader's runs. */
final class GroupWork {

    private GroupWork() {}

    static BatchWork<Callable<?>, Object, Object> ofCallables() {
        return new BatchWork<Callable<?>, Object, Object>() {
            @Override
            public Object execute(Batch<Callable<?>, Object> batch) throws Exception {
                return callFor(batch, batch.leader().value());
            }

            @Override
            public void bind(Object output, Batch<Callable<?>, Object> batch) {
                batch.bindAll(output);
            }
        };
    }

    static StageWork<Callable<? extends CompletionStage<?>>, Object, Object> ofStages() {
        return new StageWork<Callable<? extends CompletionStage<?>>, Object, Object>() {
            @Override
            public @Nullable CompletionStage<?> execute(Batch<Callable<? extends CompletionStage<?>>, Object> batch)
                    throws Exception {
                return callFor(batch, batch.leader().value());
            }

            @Override
            public void bind(Object output, Batch<Callable<? extends CompletionStage<?>>, Object> batch) {
                batch.bindAll(output);
            }

            @Override
            public void opened(Callable<? extends CompletionStage<?>> callable) {
                if (callable instanceof BatchCall) {
                    ((BatchCall<?>) callable).opened();
                }
            }
        };
    }

    private static <R> R callFor(BatchHandle batch, Callable<R> callable) throws Exception {
        return callable instanceof BatchCall ? ((BatchCall<R>) callable).call(batch) : callable.call();
    }
}
