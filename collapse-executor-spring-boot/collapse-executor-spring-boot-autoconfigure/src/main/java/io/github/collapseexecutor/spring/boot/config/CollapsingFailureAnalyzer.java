package io.github.collapseexecutor.spring.boot.config;

import io.github.collapseexecutor.spring.annotation.InvalidCollapsingException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which annotated method stopped the start, why, and the remedy. */
final class CollapsingFailureAnalyzer extends AbstractFailureAnalyzer<InvalidCollapsingException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, InvalidCollapsingException cause) {
        String description = String.format(
                "A method cannot be collapsed:%n%n    Method: %s%n    Reason: %s%n", cause.method(), cause.reason());
        return new FailureAnalysis(description, cause.remedy(), cause);
    }
}
