package io.github.collapseexecutor.core;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What calls from inside a batch wait for: nothing that waits for them, neither a place nor the age of their batch. */
class NestedWaitTests {

    private static final CollapseOptions ONE_AT_A_TIME =
            CollapseOptions.builder().maxConcurrentBatches(1).build();

    private static final Executor THREADS = task -> new Thread(task).start();

    private final CompletableFuture<String> remote = new CompletableFuture<>();

    /** Future and async executors, each limit and join mode, by the thread and by the handle on others. */
    record SideBySide(boolean async, int limit, JoinMode mode, boolean byHandle) {

        static Stream<SideBySide> all() {
            return Stream.of(true, false)
                    .flatMap(async -> Stream.of(1, 2, 4)
                            .flatMap(limit -> Stream.of(JoinMode.values())
                                    .flatMap(mode -> Stream.of(true, false)
                                            .map(byHandle -> new SideBySide(async, limit, mode, byHandle)))));
        }

        private CollapseOptions options() {
            return CollapseOptions.builder()
                    .maxConcurrentBatches(limit)
                    .maxBatchSize(1)
                    .joinMode(mode)
                    .build();
        }

        /** An executor whose function calls it for three times the number and the two after, down to a depth of two. */
        FutureCollapseExecutor<Integer, Integer> executor() {
            AtomicReference<FutureCollapseExecutor<Integer, Integer>> self = new AtomicReference<>();
            BatchFunction<Integer, CompletableFuture<Integer>> answer = number -> {
                if (number > 100) {
                    return CompletableFuture.supplyAsync(() -> 1, THREADS);
                }
                BatchHandle batch = BatchHandle.current();
                List<CompletableFuture<Integer>> calls = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    int next = 10 * number + i;
                    calls.add(
                            byHandle
                                    ? completedFuture(next)
                                            .thenComposeAsync(
                                                    asked -> batch.nested(
                                                            () -> self.get().execute(asked)),
                                                    THREADS)
                                    : self.get().execute(next));
                }
                return calls.stream()
                        .reduce((a, b) -> a.thenCombine(b, Integer::sum))
                        .orElseThrow();
            };
            self.set(
                    async
                            ? CollapseExecutors.asyncByKey(
                                    numbers -> {
                                        int number = numbers.iterator().next();
                                        return Map.of(
                                                number, answer.apply(number).get());
                                    },
                                    MissingKeyPolicy.FAILURE,
                                    options())
                            : CollapseExecutors.futureByKey(
                                    numbers -> {
                                        int number = numbers.iterator().next();
                                        return answer.apply(number).thenApply(sum -> Map.of(number, sum));
                                    },
                                    MissingKeyPolicy.FAILURE,
                                    options()));
            return self.get();
        }
    }

    @ParameterizedTest
    @MethodSource("io.github.collapseexecutor.core.NestedWaitTests$SideBySide#all")
    void P08_callsThatABatchMakesSideBySideWaitForNoPlace(SideBySide setUp) throws Exception {
        FutureCollapseExecutor<Integer, Integer> executor = setUp.executor();
        List<CompletableFuture<Integer>> outer = new ArrayList<>();
        for (int i = 0; i < 2 * setUp.limit(); i++) {
            outer.add(executor.execute(i + 2));
        }
        for (CompletableFuture<Integer> each : outer) {
            assertThat(each.get(20, TimeUnit.SECONDS)).isPositive();
        }
        Eventually.until(() -> executor.counts().groups() == 0);
    }

    private static <T> BatchCall<CompletionStage<T>> stage(BatchCall<CompletionStage<T>> call) {
        return call;
    }

    /** The caller from outside is full, in front of the one from inside, and nothing else would let it go on. */
    @Test
    void P08_aCallFromOutsideInFrontOfANestedOneGetsThePlaceThatIsLent() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(
                ONE_AT_A_TIME.toBuilder().maxBatchSize(1).build());
        FutureCallableGroupCollapseExecutor other = new FutureCallableGroupCollapseExecutor();
        CompletableFuture<String> lending = executor.execute(
                "group",
                stage(batch -> batch.nested(() -> other.execute(
                        "",
                        stage(second -> remote.thenCompose(x ->
                                second.nested(() -> executor.execute("group", () -> completedFuture("nested")))))))));
        CompletableFuture<String> outside = executor.execute("group", () -> completedFuture("outside"));
        assertThat(outside).isNotDone();
        remote.complete("");
        assertThat(outside).isCompletedWithValue("outside");
        assertThat(lending).isCompletedWithValue("nested");
        assertThat(executor.engine().groupCount()).isZero();
    }

    /** The nested call waits first, for a place that is lent later. */
    @Test
    void P08_aNestedCallThatWaitsGetsThePlaceOfABatchThatBeginsToWait() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        FutureCallableGroupCollapseExecutor other = new FutureCallableGroupCollapseExecutor();
        CompletableFuture<String> rest = new CompletableFuture<>();
        CompletableFuture<String> lending = executor.execute(
                "group",
                stage(batch -> remote.thenCompose(x -> batch.nested(() -> other.execute("rest", () -> rest)))));
        CompletableFuture<String> waiting = other.execute(
                "other",
                stage(batch -> batch.nested(() -> executor.execute("group", () -> completedFuture("nested")))));
        assertThat(waiting).isNotDone();
        remote.complete("");
        assertThat(waiting).isCompletedWithValue("nested");
        rest.complete("rest");
        assertThat(lending).isCompletedWithValue("rest");
    }

    @Test
    void P16_aNestedCallerThatHasLeftLetsNobodyHaveThePlaceThatIsLent() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        FutureCallableGroupCollapseExecutor other = new FutureCallableGroupCollapseExecutor();
        CompletableFuture<String> inner = new CompletableFuture<>();
        CompletableFuture<String> first = executor.execute(
                "group",
                stage(batch -> remote.thenCompose(x -> batch.nested(() -> executor.execute("inner", () -> inner)))));
        AtomicReference<CompletableFuture<String>> leaving = new AtomicReference<>();
        CompletableFuture<String> left = other.execute("", stage(batch -> {
            leaving.set(batch.nested(() -> executor.execute("group", () -> completedFuture("not called"))));
            return leaving.get();
        }));
        CompletableFuture<String> outside = executor.execute("group", () -> completedFuture("outside"));
        leaving.get().cancel(true);
        remote.complete("");
        assertThat(left).isCompletedExceptionally();
        CompletableFuture<String> later = executor.execute("group", () -> completedFuture("later"));
        assertThat(outside).isNotDone();
        assertThat(later).isNotDone();
        inner.complete("inner");
        assertThat(first).isCompletedWithValue("inner");
        assertThat(outside).isCompletedWithValue("outside");
    }

    @ParameterizedTest
    @EnumSource
    void P04_aNestedCallDoesNotWaitBecauseOfTheAgeOfItsOwnBatch(Kind kind) throws Exception {
        ManualTime time = new ManualTime();
        CollapseOptions options = CollapseOptions.builder()
                .maxWaitRatio(0.9)
                .maxWait(Duration.ofSeconds(60))
                .build();
        AtomicReference<Kind.Subject> subject = new AtomicReference<>();
        List<String> nested = new ArrayList<>();
        Kind.Binding nesting = (outputs, bundles) -> {
            String input = bundles.get(0).getInput();
            if (!input.equals("innermost")) {
                time.advance(Duration.ofSeconds(10));
                nested.add(subject.get().callOnThisThread(input.equals("outer") ? "inner" : "innermost"));
            }
            bundles.forEach(bundle -> bundle.bindOutput("answer of " + bundle.getInput()));
        };
        subject.set(kind.subject(options, new Backend().answering(), nesting, time));
        assertThat(subject.get().submit("outer").output()).isEqualTo("answer of outer");
        assertThat(nested).containsExactly("answer of innermost", "answer of inner");
    }
}
