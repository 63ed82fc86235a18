package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.spring.annotation.CallInTransaction;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.annotation.CollapsingObserver;
import io.github.collapseexecutor.spring.annotation.CollapsingSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.function.SingletonSupplier;

/**
 * The executors of all annotated methods. Each is made as soon as the context has its beans, or before at its first call, so that a
 * listener bean may depend on an annotated bean. All are closed with the context, after the web server has stopped.
 */
public final class AnnotatedExecutors implements CollapsingControl, SmartInitializingSingleton, SmartLifecycle {

    private static final Duration DRAIN = Duration.ofSeconds(20);

    // immutable
    private final Supplier<CollapsingSettings> settings;
    private final ObjectProvider<CollapsingObserver> observers;
    private final ConfigurableApplicationContext context;

    // mutable, thread-safe
    private final List<Slot<?>> slots = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<String, AtomicBoolean> paused = new ConcurrentHashMap<>();
    // mutable, set once
    private volatile boolean complete;

    public AnnotatedExecutors(
            ObjectProvider<CollapsingSettings> settings,
            ObjectProvider<CollapsingObserver> observers,
            ConfigurableApplicationContext context) {
        this.settings = SingletonSupplier.of(() -> settings.getIfAvailable(CollapsingSettings::defaults));
        this.observers = observers;
        this.context = context;
    }

    /** Whether the context has all its beans. */
    boolean isComplete() {
        return complete;
    }

    CallInTransaction inTransaction() {
        return settings.get().inTransaction();
    }

    @Override
    public List<String> executors() {
        return slots.stream().map(slot -> slot.name).distinct().toList();
    }

    @Override
    public void pause(String executor) {
        pauseOf(known(executor)).set(true);
    }

    @Override
    public void resume(String executor) {
        pauseOf(known(executor)).set(false);
    }

    @Override
    public boolean isPaused(String executor) {
        return pauseOf(known(executor)).get();
    }

    /** Returns the switch of all executors of a name, for a method that asks it with every call. */
    AtomicBoolean pauseOf(String name) {
        return paused.computeIfAbsent(name, absent -> new AtomicBoolean());
    }

    /** Tells of a call that runs by itself because the executors of its name are paused. */
    void passed(String name) {
        observers.ifAvailable(observer -> observer.passed(name));
    }

    @Override
    public CollapseOptions options(String executor) {
        return named(known(executor)).findFirst().orElseThrow().made().options();
    }

    @Override
    public List<CollapseCounts> counts(String executor) {
        return named(known(executor)).map(slot -> slot.get().counts()).toList();
    }

    private String known(String executor) {
        List<String> known = executors();
        if (!known.contains(executor)) {
            throw new IllegalArgumentException("There is no executor " + executor + " of an annotated method"
                    + (known.isEmpty() ? "" : ": name one of " + String.join(", ", known)));
        }
        return executor;
    }

    private Stream<Slot<?>> named(String name) {
        return slots.stream().filter(slot -> slot.name.equals(name));
    }

    /**
     * Adds an executor.
     *
     * @param name its name
     * @param changes what its annotation says
     * @param maker makes it
     */
    <E extends CollapseExecutor> Slot<E> add(
            String name, Consumer<CollapseOptions.Builder> changes, Function<CollapseOptions, E> maker) {
        Slot<E> slot = new Slot<>(name, changes, maker);
        slots.add(slot);
        if (complete) {
            E unused = slot.get();
        }
        return slot;
    }

    private static @Nullable ContextCarrier both(@Nullable ContextCarrier outer, @Nullable ContextCarrier inner) {
        return outer == null ? inner : inner == null ? outer : outer.andThen(inner);
    }

    @Override
    public void afterSingletonsInstantiated() {
        complete = true;
        slots.forEach(Slot::get);
    }

    @Override
    public void start() {}

    /** A context that is only paused goes on later; its callers wait for nothing. */
    @Override
    public void stop() {
        if (!context.isClosed()) {
            return;
        }
        long deadline = System.nanoTime() + DRAIN.toNanos();
        for (Slot<?> slot : slots) {
            slot.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
    }

    @Override
    public boolean isRunning() {
        return true;
    }

    /** Behind the server's graceful stop (1024 before the last phase) and its end (2048). */
    @Override
    public int getPhase() {
        return DEFAULT_PHASE - 4096;
    }

    private record Made<E>(E executor, CollapseOptions options) {}

    /** One executor, when it is needed. No lock is held while beans are looked for. */
    final class Slot<E extends CollapseExecutor> {

        // immutable
        private final String name;
        private final Consumer<CollapseOptions.Builder> changes;
        private final Function<CollapseOptions, E> maker;

        // mutable, set once
        private final AtomicReference<@Nullable Made<E>> made = new AtomicReference<>();

        private Slot(String name, Consumer<CollapseOptions.Builder> changes, Function<CollapseOptions, E> maker) {
            this.name = name;
            this.changes = changes;
            this.maker = maker;
        }

        E get() {
            return made().executor();
        }

        private Made<E> made() {
            Made<E> present = made.get();
            return present == null ? make() : present;
        }

        private Made<E> make() {
            CollapsingObserver observer = observers.getIfAvailable();
            CollapsingSettings present = settings.get();
            CollapseOptions common = present.named().getOrDefault(name, present.options());
            CollapseOptions.Builder builder = common.toBuilder().name(name);
            if (observer != null) {
                builder.listener(observer.listener(name))
                        .contextCarrier(both(common.contextCarrier(), observer.contextCarrier(name)));
            }
            changes.accept(builder);
            CollapseOptions options = builder.build();
            Made<E> own = new Made<>(maker.apply(options), options);
            Made<E> other = made.compareAndExchange(null, own);
            if (other != null) {
                return other; // the one made in vain holds nothing
            }
            if (observer != null) {
                observer.made(name, own.executor());
            }
            return own;
        }

        private void close(Duration drain) {
            Made<E> present = made.get();
            if (present != null) {
                boolean unused = present.executor().close(drain);
            }
        }
    }
}
