package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.ContextCarrier;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Observes the execution of batches: {@code collapse.batch}, a timer and, with tracing, a span that links the spans of the callers.
 *
 * <pre>{@code
 * CollapseOptions.builder().contextCarrier(new ObservedBatches(observationRegistry)).build();
 * }</pre>
 *
 * <p>A batch that runs on its leader's thread is a child of what that thread observes. While the batch function runs, the batch's
 * observation is the current one. What a stage does that the function returned is not part of it. Thread-safe.
 */
public final class ObservedBatches implements ContextCarrier {

    private static final ObservationConvention<BatchContext> DEFAULT = new BatchObservationConvention();

    // immutable
    private final ObservationRegistry registry;
    private final @Nullable ObservationConvention<BatchContext> convention;

    /**
     * Creates a carrier for any number of executors.
     *
     * @param registry what observes
     */
    public ObservedBatches(ObservationRegistry registry) {
        this(registry, null);
    }

    /**
     * Creates a carrier for any number of executors, with names of the application's own.
     *
     * @param registry what observes
     * @param convention how a batch is named, and what is told of it; null for the default
     */
    public ObservedBatches(ObservationRegistry registry, @Nullable ObservationConvention<BatchContext> convention) {
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public @Nullable Object capture() {
        return registry.getCurrentObservation();
    }

    @Override
    public <T extends @Nullable Object> T around(List<@Nullable Object> contexts, Callable<T> execution)
            throws Exception {
        BatchContext context = new BatchContext(observed(contexts), contexts.size());
        Observation observation = Observation.start(convention, DEFAULT, () -> context, registry);
        Observation.Scope scope = observation.openScope();
        try {
            return execution.call();
        } catch (Throwable failure) {
            observation.error(failure);
            throw failure;
        } finally {
            scope.close();
            observation.stop();
        }
    }

    private static List<Observation.ContextView> observed(List<@Nullable Object> contexts) {
        List<Observation.ContextView> observed = new ArrayList<>();
        for (Object caller : contexts) {
            if (caller instanceof Observation observation) {
                observed.add(observation.getContextView());
            }
        }
        return List.copyOf(observed);
    }
}
