package io.github.collapseexecutor.spring.boot.observe;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationView;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Gives an observed batch a span that links the spans of its callers: of many callers the first {@value #MOST_LINKS}; how many more there
 * were, a tag says. It comes before those of other observations: the first handler that supports a batch makes its span.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
record BatchTracingHandler(Tracer tracer) implements TracingObservationHandler<BatchContext> {

    /** As many as OpenTelemetry keeps of a span unless it is configured otherwise. */
    static final int MOST_LINKS = 128;

    static final String MORE_CALLERS = "collapse.callers.not.linked";

    @Override
    public void onStart(BatchContext context) {
        Span.Builder span = tracer.spanBuilder();
        Span parent = parentOf(context);
        if (parent == null) {
            span.setNoParent();
        } else {
            span.setParent(parent.context());
        }
        List<Span> callers = context.callers().stream()
                .map(SpanLinks::spanOf)
                .filter(Objects::nonNull)
                .toList();
        callers.stream().limit(MOST_LINKS).forEach(caller -> span.addLink(new Link(caller)));
        if (callers.size() > MOST_LINKS) {
            span.tag(MORE_CALLERS, Integer.toString(callers.size() - MOST_LINKS));
        }
        getTracingContext(context).setSpan(span.start());
    }

    /** The span of the caller on whose thread the batch runs, and not whichever span the thread happens to be in. */
    private static @Nullable Span parentOf(BatchContext context) {
        ObservationView parent = context.getParentObservation();
        return parent == null ? null : SpanLinks.spanOf(parent.getContextView());
    }

    @Override
    public void onStop(BatchContext context) {
        Span span = getRequiredSpan(context);
        span.name(getSpanName(context));
        tagSpan(context, span);
        span.end();
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof BatchContext;
    }

    @Override
    public Tracer getTracer() {
        return tracer;
    }
}
