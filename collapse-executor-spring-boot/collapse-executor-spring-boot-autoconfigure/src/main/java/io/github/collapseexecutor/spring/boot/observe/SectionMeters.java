package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.github.collapseexecutor.spring.boot.registry.SectionObserver;

/** Measures the adapters of every section. */
final class SectionMeters implements SectionObserver {

    // immutable
    private final CollapseMeters meters;

    SectionMeters(CollapseMeters meters) {
        this.meters = meters;
    }

    @Override
    public CollapseListener ofBatches(String section) {
        return new MeteredBatches(meters, false);
    }

    @Override
    public HttpCollapseListener ofRequests(String section) {
        return new MeteredRequests(meters, section);
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
}
