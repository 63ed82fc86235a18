package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.http.HttpCollapseListener;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Keeps the statistics of every section for the endpoint. */
final class StatisticsObserver implements SectionObserver {

    // mutable, thread-safe
    private final ConcurrentMap<String, SectionStatistics> sections = new ConcurrentHashMap<>();

    SectionStatistics of(String section) {
        return sections.computeIfAbsent(section, absent -> new SectionStatistics());
    }

    @Override
    public CollapseListener ofBatches(String section) {
        return of(section);
    }

    @Override
    public HttpCollapseListener ofRequests(String section) {
        return of(section);
    }

    @Override
    public void made(HttpSections.Section section) {}
}
