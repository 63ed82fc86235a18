package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where the batches of an async executor run: on what the user has set, until then on the default. */
final class SettableExecutor implements Supplier<Executor> {

    // mutable, a single reference; a batch uses the one that is set when it is dispatched
    private volatile @Nullable Executor executor;

    void set(Executor executor) {
        this.executor = requireNonNull(executor, "executor");
    }

    @Override
    public Executor get() {
        Executor set = executor;
        return set == null ? DefaultExecutor.get() : set;
    }
}
