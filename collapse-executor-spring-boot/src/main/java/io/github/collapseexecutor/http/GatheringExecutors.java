package io.github.collapseexecutor.http;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import java.time.Duration;
import java.util.function.Function;

/**
 * The executors that an adapter gathers its requests with.
 *
 * @param joining for requests that may join a running call, if the user wants that
 * @param fresh for requests that join none (H8)
 * @param regrouping for followers that a call left without an answer
 */
record GatheringExecutors<EXECUTOR>(EXECUTOR joining, EXECUTOR fresh, EXECUTOR regrouping) {

    /** Which of them. */
    enum Kind {
        JOINING,
        FRESH,
        REGROUPING
    }

    /** Negative: a batch whose callers have all arrived before has nothing to wait for. */
    private static final Duration AT_ONCE = Duration.ofNanos(-1);

    static <EXECUTOR> GatheringExecutors<EXECUTOR> of(
            CollapseOptions core, Function<CollapseOptions, EXECUTOR> executor) {
        EXECUTOR joining = executor.apply(core);
        EXECUTOR fresh = core.joinMode() == JoinMode.FRESH
                ? joining
                : executor.apply(core.toBuilder().joinMode(JoinMode.FRESH).build());
        EXECUTOR regrouping = executor.apply(core.toBuilder()
                .joinMode(JoinMode.IN_FLIGHT)
                .collectingWaitTime(AT_ONCE)
                .maxPending(CollapseOptions.UNLIMITED)
                .build());
        return new GatheringExecutors<>(joining, fresh, regrouping);
    }

    EXECUTOR of(Kind kind) {
        return switch (kind) {
            case JOINING -> joining;
            case FRESH -> fresh;
            case REGROUPING -> regrouping;
        };
    }
}
