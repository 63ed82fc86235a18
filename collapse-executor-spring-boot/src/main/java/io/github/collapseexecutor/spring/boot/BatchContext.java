package io.github.collapseexecutor.spring.boot;

import io.micrometer.observation.Observation;
import java.util.List;

/** What is known of a batch while it is observed. */
public final class BatchContext extends Observation.Context {

    // immutable
    private final List<Observation.ContextView> callers;
    private final int size;

    BatchContext(List<Observation.ContextView> callers, int size) {
        this.callers = callers;
        this.size = size;
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
