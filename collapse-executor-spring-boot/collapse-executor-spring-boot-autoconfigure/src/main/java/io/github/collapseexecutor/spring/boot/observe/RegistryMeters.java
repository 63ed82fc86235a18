package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.DryRunReport;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.HttpCollapseCounts;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** What one registry shows of what is there: gauges, and the counters of dry runs. */
record RegistryMeters(MeterRegistry registry) {

    /** Callers, batches and groups of one executor or of the adapters of a section. */
    private record InUse(int callers, int inFlight, int groups) {}

    /** Shows what is in the executors of a name. */
    void watchExecutors(String name, Watched<CollapseExecutor> executors) {
        watch(name, executors, one -> {
            CollapseCounts counts = one.counts();
            return new InUse(counts.callers(), counts.batchesInFlight(), counts.groups());
        });
    }

    /** Shows what is in the adapters of a section. */
    void watchAdapters(String name, Watched<HttpCollapseControl> controls) {
        watch(name, controls, one -> {
            HttpCollapseCounts counts = one.counts();
            return new InUse(counts.callers(), counts.batchesInFlight(), counts.groups());
        });
        String passing = "Keys whose requests are sent at once, because the last response could not be shared";
        gauge("collapse.passing", passing, name, controls, one -> one.counts().passingKeys());
    }

    private <T> void watch(String name, Watched<T> watched, Function<T, InUse> of) {
        gauge("collapse.pending", "Callers that wait for an answer", name, watched, one -> of.apply(one).callers);
        gauge("collapse.in.flight", "Batches in flight", name, watched, one -> of.apply(one).inFlight);
        gauge("collapse.groups", "Groups with a batch", name, watched, one -> of.apply(one).groups);
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
