package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.github.collapseexecutor.spring.boot.registry.TallyListener;

/** Measures the adapters of every section, and the executors of annotated methods and those with names. */
record MeteredExecutors(CollapseMeters meters) implements ExecutorObserver {

    @Override
    public CollapseListener ofBatches(String section) {
        return TallyListener.ofSection(section, meters::of);
    }

    @Override
    public HttpCollapseListener ofRequests(String section) {
        return TallyListener.ofSection(section, meters::of);
    }

    @Override
    public void made(HttpSections.Section section) {
        meters.watch(section.name(), section.control());
        for (CollapseRule rule : section.http().rules()) {
            DryRun dryRun = rule.dryRun();
            if (dryRun != null) {
                meters.watch(section.name(), rule.patterns().toString(), dryRun);
            }
        }
    }

    @Override
    public CollapseListener listenerOfExecutor(String executor) {
        return meters.listener();
    }

    @Override
    public void made(String name, CollapseExecutor executor) {
        meters.watch(name, executor);
    }

    @Override
    public void passed(String name) {
        meters.of(name).forEach(measured -> measured.notCollapsed(Reason.PAUSED));
    }
}
