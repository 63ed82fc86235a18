package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
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
        return outer.around(ofOuter(contexts), () -> inner.around(ofInner(contexts), execution));
    }

    @Override
    public void ended(@Nullable Object context, List<@Nullable Object> executed, @Nullable Throwable failure) {
        Both both = (Both) requireNonNull(context, "context");
        try {
            inner.ended(both.inner, ofInner(executed), failure);
        } finally {
            outer.ended(both.outer, ofOuter(executed), failure);
        }
    }

    private static List<@Nullable Object> ofOuter(List<@Nullable Object> contexts) {
        List<@Nullable Object> all = new ArrayList<>(contexts.size());
        for (Object context : contexts) {
            all.add(((Both) requireNonNull(context, "context")).outer);
        }
        return Collections.unmodifiableList(all);
    }

    private static List<@Nullable Object> ofInner(List<@Nullable Object> contexts) {
        List<@Nullable Object> all = new ArrayList<>(contexts.size());
        for (Object context : contexts) {
            all.add(((Both) requireNonNull(context, "context")).inner);
        }
        return Collections.unmodifiableList(all);
    }

    @Override
    public String toString() {
        return outer + " and then " + inner;
    }
}
