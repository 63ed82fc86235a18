package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.NestedCall;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a driver does for the keys of a batch. A call without keys is one of a single key.
 *
 * @param call calls for some keys; it returns what ends it, or a stage of that
 * @param ended is told what a call has ended with
 * @param answer gives the result of the batch when every key has its answer
 */
record KeysWork<
        K extends @Nullable Object, C extends @Nullable Object, X extends @Nullable Object, T extends @Nullable Object>(
        SharedKeys<K, ?> keys, Call<K, C> call, Consumer<? super X> ended, Callable<T> answer) {

    @FunctionalInterface
    interface Call<K extends @Nullable Object, C extends @Nullable Object> {

        C call(List<K> keys, BatchHandle batch) throws Exception;
    }

    static <C extends @Nullable Object, R extends @Nullable Object> KeysWork<String, C, R, R> of(
            ResultExchange<R> exchange, Callable<? extends C> call) {
        SharedKeys<String, R> only = SharedKeys.of(exchange);
        return new KeysWork<>(only, (keys, batch) -> make(call, batch), only::endedOnly, only::answer);
    }

    static <K extends @Nullable Object, C extends @Nullable Object, V extends @Nullable Object>
            KeysWork<K, C, Map<K, V>, Map<K, V>> of(
                    SharedKeys<K, V> keys, BatchFunction<? super Collection<K>, ? extends C> function) {
        return new KeysWork<>(keys, (some, batch) -> function.apply(some), keys::ended, keys::answers);
    }

    /** A batch whose result other instances may wait for, so that it is never lone. */
    record Awaited(BatchHandle batch) implements BatchHandle {

        @Override
        public boolean isLone() {
            return false;
        }

        @Override
        public boolean isLeadersOwn(Throwable failure) {
            return batch.isLeadersOwn(failure);
        }

        @Override
        public <R extends @Nullable Object, X extends Exception> R nested(NestedCall<R, X> nested) throws X {
            return batch.nested(nested);
        }
    }

    /** Makes a call for a batch, and tells it which, if it wants to know. */
    static <R extends @Nullable Object> R make(Callable<? extends R> call, BatchHandle batch) throws Exception {
        // A BatchCall is a Callable of the same result.
        return call instanceof BatchCall<? extends R> batchCall ? batchCall.call(batch) : call.call();
    }
}
