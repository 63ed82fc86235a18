package io.github.collapseexecutor.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image would leave out: the script that Redis runs. */
final class ClusterResources implements RuntimeHintsRegistrar {

    static final String SCRIPT = "io/github/collapseexecutor/cluster/shared-call.lua";

    /** Created by Spring. */
    ClusterResources() {}

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern(SCRIPT);
    }
}
