package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.time.Duration;
import java.util.List;

/** The options of a set-up. */
final class LabOptions {

    private LabOptions() {}

    static HttpCollapseOptions http(LabSetup setup) {
        HttpCollapseOptions.Builder http = HttpCollapseOptions.builder()
                .rules(List.of(CollapseRule.of(setup.policy().policy(), "/**")))
                .passTtl(setup.remembers() ? Duration.ofMinutes(2) : Duration.ZERO);
        setup.client().onFailure().ifPresent(http::onLeaderFailure);
        return (setup.smallLimit() ? http.maxBodySize(10_000) : http).build();
    }

    static CollapseOptions core(LabSetup setup) {
        return CollapseOptions.builder()
                .joinMode(setup.join())
                .maxWait(Duration.ofMinutes(10))
                .build();
    }
}
