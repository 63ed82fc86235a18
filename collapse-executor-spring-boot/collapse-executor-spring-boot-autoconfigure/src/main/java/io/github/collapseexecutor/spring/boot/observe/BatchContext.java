package io.github.collapseexecutor.spring.boot.observe;

import io.micrometer.observation.Observation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of a batch while it is observed. */
public final class BatchContext extends Observation.Context {

    // immutable
    private final @Nullable String executor;
    private final List<Observation.ContextView> callers;
    private final int size;

    BatchContext(@Nullable String executor, List<Observation.ContextView> callers, int size) {
        this.executor = executor;
        this.callers = callers;
        this.size = size;
    }

    /**
     * Returns the name of the executor.
     *
     * @return the name that {@link ObservedBatches#named} was given; null if it was given none
     */
    public @Nullable String executor() {
        return executor;
    }

    /**
     * Returns the observations in which the batch was asked for.
     *
     * @return those of the callers that are observed, in order of submission; unmodifiable
     */
    public List<Observation.ContextView> callers() {
        return callers;
    }

    /**
     * Returns for how many callers the batch is executed.
     *
     * @return a number of inputs
     */
    public int size() {
        return size;
    }
}
