package io.github.collapseexecutor.spring.boot.observe;

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

    /** Shows what is in the executors of a name. */
    void watchExecutors(String name, Watched<CollapseExecutor> executors) {
        gauge(
                PENDING,
                "Callers that wait for an answer",
                name,
                executors,
                one -> one.counts().callers());
        gauge(
                IN_FLIGHT,
                "Batches in flight",
                name,
                executors,
                one -> one.counts().batchesInFlight());
        gauge(
                GROUPS,
                "Groups with a batch",
                name,
                executors,
                one -> one.counts().groups());
    }

    /** Shows what is in the adapters of a section. */
    void watchAdapters(String name, Watched<HttpCollapseControl> controls) {
        gauge(
                PENDING,
                "Callers that wait for an answer",
                name,
                controls,
                one -> one.counts().callers());
        gauge(
                IN_FLIGHT,
                "Batches in flight",
                name,
                controls,
                one -> one.counts().batchesInFlight());
        gauge(GROUPS, "Groups with a batch", name, controls, one -> one.counts().groups());
        gauge(
                "collapse.passing",
                "Keys whose requests are sent at once, because the last response could not be shared",
                name,
                controls,
                one -> one.counts().passingKeys());
    }

    /** Shows what the dry run of a group has found. */
    void watchDryRun(String name, String group, Watched<DryRun> dryRun) {
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
            Watched<DryRun> dryRun,
            ToDoubleFunction<DryRunReport> count) {
        FunctionCounter.builder(
                        "collapse.dry.run." + what, dryRun, all -> all.sum(one -> count.applyAsDouble(one.report())))
                .description(description)
                .tag(ExecutorMeters.NAME, name)
                .tag("group", group)
                .register(registry);
    }

    private <T> void gauge(
            String meter, String description, String name, Watched<T> watched, ToDoubleFunction<T> value) {
        Gauge.builder(meter, watched, all -> all.sum(value))
                .strongReference(true) // it keeps nothing else reachable
                .description(description)
                .tag(ExecutorMeters.NAME, name)
                .register(registry);
    }
}
