package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The work of executors whose callers bring a callable each, all of a group for the same thing: the leader's runs. */
final class GroupWork {

    /**
     * Whether a class of callables asks its batch. A test by {@code instanceof} for an interface searches all interfaces of a class that does not
     * have it, which costs a lone call a tenth of its time.
     */
    private static final ClassValue<Boolean> ASKS_BATCH = new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return BatchCall.class.isAssignableFrom(type);
        }
    };

    private GroupWork() {}

    static BatchWork<Callable<?>, Object, Object> ofCallables(@Nullable CallWrapper wrapper) {
        return new BatchWork<Callable<?>, Object, Object>() {
            @Override
            public Object execute(Batch<Callable<?>, Object> batch) throws Exception {
                Callable<?> callable = batch.leader().value();
                if (wrapper != null) {
                    callable = wrapped(wrapper.wrapCall(batch.group.value(), callable));
                }
                return callFor(batch, callable);
            }

            @Override
            public void bind(Object output, Batch<Callable<?>, Object> batch) {
                batch.bindAll(output);
            }
        };
    }

    static StageWork<Callable<? extends CompletionStage<?>>, Object, Object> ofStages(@Nullable CallWrapper wrapper) {
        return new StageWork<Callable<? extends CompletionStage<?>>, Object, Object>() {
            @Override
            public @Nullable CompletionStage<?> execute(Batch<Callable<? extends CompletionStage<?>>, Object> batch)
                    throws Exception {
                Callable<? extends CompletionStage<?>> callable = batch.leader().value();
                if (wrapper != null) {
                    callable = wrapped(wrapper.wrapStage(batch.group.value(), callable));
                }
                return callFor(batch, callable);
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

    private static <C extends Callable<?>> C wrapped(C callable) {
        return requireNonNull(callable, "The callWrapper returned null: it must return a callable");
    }

    private static <R> R callFor(BatchHandle batch, Callable<R> callable) throws Exception {
        return ASKS_BATCH.get(callable.getClass()) ? ((BatchCall<R>) callable).call(batch) : callable.call();
    }
}
