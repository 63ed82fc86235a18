package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.BatchHandle;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Drives {@link SharedKeys} on the thread of the batch, which waits for other instances and makes every call. */
final class SharedCall {

    private SharedCall() {}

    static <R extends @Nullable Object> BatchCall<R> of(ResultExchange<R> exchange, Callable<? extends R> call) {
        return batch -> run(KeysWork.of(exchange, call), batch, batch::isLeadersOwn);
    }

    static <K extends @Nullable Object, V extends @Nullable Object> BatchFunction<Collection<K>, Map<K, V>> byKey(
            Function<Collection<K>, SharedKeys<K, V>> sharing,
            BatchFunction<? super Collection<K>, ? extends Map<K, V>> function) {
        return keys ->
                run(KeysWork.of(sharing.apply(keys), function), BatchHandle.current(), SharedCall::isInterruption);
    }

    private static boolean isInterruption(Throwable failure) {
        return failure instanceof InterruptedException || Thread.currentThread().isInterrupted();
    }

    /**
     * Makes calls until every key has its answer.
     *
     * @param isOwn tells failures of this thread alone, upon which the leases are given up
     */
    private static <K extends @Nullable Object, X extends @Nullable Object, T extends @Nullable Object> T run(
            KeysWork<K, X, X, T> work, BatchHandle batch, Predicate<Throwable> isOwn) throws Exception {
        SharedKeys<K, ?> shared = work.keys();
        shared.begin();
        try {
            for (List<K> keys = next(shared); !keys.isEmpty(); keys = next(shared)) {
                X returned;
                try {
                    returned = work.call().call(keys, shared.handle(batch));
                } catch (Throwable failure) {
                    if (isOwn.test(failure)) {
                        throw failure;
                    }
                    shared.failed(failure);
                    if (failure instanceof Error || shared.commonFailure() == failure) {
                        throw failure;
                    }
                    continue;
                }
                work.ended().accept(returned);
            }
        } catch (Throwable broken) {
            shared.leave();
            throw broken;
        }
        return work.answer().call();
    }

    private static <K extends @Nullable Object> List<K> next(SharedKeys<K, ?> shared) throws Exception {
        shared.next().get();
        return shared.settle();
    }
}
