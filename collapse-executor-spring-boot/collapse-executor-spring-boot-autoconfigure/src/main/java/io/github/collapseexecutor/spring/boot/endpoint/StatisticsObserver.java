package io.github.collapseexecutor.spring.boot.endpoint;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;
import io.github.collapseexecutor.spring.boot.registry.TallyListener;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Keeps the statistics of every section, and of the executors of annotated methods, for the endpoint. */
final class StatisticsObserver implements ExecutorObserver {

    // mutable, thread-safe
    private final ConcurrentMap<String, SectionStatistics> sections = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, SectionStatistics> executors = new ConcurrentHashMap<>();

    SectionStatistics of(String section) {
        return sections.computeIfAbsent(section, absent -> new SectionStatistics());
    }

    SectionStatistics ofExecutor(String executor) {
        return executors.computeIfAbsent(executor, absent -> new SectionStatistics());
    }

    @Override
    public CollapseListener listenerOfExecutor(String executor) {
        List<SectionStatistics> counted = List.of(ofExecutor(executor));
        return TallyListener.ofExecutors(name -> counted);
    }

    @Override
    public void passed(String executor) {
        ofExecutor(executor).notCollapsed(Reason.PAUSED);
    }

    @Override
    public CollapseListener ofBatches(String section) {
        return listenerOf(section);
    }

    @Override
    public HttpCollapseListener ofRequests(String section) {
        return listenerOf(section);
    }

    private TallyListener listenerOf(String section) {
        List<SectionStatistics> counted = List.of(of(section));
        return TallyListener.ofSection(section, name -> counted);
    }
}
