package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Input options that ask functions. */
final class InputFunctions<INPUT extends @Nullable Object> implements InputOptions<INPUT> {

    // immutable
    private final CollapseOptions gathering;
    private final Function<? super INPUT, ?> group;
    private final ToLongFunction<? super INPUT> weight;

    InputFunctions(CollapseOptions gathering, Function<? super INPUT, ?> group, ToLongFunction<? super INPUT> weight) {
        this.gathering = gathering;
        this.group = group;
        this.weight = weight;
    }

    @Override
    public CollapseOptions gathering() {
        return gathering;
    }

    @Override
    public Object groupOf(INPUT input) {
        return requireNonNull(group.apply(input), "groupBy returned null");
    }

    @Override
    public long weightOf(INPUT input) {
        return weight.applyAsLong(input);
    }
}
