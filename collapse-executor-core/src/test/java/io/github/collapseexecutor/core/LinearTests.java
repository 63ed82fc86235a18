package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.AbstractSequentialList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.ListIterator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Work that grows with the number of callers or batches, and with nothing else: far more of them than a quadratic way stands. */
class LinearTests {

    private static final Duration BOUND = Duration.ofSeconds(10);

    private final Queue<Runnable> queue = new ArrayDeque<>();

    /** A list that is walked over, and does not know its places. */
    private static List<Integer> walked(List<Integer> list) {
        return new AbstractSequentialList<>() {
            @Override
            public ListIterator<Integer> listIterator(int index) {
                return list.listIterator(index);
            }

            @Override
            public int size() {
                return list.size();
            }

            @Override
            public Integer get(int index) {
                throw new AssertionError("walks over the list to each place in it");
            }
        };
    }

    @Test
    void outputsInOrderMayStandInAListWithoutRandomAccess() {
        FutureCollapseExecutor<Integer, Integer> executor =
                CollapseExecutors.asyncInOrder(LinearTests::walked, CollapseOptions.defaults(), queue::add);
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            callers.add(executor.execute(i));
        }
        queue.remove().run();
        for (int i = 0; i < 100; i++) {
            assertThat(callers.get(i)).isCompletedWithValue(i);
        }
    }

    @Test
    void waitingBatchesAreCancelledInAnyOrder() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(CollapseOptions.builder()
                .maxConcurrentBatches(1)
                .maxBatchSize(1)
                .build());
        CompletableFuture<Integer> hangs = new CompletableFuture<>();
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        assertTimeoutPreemptively(BOUND, () -> {
            for (int i = 0; i < 200_000; i++) {
                callers.add(executor.execute("group", () -> hangs));
            }
            for (int i = callers.size() - 1; i > 0; i--) {
                callers.get(i).cancel(false);
            }
        });
        hangs.complete(1);
        assertThat(callers.get(0)).isCompletedWithValue(1);
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void manyBatchesInFlightAreJoinedByInput() {
        CompletableFuture<List<Integer>> hangs = new CompletableFuture<>();
        FutureCollapseExecutor<Integer, Integer> executor = CollapseExecutors.futureInOrder(
                inputs -> hangs.thenApply(nothing -> inputs),
                CollapseOptions.builder()
                        .joinMode(JoinMode.IN_FLIGHT)
                        .maxWait(Duration.ofHours(1))
                        .maxWaitRatio(0)
                        .build());
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        assertTimeoutPreemptively(BOUND, () -> {
            for (int i = 0; i < 80_000; i++) {
                callers.add(executor.execute(i));
                callers.add(executor.execute(i));
            }
            hangs.complete(List.of());
        });
        for (int i = 0; i < callers.size(); i++) {
            assertThat(callers.get(i)).isCompletedWithValue(i / 2);
        }
    }
}
