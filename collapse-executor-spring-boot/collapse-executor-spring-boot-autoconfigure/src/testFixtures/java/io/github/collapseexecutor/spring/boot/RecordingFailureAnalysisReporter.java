package io.github.collapseexecutor.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Keeps what Boot would print, as it comes out of all analyzers on the class path. */
final class RecordingFailureAnalysisReporter implements FailureAnalysisReporter {

    private static final ThreadLocal<@Nullable FailureAnalysis> LAST = new ThreadLocal<>();

    @Override
    public void report(FailureAnalysis analysis) {
        LAST.set(analysis);
    }

    /** Returns what was reported on this thread since the last time, and forgets it. */
    static @Nullable FailureAnalysis take() {
        FailureAnalysis last = LAST.get();
        LAST.remove();
        return last;
    }
}
