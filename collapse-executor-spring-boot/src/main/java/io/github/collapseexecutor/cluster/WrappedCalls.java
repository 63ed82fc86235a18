package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.CallWrapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Shares the calls of a whole executor: the key of a call is the executor's name and the group. */
final class WrappedCalls implements CallWrapper {

    private static final System.Logger LOGGER = System.getLogger(ClusterCalls.class.getName());

    // immutable
    private final ClusterCalls calls;
    private final String name;
    private final ResultCodec<Object> codec;

    // mutable, thread-safe
    private final AtomicBoolean warned = new AtomicBoolean();

    // Results of another type than the codec's are refused by its encode, upon which they are not shared.
    @SuppressWarnings("unchecked")
    WrappedCalls(ClusterCalls calls, String name, ResultCodec<?> codec) {
        this.calls = calls;
        this.name = name;
        this.codec = (ResultCodec<Object>) codec;
    }

    @Override
    public Callable<?> wrapCall(Object group, Callable<?> callable) {
        String key = keyOf(group);
        return key == null ? callable : calls.shared(key, callable, codec);
    }

    // A stage gives an Object, whatever else it gives.
    @Override
    @SuppressWarnings("unchecked")
    public Callable<? extends CompletionStage<?>> wrapStage(
            Object group, Callable<? extends CompletionStage<?>> callable) {
        String key = keyOf(group);
        return key == null
                ? callable
                : calls.sharedStage(key, (Callable<? extends CompletionStage<Object>>) callable, codec);
    }

    /** Returns null if the group has no form that is the same on all instances, for which one warning tells the remedy. */
    private @Nullable String keyOf(Object group) {
        try {
            return "group:" + new String(PlainValues.keyOf(List.of(name, group)), StandardCharsets.ISO_8859_1);
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
