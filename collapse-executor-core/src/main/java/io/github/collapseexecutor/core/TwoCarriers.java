package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Two carriers of one executor: what the inner one does is done inside what the outer one does. */
final class TwoCarriers implements ContextCarrier {

    /** What both have captured of one caller. */
    private static final class Both {

        // immutable
        private final @Nullable Object outer;
        private final @Nullable Object inner;

        Both(@Nullable Object outer, @Nullable Object inner) {
            this.outer = outer;
            this.inner = inner;
        }
    }

    // immutable
    private final ContextCarrier outer;
    private final ContextCarrier inner;

    TwoCarriers(ContextCarrier outer, ContextCarrier inner) {
        this.outer = outer;
        this.inner = requireNonNull(inner, "inner");
    }

    /** If the second cannot capture, the first one's context has its end at once: the call is not gathered. */
    @Override
    public Object capture() {
        Object first = outer.capture();
        try {
            return new Both(first, inner.capture());
        } catch (Throwable failure) {
            outer.ended(first, Collections.emptyList(), failure);
            throw failure;
        }
    }

    @Override
    public <T extends @Nullable Object> T around(List<@Nullable Object> contexts, Callable<T> execution)
            throws Exception {
        return outer.around(
                each(contexts, both -> both.outer), () -> inner.around(each(contexts, both -> both.inner), execution));
    }

    @Override
    public void ended(@Nullable Object context, List<@Nullable Object> executed, @Nullable Throwable failure) {
        Both both = (Both) requireNonNull(context, "context");
        try {
            inner.ended(both.inner, each(executed, each -> each.inner), failure);
        } finally {
            outer.ended(both.outer, each(executed, each -> each.outer), failure);
        }
    }

    private static List<@Nullable Object> each(List<@Nullable Object> contexts, Function<Both, @Nullable Object> part) {
        List<@Nullable Object> all = new ArrayList<>(contexts.size());
        for (Object context : contexts) {
            all.add(part.apply((Both) requireNonNull(context, "context")));
        }
        return Collections.unmodifiableList(all);
    }

    @Override
    public String toString() {
        return outer + " and then " + inner;
    }
}
