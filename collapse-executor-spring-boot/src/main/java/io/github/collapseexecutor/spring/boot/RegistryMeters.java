package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.DryRunReport;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** What one registry shows of what is there: gauges, and the counters of dry runs. */
final class RegistryMeters {

    private static final String PENDING = "collapse.pending";
    private static final String IN_FLIGHT = "collapse.in.flight";
    private static final String GROUPS = "collapse.groups";

    // immutable
    private final MeterRegistry registry;

    RegistryMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Shows what is in an executor. */
    void watchExecutor(String name, CollapseExecutor executor) {
        gauge(
                PENDING,
                "Callers that wait for an answer",
                name,
                executor,
                one -> one.counts().callers());
        gauge(
                IN_FLIGHT,
                "Batches in flight",
                name,
                executor,
                one -> one.counts().batchesInFlight());
        gauge(GROUPS, "Groups with a batch", name, executor, one -> one.counts().groups());
    }

    /** Shows what is in the adapters of a section. */
    void watchAdapters(String name, HttpCollapseControl control) {
        gauge(
                PENDING,
                "Callers that wait for an answer",
                name,
                control,
                one -> one.counts().callers());
        gauge(IN_FLIGHT, "Batches in flight", name, control, one -> one.counts().batchesInFlight());
        gauge(GROUPS, "Groups with a batch", name, control, one -> one.counts().groups());
        gauge(
                "collapse.passing",
                "Keys whose requests are sent at once, because the last response could not be shared",
                name,
                control,
                one -> one.counts().passingKeys());
    }

    /** Shows what the dry run of a group has found. */
    void watchDryRun(String name, String group, DryRun dryRun) {
        found("requests", "Requests that might have shared a call", name, group, dryRun, DryRunReport::requests);
        found("shared", "Calls that would have been saved", name, group, dryRun, DryRunReport::shared);
        found("compared", "Pairs of responses that were compared", name, group, dryRun, DryRunReport::compared);
        found("different", "Compared pairs that differ", name, group, dryRun, DryRunReport::different);
    }

    private void found(
            String what,
            String description,
            String name,
            String group,
            DryRun dryRun,
            ToDoubleFunction<DryRunReport> count) {
        FunctionCounter.builder("collapse.dry.run." + what, dryRun, one -> count.applyAsDouble(one.report()))
                .description(description)
                .tag(ExecutorMeters.NAME, name)
                .tag("group", group)
                .register(registry);
    }

    private <T> void gauge(String meter, String description, String name, T of, ToDoubleFunction<T> value) {
        Gauge.builder(meter, of, value)
                .description(description)
                .tag(ExecutorMeters.NAME, name)
                .register(registry);
    }
}
