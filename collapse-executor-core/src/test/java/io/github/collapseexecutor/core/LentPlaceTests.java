package io.github.collapseexecutor.core;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A batch lends its place to nested calls of other batches for as long as it waits for nested calls itself, and no longer. */
class LentPlaceTests {

    private static final CollapseOptions ONE_AT_A_TIME =
            CollapseOptions.builder().maxConcurrentBatches(1).build();

    private final FutureCallableGroupCollapseExecutor other = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
    private final CompletableFuture<String> remote = new CompletableFuture<>();
    private final CompletableFuture<String> rest = new CompletableFuture<>();

    private static <T> BatchCall<CompletionStage<T>> stage(BatchCall<CompletionStage<T>> call) {
        return call;
    }

    /** A batch of another executor calls the group "group", and waits for it. */
    private CompletableFuture<String> nestedIn(FutureCallableGroupCollapseExecutor executor) {
        return other.execute(
                "other",
                stage(batch -> batch.nested(() -> executor.execute("group", () -> completedFuture("nested")))));
    }

    @Test
    void P08_aBatchWhoseNestedCallHasEndedLendsItsPlaceNoMore() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CompletableFuture<String> outer = executor.execute(
                "group",
                stage(batch -> remote.thenCompose(
                                x -> batch.nested(() -> executor.execute("inner", () -> completedFuture("inner"))))
                        .thenCompose(x -> rest)));
        remote.complete("");
        CompletableFuture<String> nested = nestedIn(executor);
        assertThat(nested).isNotDone();
        rest.complete("rest");
        assertThat(outer).isCompletedWithValue("rest");
        assertThat(nested).isCompletedWithValue("nested");
        assertThat(executor.engine().groupCount()).isZero();
    }

    /** It does not wait for the end of a batch that has started in its place; no further one starts beside the two. */
    @Test
    void P16_aBatchWhoseNestedCallHasEndedGoesOnBesideTheOneThatHasItsPlace() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CompletableFuture<String> goesOn = new CompletableFuture<>();
        CompletableFuture<String> inItsPlace = new CompletableFuture<>();
        AtomicInteger further = new AtomicInteger();
        CompletableFuture<String> outer = executor.execute(
                "group",
                stage(batch -> batch.nested(() -> executor.execute("inner", () -> remote))
                        .thenCompose(inner -> {
                            goesOn.complete(inner);
                            return rest;
                        })));
        CompletableFuture<String> nested =
                other.execute("other", stage(batch -> batch.nested(() -> executor.execute("group", () -> inItsPlace))));
        remote.complete("inner");
        assertThat(goesOn).isCompletedWithValue("inner");
        assertThat(nested).isNotDone();
        CompletableFuture<String> third =
                executor.execute("group", () -> completedFuture("further " + further.incrementAndGet()));
        inItsPlace.complete("nested");
        assertThat(nested).isCompletedWithValue("nested");
        assertThat(further).hasValue(0);
        rest.complete("rest");
        assertThat(outer).isCompletedWithValue("rest");
        assertThat(third).isCompletedWithValue("further 1");
    }

    /** The next leader goes on with the batch, as the first would have; a batch that is repeated does not start anew. */
    @Test
    void P16_aBatchThatItsNextLeaderRepeatsGoesOnBesideTheOneThatHasItsPlace() throws Exception {
        BlockingCallableGroupCollapseExecutor blocking = new BlockingCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        BlockingCallableGroupCollapseExecutor others = new BlockingCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CompletableFuture<String> before = new CompletableFuture<>();
        CompletableFuture<String> inItsPlace = new CompletableFuture<>();
        CompletableFuture<String> goesOn = new CompletableFuture<>();
        CountDownLatch holds = new CountDownLatch(1);
        CountDownLatch lends = new CountDownLatch(1);
        CountDownLatch runsInItsPlace = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger further = new AtomicInteger();
        Caller.Callee repeated = () -> blocking.execute("group", () -> {
            if (runs.incrementAndGet() == 1) {
                return others.execute("inner", () -> {
                    lends.countDown();
                    return remote.get();
                });
            }
            goesOn.complete("repeated");
            return rest.get();
        });
        Caller holder = new Caller.OnThread(
                "holder",
                () -> blocking.execute("group", () -> {
                    holds.countDown();
                    return before.get();
                }));
        holds.await();
        Caller leader = new Caller.OnThread("leader", repeated).awaitJoined();
        Caller heir = new Caller.OnThread("heir", repeated).awaitJoined();
        before.complete("before");
        assertThat(holder.output()).isEqualTo("before");
        lends.await();
        Caller nested = new Caller.OnThread(
                "nested",
                () -> others.execute(
                        "other",
                        () -> blocking.execute("group", () -> {
                            runsInItsPlace.countDown();
                            return inItsPlace.get();
                        })));
        runsInItsPlace.await();
        leader.leave();
        assertThat(leader.failure()).isInstanceOf(InterruptedException.class);
        assertThat(goesOn.get()).isEqualTo("repeated");
        Caller third = new Caller.OnThread(
                        "third", () -> blocking.execute("group", () -> "further " + further.incrementAndGet()))
                .awaitJoined();
        inItsPlace.complete("nested");
        assertThat(nested.output()).isEqualTo("nested");
        assertThat(further).hasValue(0);
        rest.complete("rest");
        assertThat(heir.output()).isEqualTo("rest");
        assertThat(third.output()).isEqualTo("further 1");
        assertThat(runs).hasValue(2);
    }

    /** A batch of a blocking executor waits for its nested call on its thread, and then goes on. */
    @Test
    void P08_aBatchOfAThreadWhoseNestedCallHasEndedLendsItsPlaceNoMore() throws Exception {
        BlockingCallableGroupCollapseExecutor blocking = new BlockingCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        BlockingCallableGroupCollapseExecutor others = new BlockingCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CompletableFuture<String> goesOn = new CompletableFuture<>();
        Caller outer = new Caller.OnThread(
                "outer",
                () -> blocking.execute("group", () -> {
                    goesOn.complete(blocking.execute("inner", () -> "inner"));
                    return rest.get();
                }));
        assertThat(goesOn.get()).isEqualTo("inner");
        Caller nested = new Caller.OnThread(
                "nested", () -> others.execute("other", () -> blocking.execute("group", () -> "nested")));
        nested.awaitJoined();
        assertThat(nested.end()).isNotDone();
        rest.complete("rest");
        assertThat(outer.output()).isEqualTo("rest");
        assertThat(nested.output()).isEqualTo("nested");
    }

    @Test
    void P08_aBatchThatHasEndedLendsNothingToCallsByItsHandle() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(CollapseOptions.builder()
                .maxConcurrentBatches(2)
                .maxWaitRatio(0)
                .build());
        AtomicReference<BatchHandle> kept = new AtomicReference<>();
        CompletableFuture<String> first = executor.execute("group", () -> remote);
        CompletableFuture<String> ended = executor.execute("group", stage(batch -> {
            kept.set(batch);
            return completedFuture("ended");
        }));
        assertThat(ended).isCompletedWithValue("ended");
        assertThat(kept.get().nested(() -> executor.execute("group", () -> completedFuture("late"))))
                .isCompletedWithValue("late");
        CompletableFuture<String> second = executor.execute("group", () -> rest);
        CompletableFuture<String> nested = nestedIn(executor);
        assertThat(nested).isNotDone();
        rest.complete("rest");
        assertThat(second).isCompletedWithValue("rest");
        assertThat(nested).isCompletedWithValue("nested");
        remote.complete("remote");
        assertThat(first).isCompletedWithValue("remote");
    }

    /** Only the call by the handle is one that the batch waits for. */
    @Test
    void P08_aBatchThatHasCalledByItsHandleAndThenHandsItsWorkOnLendsNothing() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        FutureCallableGroupCollapseExecutor sink = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CompletableFuture<String> outer = executor.execute("group", stage(batch -> {
            assertThat(batch.<String, RuntimeException>nested(() -> "called")).isEqualTo("called");
            CompletableFuture<String> unused = sink.execute("sink", () -> remote);
            return rest;
        }));
        CompletableFuture<String> nested = nestedIn(executor);
        assertThat(nested).isNotDone();
        rest.complete("rest");
        assertThat(outer).isCompletedWithValue("rest");
        assertThat(nested).isCompletedWithValue("nested");
        remote.complete("remote");
        assertThat(sink.engine().groupCount()).isZero();
    }

    /** A nested call must not wait for a batch that waits for a thread: so that batch waits for the nested call. */
    @Test
    void P16_aBatchWhosePlaceANestedCallHasTakenWhileItWaitedForAThreadWaitsForIt() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        CountDownLatch freed = new CountDownLatch(1);
        CountDownLatch dispatched = new CountDownLatch(1);
        CountDownLatch nestedRuns = new CountDownLatch(1);
        CountDownLatch nestedReleased = new CountDownLatch(1);
        CountDownLatch secondRuns = new CountDownLatch(1);
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try {
            AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(ONE_AT_A_TIME);
            executor.setExecutor(pool);
            Future<Boolean> holder = pool.submit(() -> freed.await(10, TimeUnit.SECONDS));
            CompletableFuture<String> outer = executor.execute("outer", () -> {
                dispatched.await();
                return executor.execute("group", () -> {
                            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                            nestedRuns.countDown();
                            nestedReleased.await();
                            inFlight.decrementAndGet();
                            return "nested";
                        })
                        .get();
            });
            CompletableFuture<String> behind = executor.execute("group", () -> {
                most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                inFlight.decrementAndGet();
                return "behind";
            });
            dispatched.countDown();
            nestedRuns.await();
            freed.countDown();
            assertThat(holder.get(10, TimeUnit.SECONDS)).isTrue();
            pool.submit(() -> {}).get(10, TimeUnit.SECONDS); // the thread has come to the batch before
            assertThat(behind).isNotDone();
            CompletableFuture<String> second = executor.execute("second", () -> {
                secondRuns.countDown();
                return executor.execute("group", () -> "second").get();
            });
            assertThat(secondRuns.await(10, TimeUnit.SECONDS)).isTrue(); // so that its own batch gathers no more
            Eventually.until(() -> executor.counts().gathering() == 2); // it waits with the batch that was held back
            nestedReleased.countDown();
            assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("behind");
            assertThat(outer.get(10, TimeUnit.SECONDS)).isEqualTo("nested");
            assertThat(behind.get(10, TimeUnit.SECONDS)).isEqualTo("behind");
            assertThat(most).hasValue(1);
            Eventually.until(() -> executor.engine().groupCount() == 0);
        } finally {
            nestedReleased.countDown();
            pool.shutdownNow();
        }
    }
}
