package io.github.collapseexecutor.spring.annotation;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.spring.annotation.config.EnableCollapsing;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A Spring application without Boot that collapses. One execution runs at a time, and the first caller's starts at once: the rest of a burst is
 * one batch. */
public final class Application implements AutoCloseable {

    // immutable
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    private Application(Class<?>... classes) {
        context.register(Collapsing.class);
        context.register(classes);
        context.refresh();
    }

    public static Application start(Class<?>... classes) {
        return new Application(classes);
    }

    public <T> T get(Class<T> type) {
        return context.getBean(type);
    }

    AnnotationConfigApplicationContext context() {
        return context;
    }

    /** The executor of an annotated method. */
    public CollapseExecutor executor(String name) {
        CollapseExecutor executor = get(Executors.class).byName.get(name);
        if (executor == null) {
            throw new AssertionError(
                    "no executor " + name + " in " + get(Executors.class).byName.keySet());
        }
        return executor;
    }

    @Override
    public void close() {
        context.close();
    }

    /** Remembers the executors by their names. */
    static final class Executors implements CollapsingObserver {

        final Map<String, CollapseExecutor> byName = new ConcurrentHashMap<>();

        @Override
        public @Nullable CollapseListener listener(String name) {
            return null;
        }

        @Override
        public void made(String name, CollapseExecutor executor) {
            byName.put(name, executor);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCollapsing
    public static class Collapsing {

        @Bean
        CollapsingSettings settings() {
            return new CollapsingSettings(
                    CollapseOptions.builder()
                            .maxConcurrentBatches(1)
                            .collectingWaitTime(Duration.ofNanos(-1))
                            .build(),
                    CallInTransaction.PASS);
        }

        @Bean
        Executors executors() {
            return new Executors();
        }

        @Bean
        Gate gate() {
            return new Gate();
        }
    }
}
