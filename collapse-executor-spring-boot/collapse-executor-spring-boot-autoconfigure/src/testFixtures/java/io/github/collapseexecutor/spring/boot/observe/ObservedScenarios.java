package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.CurrentTraceContext;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler.TracingContext;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Two callers of one batch, each in an observation: to be run by {@link TracersWithoutLinksTests} with some libraries hidden. */
final class ObservedScenarios {

    private ObservedScenarios() {}

    /** Has the two callers ask, and returns when both have their answers. */
    private static void ask(ObservationRegistry registry, Observation first, Observation second) {
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.futureInOrder(
                inputs -> CompletableFuture.completedFuture(new ArrayList<>(inputs)),
                CollapseOptions.builder()
                        .maxBatchSize(2)
                        .waitThreshold(2)
                        .collectingWaitTime(Duration.ofMinutes(10))
                        .contextCarrier(new ObservedBatches(registry))
                        .build());
        CompletableFuture<String> one = first.scoped(() -> executor.execute("a"));
        CompletableFuture<String> other = second.scoped(() -> executor.execute("b"));
        if (!one.join().equals("a") || !other.join().equals("b")) {
            throw new IllegalStateException("wrong answers");
        }
    }

    /** Without tracing. */
    static final class Timed implements Supplier<List<String>> {

        @Override
        public List<String> get() {
            List<String> recorded = new ArrayList<>();
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new ObservationHandler<>() {
                @Override
                public void onStop(Observation.Context context) {
                    recorded.add(context.getName() + " "
                            + context.getHighCardinalityKeyValues().stream()
                                    .map(KeyValue::getValue)
                                    .collect(Collectors.joining()));
                }

                @Override
                public boolean supportsContext(Observation.Context context) {
                    return context instanceof BatchContext;
                }
            });
            ask(registry, Observation.start("first", registry), Observation.start("second", registry));
            return recorded;
        }
    }

    /** With a tracer that is not OpenTelemetry's: it records what is done with its spans. */
    static final class Traced implements Supplier<List<String>> {

        // mutable, confined to the one thread
        private final List<String> recorded = new ArrayList<>();
        private int spans;

        @Override
        public List<String> get() {
            Tracer tracer = proxy(Tracer.class, (method, arguments) -> switch (method) {
                case "spanBuilder" -> builder();
                case "currentTraceContext" -> CurrentTraceContext.NOOP;
                case "getBaggageFields" -> List.of();
                default -> throw new UnsupportedOperationException(method);
            });
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new BatchTracingHandler(tracer));
            Observation first = traced(registry);
            Observation second = traced(registry);
            Span one = spanOf(first);
            Span other = spanOf(second);
            ask(registry, first, second);
            one.end();
            other.end();
            return recorded;
        }

        private static Span spanOf(Observation observation) {
            TracingContext tracing = observation.getContext().getRequired(TracingContext.class);
            Span span = tracing.getSpan();
            if (span == null) {
                throw new IllegalStateException("no span");
            }
            return span;
        }

        private Observation traced(ObservationRegistry registry) {
            Observation observation = Observation.start("request", registry);
            TracingContext tracing = new TracingContext();
            tracing.setSpan(builder().start());
            observation.getContext().put(TracingContext.class, tracing);
            return observation;
        }

        private Span.Builder builder() {
            String name = "span " + ++spans;
            Span span = span(name);
            return proxy(Span.Builder.class, (method, arguments) -> {
                record(name, method, arguments);
                return method.equals("start") ? span : null;
            });
        }

        private Span span(String name) {
            TraceContext context = proxy(TraceContext.class, (method, arguments) -> name);
            return proxy(Span.class, (method, arguments) -> {
                if (method.equals("context")) {
                    return context;
                }
                record(name, method, arguments);
                return null;
            });
        }

        private void record(String span, String method, @Nullable Object[] arguments) {
            String said = Arrays.stream(arguments)
                    .map(argument -> argument instanceof Link link
                            ? " to " + link.getTraceContext().spanId()
                            : " " + argument)
                    .collect(Collectors.joining());
            recorded.add(span + ": " + method + said);
        }

        /** What is called, with which arguments. */
        private interface Called {
            @Nullable Object call(String method, @Nullable Object[] arguments);
        }

        /** An object whose methods return the object itself where they return nothing else. */
        private static <T> T proxy(Class<T> type, Called called) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (self, method, given) -> {
                        @Nullable Object[] arguments = given == null ? new @Nullable Object[0] : given;
                        Object answer = called.call(method.getName(), arguments);
                        return answer == null && method.getReturnType().isInstance(self) ? self : answer;
                    }));
        }
    }
}
