package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.spring.annotation.CollapsingObserver;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/** Attaches the listener beans, and what this package observes itself, to executors: those of annotated methods, and named ones. */
public record ObservedExecutors(ObjectProvider<CollapseListener> listeners, ObjectProvider<ExecutorObserver> observers)
        implements CollapsingObserver {

    @Override
    public @Nullable CollapseListener listener(String name) {
        return ListenersInTurn.of(
                null, observers, observer -> observer.listenerOfExecutor(name), listeners, CombinedListener::new);
    }

    @Override
    public @Nullable ContextCarrier contextCarrier(String name) {
        return carrier(Stream.empty(), observers, name);
    }

    /** Returns the carrier of an executor or section, inside those of the application: the first is the outermost. */
    public @Nullable ContextCarrier carrier(ObjectProvider<ContextCarrier> ofApplication, String name) {
        return carrier(ofApplication.orderedStream(), observers, name);
    }

    static @Nullable ContextCarrier carrier(
            Stream<ContextCarrier> ofApplication, ObjectProvider<ExecutorObserver> observers, String name) {
        Stream<@Nullable ContextCarrier> own = observers.orderedStream().map(observer -> observer.carrierOf(name));
        return Stream.concat(ofApplication, own.flatMap(Stream::ofNullable))
                .reduce(ContextCarrier::andThen)
                .orElse(null);
    }

    @Override
    public void made(String name, CollapseExecutor executor) {
        observers.orderedStream().forEach(observer -> observer.made(name, executor));
    }

    @Override
    public void passed(String name) {
        observers.orderedStream().forEach(observer -> observer.passed(name));
    }
}
