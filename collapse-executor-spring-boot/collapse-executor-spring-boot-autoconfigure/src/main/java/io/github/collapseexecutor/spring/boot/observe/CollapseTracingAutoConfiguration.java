package io.github.collapseexecutor.spring.boot.observe;

import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Import;

/** Has the spans of {@linkplain ObservedBatches observed batches} link those of their callers, where there is a tracer. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration", // Boot 3
            "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration"
        })
@ConditionalOnClass({Tracer.class, TracingObservationHandler.class})
@ConditionalOnBean(Tracer.class)
@Import(BatchTracingHandler.class)
public final class CollapseTracingAutoConfiguration {

    /** Created by Spring. */
    public CollapseTracingAutoConfiguration() {}
}
