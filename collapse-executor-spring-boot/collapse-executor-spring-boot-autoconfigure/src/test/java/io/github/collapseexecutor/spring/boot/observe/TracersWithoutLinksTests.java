package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Observed batches where OpenTelemetry's bridge, or all of Micrometer's tracing, is not on the class path. */
class TracersWithoutLinksTests {

    /** Loads this library's and Micrometer's classes itself, and knows none of the hidden packages. */
    private static final class HidingClassLoader extends ClassLoader {

        // immutable
        private final List<String> hidden;

        HidingClassLoader(String... hidden) {
            super(TracersWithoutLinksTests.class.getClassLoader());
            this.hidden = List.of(hidden);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (hidden.stream().anyMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.github.collapseexecutor.") && !name.startsWith("io.micrometer.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** Runs a scenario in a class loader of its own, and returns what it has recorded. */
    private static List<?> recorded(String scenario, String... hidden) throws Exception {
        Class<?> type = new HidingClassLoader(hidden).loadClass(ObservedScenarios.class.getName() + "$" + scenario);
        assertThat(type.getClassLoader()).isInstanceOf(HidingClassLoader.class);
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true); // another class loader's package is another one
        return (List<?>) ((Supplier<?>) constructor.newInstance()).get();
    }

    @Test
    void withAnotherTracerTheBatchsSpanLinksItsCallersAndTheCallersSpansLinkNothing() throws Exception {
        for (String hidden : List.of("io.micrometer.tracing.otel.", "none.")) {
            List<?> spans = hidden.equals("none.")
                    ? recorded("Traced") // the bridge is there, and the tracer is another one
                    : recorded("Traced", hidden, "io.opentelemetry.");
            assertThat(spans)
                    .as(hidden)
                    .hasToString(List.of(
                                    "span 1: start",
                                    "span 2: start",
                                    "span 3: setParent span 2", // on whose thread the batch runs
                                    "span 3: addLink to span 1",
                                    "span 3: addLink to span 2",
                                    "span 3: start",
                                    "span 3: name collapse batch",
                                    "span 3: tag collapse.batch.size 2",
                                    "span 3: tag name none",
                                    "span 3: end",
                                    "span 1: end",
                                    "span 2: end")
                            .toString());
        }
    }

    @Test
    void withoutTracingBatchesAreObserved() throws Exception {
        assertThat(recorded("Timed", "io.micrometer.tracing.", "io.opentelemetry."))
                .hasToString("[collapse.observed.batches 2]");
    }
}
