package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import java.time.Duration;

/**
 * How the three executors of an adapter gather.
 *
 * @param joining requests that may join a running call, if the user wants that
 * @param fresh requests that join none (H8)
 * @param regrouping followers that a call left without an answer
 */
record Gathering(CollapseOptions joining, CollapseOptions fresh, CollapseOptions regrouping) {

    /** Negative: a batch whose callers have all arrived before has nothing to wait for. */
    private static final Duration AT_ONCE = Duration.ofNanos(-1);

    static Gathering of(CollapseOptions core) {
        return new Gathering(
                core,
                core.joinMode() == JoinMode.FRESH
                        ? core
                        : core.toBuilder().joinMode(JoinMode.FRESH).build(),
                core.toBuilder()
                        .joinMode(JoinMode.IN_FLIGHT)
                        .collectingWaitTime(AT_ONCE)
                        .maxPending(CollapseOptions.UNLIMITED)
                        .build());
    }
}
