package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.KeyedResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a batch whose arguments are what they were when their callers handed them in. A function is called for these alone: the batch
 * method is given one caller's arguments, which must be those that the others have asked with. Each of the other inputs fails by a {@link
 * ChangedArgumentException}.
 */
final class UnchangedInputs {

    // immutable
    private final Collection<BatchInput> inputs;
    private final Map<BatchInput, Throwable> changed;

    private UnchangedInputs(AnnotatedMethod method, Collection<BatchInput> all) {
        Map<BatchInput, Throwable> failures = new HashMap<>();
        List<BatchInput> unchanged = new ArrayList<>(all.size());
        for (BatchInput input : all) {
            if (input.isAsItWas()) {
                unchanged.add(input);
            } else {
                failures.put(input, new ChangedArgumentException(method, input.group()));
            }
        }
        this.inputs = unchanged;
        this.changed = failures;
    }

    /** Returns a function that calls another one for the unchanged inputs. */
    static BatchFunction<Collection<BatchInput>, Map<BatchInput, @Nullable Object>> blocking(
            AnnotatedMethod method, BatchFunction<Collection<BatchInput>, Map<BatchInput, @Nullable Object>> function) {
        return all -> {
            UnchangedInputs unchanged = new UnchangedInputs(method, all);
            return unchanged.inputs.isEmpty()
                    ? unchanged.with(Map.of())
                    : unchanged.with(function.apply(unchanged.inputs));
        };
    }

    /** Does the same with a function that returns a stage. */
    static BatchFunction<Collection<BatchInput>, CompletionStage<Map<BatchInput, @Nullable Object>>> future(
            AnnotatedMethod method,
            BatchFunction<Collection<BatchInput>, CompletionStage<Map<BatchInput, @Nullable Object>>> function) {
        return all -> {
            UnchangedInputs unchanged = new UnchangedInputs(method, all);
            return unchanged.inputs.isEmpty()
                    ? CompletableFuture.completedFuture(unchanged.with(Map.of()))
                    : LinkedStages.mapped(function.apply(unchanged.inputs), unchanged::with);
        };
    }

    /** Adds the failures of the changed inputs. */
    private Map<BatchInput, @Nullable Object> with(Map<BatchInput, @Nullable Object> returned) {
        if (changed.isEmpty()) {
            return returned;
        }
        Map<BatchInput, Throwable> failures = new HashMap<>(changed);
        if (returned instanceof KeyedResult<BatchInput, @Nullable Object> result) {
            failures.putAll(result.failures());
        }
        return KeyedResult.of(returned, failures);
    }
}
