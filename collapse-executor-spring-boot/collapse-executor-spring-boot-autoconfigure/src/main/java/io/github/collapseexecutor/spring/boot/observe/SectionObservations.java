package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * Has the batches of every section, and those of annotated methods, observed. The registry is asked for late: it may need clients that
 * collapse, to be made.
 */
final class SectionObservations implements ExecutorObserver {

    // immutable
    private final SingletonSupplier<ObservationRegistry> registry;

    SectionObservations(ObjectProvider<ObservationRegistry> registry) {
        this.registry = SingletonSupplier.of(() -> registry.getIfAvailable(() -> ObservationRegistry.NOOP));
    }

    @Override
    public ContextCarrier carrierOf(String name) {
        return new ObservedBatches(registry::obtain).named(name);
    }
}
