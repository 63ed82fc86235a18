package io.github.collapseexecutor.http.call;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CallOptions;
import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.HttpCollapseCounts;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.SharingRules;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The executors that an adapter gathers its requests with.
 *
 * @param gathering for requests, by the join mode of their group; they join a running call if the user wants that and they may (H8).
 *     A group that is fresh has an executor that is: another one would hold back its responses for callers that never join
 * @param regrouping for followers that a call left without an answer
 * @param core what the user wants. These executors do not know its {@code callTimeout}: they would count it from each gathering anew
 * @param dryRun for requests that share nothing, but are to know what they would have shared; they gather as the first ones do
 * @param rules what they gather by
 */
record GatheringExecutors<EXECUTOR extends CollapseExecutor>(
        Map<JoinMode, EXECUTOR> gathering,
        EXECUTOR regrouping,
        CollapseOptions core,
        Map<JoinMode, FutureCallableGroupCollapseExecutor> dryRun,
        SharingRules rules)
        implements HttpCollapseControl.Adapter {

    /** Which of them, and how it is asked. */
    enum Kind {
        /** By a request of a fresh group. */
        FRESH,
        /** By a request of a group that joins in flight. */
        IN_FLIGHT,
        /** The same executor, by a request that joins no running call itself (H8). */
        IN_FLIGHT_LATER,
        REGROUPING;

        private static final CallOptions JOINING_NONE = CallOptions.defaults().joinMode(JoinMode.FRESH);

        static Kind of(JoinMode group, CollapsibleRequest request) {
            if (group == JoinMode.FRESH) {
                return FRESH;
            }
            return request.joinsRunningCall() ? IN_FLIGHT : IN_FLIGHT_LATER;
        }

        CallOptions options() {
            return this == IN_FLIGHT_LATER ? JOINING_NONE : CallOptions.defaults();
        }
    }

    /** Negative: a batch whose callers have all arrived before has nothing to wait for. */
    private static final Duration AT_ONCE = Duration.ofNanos(-1);

    static <EXECUTOR extends CollapseExecutor> GatheringExecutors<EXECUTOR> of(
            CollapseOptions core, Function<CollapseOptions, EXECUTOR> executor, SharingRules rules) {
        CollapseOptions patient = core.toBuilder().callTimeout(null).build();
        Map<JoinMode, EXECUTOR> gathering = new EnumMap<>(JoinMode.class);
        EXECUTOR regrouping = executor.apply(patient.toBuilder()
                .joinMode(JoinMode.IN_FLIGHT)
                .collectingWaitTime(AT_ONCE)
                .maxPending(CollapseOptions.UNLIMITED)
                .build());
        // Its calls are not shared: no listener is told of them as if they were, and no caller's context is taken to
        // another's call.
        CollapseOptions unheard =
                core.toBuilder().listener(null).contextCarrier(null).build();
        Map<JoinMode, FutureCallableGroupCollapseExecutor> dryRun = new EnumMap<>(JoinMode.class);
        for (CollapseRule rule : rules.options().rules()) {
            JoinMode mode = modeOf(rule, core);
            gathering.computeIfAbsent(
                    mode,
                    missing -> executor.apply(patient.toBuilder().joinMode(mode).build()));
            if (rule.dryRun() != null) {
                dryRun.computeIfAbsent(
                        mode,
                        missing -> new FutureCallableGroupCollapseExecutor(
                                unheard.toBuilder().joinMode(mode).build()));
            }
        }
        GatheringExecutors<EXECUTOR> all = new GatheringExecutors<>(gathering, regrouping, core, dryRun, rules);
        HttpCollapseControl.Adapter.attach(rules.options().control(), all);
        return all;
    }

    @Override
    public HttpCollapseCounts counts() {
        CollapseCounts all = gathering.values().stream()
                .map(CollapseExecutor::counts)
                .reduce(regrouping.counts(), CollapseCounts::plus);
        return new HttpCollapseCounts(
                1, all.callers(), all.gathering(), all.batchesInFlight(), all.groups(), rules.passingKeys());
    }

    @Override
    public void forgetPassingKeys() {
        rules.forgetPassingKeys();
    }

    EXECUTOR of(Kind kind) {
        return switch (kind) {
            case FRESH -> of(gathering, JoinMode.FRESH);
            case IN_FLIGHT, IN_FLIGHT_LATER -> of(gathering, JoinMode.IN_FLIGHT);
            case REGROUPING -> regrouping;
        };
    }

    /** An executor for requests of groups in dry run, which would have been gathered by that of the mode. */
    FutureCallableGroupCollapseExecutor ofDryRun(JoinMode mode) {
        return of(dryRun, mode);
    }

    private static <E> E of(Map<JoinMode, E> executors, JoinMode mode) {
        return requireNonNull(executors.get(mode), "no rule has the mode");
    }

    /** Returns what a rule says of itself, or else what holds for all. */
    static JoinMode modeOf(CollapseRule rule, CollapseOptions core) {
        JoinMode own = rule.joinMode();
        return own == null ? core.joinMode() : own;
    }
}
