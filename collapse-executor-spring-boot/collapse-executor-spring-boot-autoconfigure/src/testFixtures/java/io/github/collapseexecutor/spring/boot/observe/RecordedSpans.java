package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.CollapseOptions;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;

/** Has batches and calls observed, and keeps the spans that an in-memory exporter gets of them, over the OpenTelemetry bridge. */
final class RecordedSpans implements AutoCloseable {

    // immutable
    final ObservationRegistry registry = ObservationRegistry.create();
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
            .build();

    RecordedSpans() {
        OtelTracer tracer = new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), event -> {});
        registry.observationConfig()
                .observationHandler(new FirstMatchingCompositeObservationHandler(
                        new BatchTracingHandler(tracer), new DefaultTracingObservationHandler(tracer)));
    }

    List<SpanData> all() {
        return exporter.getFinishedSpanItems();
    }

    List<SpanData> named(String name) {
        return all().stream().filter(span -> span.getName().equals(name)).toList();
    }

    String id(String name) {
        return named(name).get(0).getSpanId();
    }

    SpanData withId(String id) {
        return all().stream()
                .filter(span -> span.getSpanId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    static List<String> linkedBy(SpanData span) {
        return span.getLinks().stream()
                .map(link -> link.getSpanContext().getSpanId())
                .toList();
    }

    /** Options of an observed executor. */
    CollapseOptions.Builder options() {
        return CollapseOptions.builder().contextCarrier(new ObservedBatches(registry));
    }

    /** Pairs start as soon as both are present. */
    CollapseOptions.Builder pairs() {
        return options().maxBatchSize(2).waitThreshold(2).collectingWaitTime(Duration.ofMinutes(10));
    }

    @Override
    public void close() {
        provider.close();
    }
}
