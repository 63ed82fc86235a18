package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a group without callers costs: nothing, however many there were. */
class MemoryTests {

    private static final int GROUPS = 1_000_000;

    static List<Named<CollapseOptions>> options() {
        return List.of(
                Named.of("default options", CollapseOptions.defaults()),
                Named.of(
                        "every option",
                        CollapseOptions.builder()
                                .maxBatchSize(10)
                                .maxConcurrentBatches(1)
                                .maxPending(10)
                                .callTimeout(Duration.ofMinutes(10))
                                .joinMode(JoinMode.IN_FLIGHT)
                                .build()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void P15_aMillionGroupsOneAfterAnotherLeaveNothingOfABlockingExecutor(CollapseOptions options) throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options);
        expectNothingLeftOf(executor.engine(), group -> executor.execute(group, () -> group));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void P15_aMillionGroupsOneAfterAnotherLeaveNothingOfAFutureExecutor(CollapseOptions options) throws Exception {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(options);
        expectNothingLeftOf(
                executor.engine(),
                group -> executor.execute(group, () -> CompletableFuture.completedFuture(group))
                        .get());
    }

    private interface Call {

        Long of(Long group) throws Exception;
    }

    private static void expectNothingLeftOf(CollapseEngine<?, ?> engine, Call call) throws Exception {
        callAll(engine, call, GROUPS / 100); // what the first calls load or cache is not of the groups
        LiveHeap before = LiveHeap.settled();
        callAll(engine, call, GROUPS);
        assertThat(engine.admission().callerCount()).isZero();
        LiveHeap.expectNothingLeftSince(before, GROUPS);
    }

    private static void callAll(CollapseEngine<?, ?> engine, Call call, int groups) throws Exception {
        long sum = 0;
        long left = 0;
        for (long group = 0; group < groups; group++) {
            sum += call.of(group);
            left += engine.groupCount();
        }
        assertThat(sum).isEqualTo(groups * (groups - 1L) / 2);
        assertThat(left).isZero();
    }
}
