package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ClusterCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** What became of the batches that asked the other instances, as meters. */
record ClusterMeters(ClusterCalls calls) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        batches(registry, "led", ClusterCounts::led);
        batches(registry, "taken", ClusterCounts::taken);
        batches(registry, "unavailable", ClusterCounts::unavailable);
        batches(registry, "failed-elsewhere", ClusterCounts::failedElsewhere);
        batches(registry, "not-shareable", ClusterCounts::notShareable);
        batches(registry, "too-short", ClusterCounts::tooShort);
        Gauge.builder("collapse.cluster.available", calls, all -> all.counts().available() ? 1 : 0)
                .description("1 while Redis is asked, 0 while calls are made without it")
                .register(registry);
    }

    private void batches(MeterRegistry registry, String outcome, ToDoubleFunction<ClusterCounts> count) {
        FunctionCounter.builder("collapse.cluster.batches", calls, all -> count.applyAsDouble(all.counts()))
                .description("Batches that asked the other instances, by what became of them")
                .tag("outcome", outcome)
                .register(registry);
    }
}
