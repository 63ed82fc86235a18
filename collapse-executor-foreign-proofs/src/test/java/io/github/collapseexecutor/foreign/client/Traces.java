package io.github.collapseexecutor.foreign.client;

import brave.Tracing;
import brave.handler.MutableSpan;
import brave.handler.SpanHandler;
import brave.propagation.TraceContext;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.brave.bridge.BraveCurrentTraceContext;
import io.micrometer.tracing.brave.bridge.BravePropagator;
import io.micrometer.tracing.brave.bridge.BraveTracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.micrometer.tracing.propagation.Propagator;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A trace for each caller, by one of Micrometer's bridges: with collapsing as without, a caller's trace has as many calls, and a response came by a
 * request whose trace is that of a caller with the same question.
 */
final class Traces {

    /** A bridge. */
    enum Bridge {
        OTEL,
        BRAVE
    }

    /** A caller, inside its observation. */
    interface Asking {
        void ask(Observation caller) throws Exception;
    }

    private static final long TOLD_NANOS = Duration.ofSeconds(5).toNanos();
    private static final Pattern TRACE = Pattern.compile("[0-9a-f]{32}|[0-9a-f]{16}");

    // immutable
    private final ObservationRegistry registry = ObservationRegistry.create();
    private final Tracer tracer;

    // mutable, thread-safe
    private final Map<String, Question> callers = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();

    Traces(Bridge bridge) {
        Propagator propagator;
        if (bridge == Bridge.OTEL) {
            io.opentelemetry.api.trace.Tracer otel = SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(new Ended()))
                    .build()
                    .get("foreign");
            tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
            propagator = new OtelPropagator(ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
        } else {
            Tracing tracing = Tracing.newBuilder()
                    .addSpanHandler(new SpanHandler() {
                        @Override
                        public boolean end(TraceContext context, MutableSpan span, Cause cause) {
                            if (span.kind() == brave.Span.Kind.CLIENT) {
                                ended(context.traceIdString());
                            }
                            return true;
                        }
                    })
                    .build();
            tracer = new BraveTracer(tracing.tracer(), new BraveCurrentTraceContext(tracing.currentTraceContext()));
            propagator = new BravePropagator(tracing);
        }
        registry.observationConfig()
                .observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
                        new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                        new DefaultTracingObservationHandler(tracer)));
    }

    private final class Ended implements SpanExporter {

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            spans.stream().filter(span -> span.getKind() == SpanKind.CLIENT).forEach(span -> ended(span.getTraceId()));
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    private void ended(String trace) {
        int unused = calls.computeIfAbsent(trace, first -> new AtomicInteger()).incrementAndGet();
    }

    ObservationRegistry registry() {
        return registry;
    }

    /** Asks in a trace of its own, and tells what came of it. */
    void ask(Reply reply, Asking asking) throws Exception {
        Observation caller = Observation.start("caller", registry);
        try (Observation.Scope scope = caller.openScope()) {
            Span span = Objects.requireNonNull(tracer.currentSpan(), "a span in " + scope);
            String trace = span.context().traceId();
            callers.put(trace, reply.question());
            asking.ask(caller);
            reply.header("spans", callsOf(trace) + whose(reply));
        } finally {
            caller.stop();
        }
    }

    /** A client may tell of the end of a call after its caller has the response. */
    private int callsOf(String trace) {
        long until = System.nanoTime() + TOLD_NANOS;
        while (!calls.containsKey(trace) && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        return calls.getOrDefault(trace, new AtomicInteger()).get();
    }

    private String whose(Reply reply) {
        Matcher sent = TRACE.matcher(reply.trace());
        if (!sent.find()) {
            return ", not traced";
        }
        Question asked = callers.get(sent.group());
        boolean same = asked != null
                && asked.path().equals(reply.question().path())
                && asked.user().equals(reply.question().user());
        return same ? "" : ", of the trace of " + asked;
    }
}
