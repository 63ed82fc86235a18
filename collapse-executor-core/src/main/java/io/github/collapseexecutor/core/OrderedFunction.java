package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Calls a function in order for a batch, and holds it to giving as many outputs as there are inputs. */
final class OrderedFunction {

    private OrderedFunction() {}

    static <I extends @Nullable Object, O extends @Nullable Object>
            BatchFunction<Collection<Input<I>>, BatchResult<I, O>> of(
                    BatchFunction<? super List<I>, ? extends List<O>> function) {
        requireNonNull(function, "function");
        return inputs -> answers(function.apply(values(inputs)), inputs.size());
    }

    static <I extends @Nullable Object, O extends @Nullable Object>
            BatchFunction<Collection<Input<I>>, CompletionStage<BatchResult<I, O>>> ofStage(
                    BatchFunction<? super List<I>, ? extends CompletionStage<? extends List<O>>> function) {
        requireNonNull(function, "function");
        return inputs -> Stages.map(
                function.apply(values(inputs)), outputs -> OrderedFunction.<I, O>answers(outputs, inputs.size()));
    }

    private static <I extends @Nullable Object> List<I> values(Collection<Input<I>> inputs) {
        List<I> values = new ArrayList<>(inputs.size());
        for (Input<I> input : inputs) {
            values.add(input.value());
        }
        return Collections.unmodifiableList(values);
    }

    private static <I extends @Nullable Object, O extends @Nullable Object> BatchResult<I, O> answers(
            @Nullable List<O> outputs, int inputs) {
        if (outputs == null || outputs.size() != inputs) {
            throw new UnboundOutputException("The batch function returned "
                    + (outputs == null ? "null" : outputs.size() + " outputs") + " for " + inputs
                    + " inputs: it must return one output for each, in the same order");
        }
        List<O> indexed = outputs instanceof RandomAccess ? outputs : new ArrayList<>(outputs);
        return (index, input) -> indexed.get(index);
    }
}
