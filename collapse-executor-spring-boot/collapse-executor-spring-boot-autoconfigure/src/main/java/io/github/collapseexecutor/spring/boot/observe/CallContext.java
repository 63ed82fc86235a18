package io.github.collapseexecutor.spring.boot.observe;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** What is known of a call while it is observed: that of a caller which is in no observation when it calls. */
public final class CallContext extends Observation.Context {

    // immutable
    private final @Nullable String executor;

    CallContext(@Nullable String executor) {
        this.executor = executor;
    }

    /**
     * Returns the name of the executor.
     *
     * @return the name that {@link ObservedBatches#named} was given; null if it was given none
     */
    public @Nullable String executor() {
        return executor;
    }
}
