package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.CallWrapper;
import io.github.collapseexecutor.core.LibraryThreads;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/** Shares the calls of a whole executor: the key of a call is the executor's name and the group. */
record WrappedCalls(ClusterCalls calls, PlainKeys keys, ObservedTypes types) implements CallWrapper {

    private static final String KIND = "group";

    @Override
    public Callable<?> wrapCall(Object group, Callable<?> callable) {
        String key = keys.of(group);
        if (key == null) {
            return callable;
        }
        BatchCall<Object> observed = batch -> {
            Object result = KeysWork.<Object>make(callable, batch);
            types.observe(result);
            return result;
        };
        ResultCodec<Object> codec = types.codec();
        return codec == null ? observed : SharedCall.of(calls.exchange(KIND, key, codec), observed);
    }

    // A stage gives an Object, whatever else it gives.
    @Override
    @SuppressWarnings("unchecked")
    public Callable<? extends CompletionStage<?>> wrapStage(
            Object group, Callable<? extends CompletionStage<?>> callable) {
        String key = keys.of(group);
        if (key == null) {
            return callable;
        }
        BatchCall<CompletionStage<Object>> observed = batch -> {
            CompletionStage<Object> stage =
                    (CompletionStage<Object>) KeysWork.<CompletionStage<?>>make(callable, batch);
            if (stage != null) { // else the executor says so
                CompletionStage<Object> unused = stage.whenComplete((result, failure) -> {
                    if (failure == null) {
                        types.observe(result);
                    }
                });
            }
            return stage;
        };
        ResultCodec<Object> codec = types.codec();
        return codec == null
                ? observed
                : SharedStage.of(calls.exchange(KIND, key, codec), observed, LibraryThreads.free());
    }
}
