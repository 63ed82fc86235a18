package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.github.collapseexecutor.spring.boot.registry.SectionObserver;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.function.SingletonSupplier;

/**
 * Has the batches of every section, and those of annotated methods, observed. The registry is asked for late: it may need clients that
 * collapse, to be made.
 */
final class SectionObservations implements SectionObserver, ExecutorObserver {

    // immutable
    private final SingletonSupplier<ObservationRegistry> registry;

    SectionObservations(ObjectProvider<ObservationRegistry> registry) {
        this.registry = SingletonSupplier.of(() -> registry.getIfAvailable(() -> ObservationRegistry.NOOP));
    }

    @Override
    public @Nullable CollapseListener ofBatches(String section) {
        return null;
    }

    @Override
    public HttpCollapseListener ofRequests(String section) {
        return new HttpCollapseListener() {};
    }

    @Override
    public ContextCarrier carrierOf(String name) {
        return new ObservedBatches(registry::obtain).named(name);
    }

    @Override
    public ContextCarrier carrierOfExecutor(String executor) {
        return carrierOf(executor);
    }

    @Override
    public void made(HttpSections.Section section) {}
}
