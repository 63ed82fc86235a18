package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.CallWrapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Shares the calls of a whole executor: the key of a call is the executor's name and the group. */
final class WrappedCalls implements CallWrapper {

    private static final String KIND = "group";
    private static final System.Logger LOGGER = System.getLogger(ClusterCalls.class.getName());

    // immutable
    private final ClusterCalls calls;
    private final String name;
    private final ResultCodec<Object> codec;
    /** Null if the codec itself says which results it has. */
    private final @Nullable ObservedTypes types;

    // mutable, thread-safe
    private final AtomicBoolean warned = new AtomicBoolean();

    // Results of another type than the codec's are refused by its encode, upon which they are not shared.
    @SuppressWarnings("unchecked")
    WrappedCalls(ClusterCalls calls, String name, ResultCodec<?> codec) {
        this.calls = calls;
        this.name = name;
        this.codec = (ResultCodec<Object>) codec;
        this.types = codec == PlainValues.CODEC ? new ObservedTypes() : null;
    }

    @Override
    public Callable<?> wrapCall(Object group, Callable<?> callable) {
        String key = keyOf(group);
        if (key == null) {
            return callable;
        }
        ObservedTypes observed = types;
        if (observed == null) {
            return calls.shared(KIND, key, callable, codec);
        }
        String known = observed.known();
        BatchCall<Object> observing = new BatchCall<>() {
            @Override
            public void opened() {
                tellOpened(callable);
            }

            @Override
            public Object call(BatchHandle batch) throws Exception {
                Object result = SharedBatch.<Object>make(callable, batch);
                observed.observe(result);
                return result;
            }
        };
        return known == null ? observing : calls.shared(KIND, key, observing, ObservedTypes.codecOf(known));
    }

    // A stage gives an Object, whatever else it gives.
    @Override
    @SuppressWarnings("unchecked")
    public Callable<? extends CompletionStage<?>> wrapStage(
            Object group, Callable<? extends CompletionStage<?>> callable) {
        String key = keyOf(group);
        if (key == null) {
            return callable;
        }
        Callable<? extends CompletionStage<Object>> stages = (Callable<? extends CompletionStage<Object>>) callable;
        ObservedTypes observed = types;
        if (observed == null) {
            return calls.sharedStage(KIND, key, stages, codec);
        }
        String known = observed.known();
        BatchCall<CompletionStage<Object>> observing = new BatchCall<>() {
            @Override
            public void opened() {
                tellOpened(callable);
            }

            @Override
            public CompletionStage<Object> call(BatchHandle batch) throws Exception {
                CompletionStage<Object> stage = SharedBatch.make(stages, batch);
                if (stage != null) { // else the executor says so
                    CompletionStage<Object> unused = stage.whenComplete((result, failure) -> {
                        if (failure == null) {
                            observed.observe(result);
                        }
                    });
                }
                return stage;
            }
        };
        return known == null ? observing : calls.sharedStage(KIND, key, observing, ObservedTypes.codecOf(known));
    }

    private static void tellOpened(Callable<?> callable) {
        if (callable instanceof BatchCall<?> batchCall) {
            batchCall.opened();
        }
    }

    /** Returns null if the group has no form that is the same on all instances, for which one warning tells the remedy. */
    private @Nullable String keyOf(Object group) {
        try {
            return new String(PlainValues.keyOf(List.of(name, group)), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException refused) {
            if (warned.compareAndSet(false, true)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "Executor {0} does not share the calls of a group with other instances: {1}. Make groups of texts,"
                                + " numbers, enums, UUIDs, dates and lists of them",
                        new Object[] {name, refused.getMessage()});
            }
            return null;
        }
    }
}
