package io.github.collapseexecutor.benchmark;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import java.time.Duration;

/** The ways to call that are compared. */
public enum Way {
    /** Every caller calls the backend. */
    BARE,
    /** A collapsing executor with default options. */
    FRESH,
    /** The same with a negative collectingWaitTime: a lone input does not yield the processor before it starts. */
    FRESH_AT_ONCE,
    /** A collapsing executor that joins calls in flight. */
    IN_FLIGHT,
    /** A map of futures, which joins calls in flight. */
    MAP_OF_FUTURES,
    /** A cache of futures that keeps no answer, which joins calls in flight. */
    CAFFEINE;

    Calls calls(double maxWaitRatio) {
        CollapseOptions.Builder options = CollapseOptions.builder().maxWaitRatio(maxWaitRatio);
        return switch (this) {
            case BARE -> (key, callable) -> callable.call();
            case FRESH -> collapsing(options);
            case FRESH_AT_ONCE -> collapsing(options.collectingWaitTime(Duration.ofNanos(-1)));
            case IN_FLIGHT -> collapsing(options.joinMode(JoinMode.IN_FLIGHT));
            case MAP_OF_FUTURES -> new MapOfFutures();
            case CAFFEINE -> new CaffeineCache();
        };
    }

    private static Calls collapsing(CollapseOptions.Builder options) {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options.build());
        return executor::execute;
    }
}
