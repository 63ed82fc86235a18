package io.github.collapseexecutor.core;

import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * An execution that a {@link ContextCarrier} runs. A carrier that returns something else would give every caller a wrong answer, most likely null, and
 * one that repeats the execution would make a call twice: the batch fails instead.
 */
final class CarriedExecution<T extends @Nullable Object> implements Callable<T> {

    private static final String REMEDY = ": call the execution once, and return what it returned";

    // immutable
    private final Callable<T> execution;
    private final String executor;

    // mutable, confined to a thread
    private boolean called;
    private boolean returned;
    private @Nullable T result;
    private @Nullable Throwable failure;

    private CarriedExecution(Callable<T> execution, String executor) {
        this.execution = execution;
        this.executor = executor;
    }

    /** Has a carrier run an execution. */
    static <T extends @Nullable Object> T around(
            ContextCarrier carrier, List<@Nullable Object> contexts, Callable<T> execution, String executor)
            throws Exception {
        CarriedExecution<T> carried = new CarriedExecution<>(execution, executor);
        T returned = carrier.around(contexts, carried);
        if (!carried.returned || returned != carried.result) {
            throw carried.refused("returned something else than the execution");
        }
        return returned;
    }

    @Override
    public T call() throws Exception {
        if (called) {
            throw refused("has called the execution twice");
        }
        called = true;
        try {
            T value = execution.call();
            result = value;
            returned = true;
            return value;
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        }
    }

    private IllegalStateException refused(String what) {
        return new IllegalStateException(
                "The contextCarrier of executor \"" + executor + "\" " + what + REMEDY, failure);
    }
}
