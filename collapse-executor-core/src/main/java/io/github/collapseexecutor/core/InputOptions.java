package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Options of an executor of a function: how it gathers, and what it has to know of its inputs for that; immutable.
 *
 * <pre>{@code
 * BlockingCollapseExecutor<Row, Long> rows = CollapseExecutors.blockingInOrder(
 *         this::insertAll, options.groupBy(Row::table).weighBy(Row::bytes));
 * }</pre>
 *
 * <p>{@link CollapseOptions} are options of inputs of any type: all of them may share a batch, and each weighs 1.
 *
 * <p>The two functions run on the submitting thread, for every call, with no lock held. That caller alone
 * gets what they throw. They must be thread-safe.
 *
 * @param <INPUT> the inputs that these options know how to handle
 */
public interface InputOptions<INPUT extends @Nullable Object> {

    /**
     * Returns how the executor gathers.
     *
     * @return the options that do not depend on the inputs
     */
    CollapseOptions gathering();

    /**
     * Returns the group of an input.
     *
     * @param input what a caller submitted
     * @return a key with {@code equals} and {@code hashCode}: inputs of equal groups may share a batch
     */
    Object groupOf(INPUT input);

    /**
     * Returns what an input weighs, where {@link CollapseOptions#maxBatchWeight()} bounds a batch.
     *
     * @param input what a caller submitted
     * @return a weight, not negative, in the unit of that bound
     */
    long weightOf(INPUT input);

    /**
     * Sets which inputs may share a batch: those for which a function returns equal groups.
     *
     * @param group from an input to a key with {@code equals} and {@code hashCode}, not null
     * @param <T> the inputs that the function takes
     * @return options with that function in place of {@link #groupOf}
     */
    default <T extends INPUT> InputOptions<T> groupBy(Function<? super T, ?> group) {
        return new InputFunctions<>(gathering(), requireNonNull(group, "group"), this::weightOf);
    }

    /**
     * Sets what an input weighs.
     *
     * @param weight from an input to its weight: not negative, the same for equal inputs, in the unit of {@link
     *     CollapseOptions#maxBatchWeight()}, without which it is not asked
     * @param <T> the inputs that the function takes
     * @return options with that function in place of {@link #weightOf}
     */
    default <T extends INPUT> InputOptions<T> weighBy(ToLongFunction<? super T> weight) {
        return new InputFunctions<>(gathering(), this::groupOf, requireNonNull(weight, "weight"));
    }
}
