package io.github.collapseexecutor.spring.boot.observe;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.handler.TracingObservationHandler.TracingContext;
import io.micrometer.tracing.otel.bridge.OtelSpan;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Links from a span that has started: that of a caller, which is older than the batch that it is to link. Micrometer's tracing links only
 * while a span is built; OpenTelemetry, over Micrometer's bridge, does so later, too. With another tracer nothing is linked.
 */
final class SpanLinks {

    private static final boolean TRACED = isPresent("io.micrometer.tracing.Span");
    private static final boolean OPEN_TELEMETRY = TRACED && isPresent("io.micrometer.tracing.otel.bridge.OtelSpan");

    private SpanLinks() {}

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, SpanLinks.class.getClassLoader());
    }

    /** Whether both observations have spans, of a tracer that links after the start. */
    static boolean arePossible(Observation.ContextView from, Observation.ContextView to) {
        return OPEN_TELEMETRY && spanOf(from) != null && spanOf(to) != null;
    }

    /** Has the span of an observation link that of another, if both have one. */
    static void add(Observation.ContextView from, Observation.ContextView to) {
        if (OPEN_TELEMETRY) {
            OpenTelemetry.add(from, to);
        }
    }

    /** A class of its own, so that none of its libraries is missed. */
    private static final class OpenTelemetry {

        private OpenTelemetry() {}

        static void add(Observation.ContextView from, Observation.ContextView to) {
            Span linking = spanOf(from);
            Span linked = spanOf(to);
            if (linking instanceof OtelSpan && linked instanceof OtelSpan) {
                io.opentelemetry.api.trace.Span unused =
                        recorded(linking).addLink(OtelSpan.toOtel(linked).getSpanContext());
            }
        }

        /** A child's span is wrapped by the bridge, whose wrapper ignores a link; it stores what it wraps in a context. */
        private static io.opentelemetry.api.trace.Span recorded(Span span) {
            return io.opentelemetry.api.trace.Span.fromContext(
                    OtelSpan.toOtel(span).storeInContext(Context.root()));
        }
    }

    /** The span of an observation, if it has one; to be asked only where there is a tracer. */
    static @Nullable Span spanOf(Observation.ContextView observed) {
        TracingContext tracing = observed.get(TracingContext.class);
        return tracing == null ? null : tracing.getSpan();
    }
}
