package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.CallOptions;
import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.HttpCollapseCounts;
import io.github.collapseexecutor.http.rules.SharingRules;
import java.time.Duration;
import java.util.function.Function;

/**
 * The executors that an adapter gathers its requests with.
 *
 * @param gathering for requests; they join a running call if the user wants that and they may (H8)
 * @param regrouping for followers that a call left without an answer
 * @param core what the user wants. The two executors do not know its {@code callTimeout}: they would count it from each gathering anew
 * @param dryRun for requests that share nothing, but are to know what they would have shared; it gathers as the first one does
 * @param rules what they gather by
 */
record GatheringExecutors<EXECUTOR extends CollapseExecutor>(
        EXECUTOR gathering,
        EXECUTOR regrouping,
        CollapseOptions core,
        FutureCallableGroupCollapseExecutor dryRun,
        SharingRules rules)
        implements HttpCollapseControl.Adapter {

    /** Which of them, and how it is asked. */
    enum Kind {
        JOINING,
        FRESH,
        REGROUPING;

        private static final CallOptions JOINING_NONE = CallOptions.defaults().joinMode(JoinMode.FRESH);

        CallOptions options() {
            return this == FRESH ? JOINING_NONE : CallOptions.defaults();
        }
    }

    /** Negative: a batch whose callers have all arrived before has nothing to wait for. */
    private static final Duration AT_ONCE = Duration.ofNanos(-1);

    static <EXECUTOR extends CollapseExecutor> GatheringExecutors<EXECUTOR> of(
            CollapseOptions core, Function<CollapseOptions, EXECUTOR> executor, SharingRules rules) {
        CollapseOptions patient = core.toBuilder().callTimeout(null).build();
        EXECUTOR gathering = executor.apply(patient);
        EXECUTOR regrouping = executor.apply(patient.toBuilder()
                .joinMode(JoinMode.IN_FLIGHT)
                .collectingWaitTime(AT_ONCE)
                .maxPending(CollapseOptions.UNLIMITED)
                .build());
        // Its calls are not shared: no listener is told of them as if they were, and no caller's context is taken to
        // another's call.
        FutureCallableGroupCollapseExecutor dryRun = new FutureCallableGroupCollapseExecutor(
                core.toBuilder().listener(null).contextCarrier(null).build());
        GatheringExecutors<EXECUTOR> all = new GatheringExecutors<>(gathering, regrouping, core, dryRun, rules);
        HttpCollapseControl.Adapter.attach(rules.options().control(), all);
        return all;
    }

    @Override
    public HttpCollapseCounts counts() {
        CollapseCounts first = gathering.counts();
        CollapseCounts regrouped = regrouping.counts();
        return new HttpCollapseCounts(
                1,
                first.callers() + regrouped.callers(),
                first.gathering() + regrouped.gathering(),
                first.batchesInFlight() + regrouped.batchesInFlight(),
                first.groups() + regrouped.groups(),
                rules.passingKeys());
    }

    @Override
    public void forgetPassingKeys() {
        rules.forgetPassingKeys();
    }

    EXECUTOR of(Kind kind) {
        return kind == Kind.REGROUPING ? regrouping : gathering;
    }
}
