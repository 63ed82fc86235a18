package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.CallWrapper;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Shares the calls of a whole executor: the key of a call is the executor's name and the group. */
final class WrappedCalls implements CallWrapper {

    private static final String KIND = "group";

    // immutable
    private final ClusterCalls calls;
    private final PlainKeys keys;
    private final ResultCodec<Object> codec;
    /** Null if the codec itself says which results it has. */
    private final @Nullable ObservedTypes types;

    // Results of another type than the codec's are refused by its encode, upon which they are not shared.
    @SuppressWarnings("unchecked")
    WrappedCalls(ClusterCalls calls, String name, ResultCodec<?> codec) {
        this.calls = calls;
        this.keys = new PlainKeys(name);
        this.codec = (ResultCodec<Object>) codec;
        this.types = codec == PlainValues.CODEC ? new ObservedTypes() : null;
    }

    @Override
    public Callable<?> wrapCall(Object group, Callable<?> callable) {
        String key = keys.of(group);
        if (key == null) {
            return callable;
        }
        ObservedTypes observed = types;
        if (observed == null) {
            return calls.shared(KIND, key, callable, codec);
        }
        String known = observed.known();
        BatchCall<Object> observing = observing(callable, observed::observe);
        return known == null ? observing : calls.shared(KIND, key, observing, ObservedTypes.codecOf(known));
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
        Callable<? extends CompletionStage<Object>> stages = (Callable<? extends CompletionStage<Object>>) callable;
        ObservedTypes observed = types;
        if (observed == null) {
            return calls.sharedStage(KIND, key, stages, codec);
        }
        String known = observed.known();
        BatchCall<CompletionStage<Object>> observing = observing(stages, stage -> {
            if (stage != null) { // else the executor says so
                CompletionStage<Object> unused = stage.whenComplete((result, failure) -> {
                    if (failure == null) {
                        observed.observe(result);
                    }
                });
            }
        });
        return known == null ? observing : calls.sharedStage(KIND, key, observing, ObservedTypes.codecOf(known));
    }

    private static <R> BatchCall<R> observing(Callable<? extends R> callable, Consumer<? super R> observer) {
        return batch -> {
            R result = KeysWork.<R>make(callable, batch);
            observer.accept(result);
            return result;
        };
    }
}
