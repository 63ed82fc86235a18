package io.github.collapseexecutor.sample.advanced.readme;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.DryRun;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.util.List;

/** A dry run without Spring Boot. */
final class DryRunExamples {

    private DryRunExamples() {}

    // readme:begin dry-run
    static HttpCollapseOptions options(DryRun users) { // users.report() says what it has found so far
        CollapseRule rule = CollapseRule.of(CollapsePolicy.pathOnly(), "/user/*");
        return HttpCollapseOptions.builder()
                .rules(List.of(rule.inDryRun(users)))
                .build();
    }
    // readme:end
}
