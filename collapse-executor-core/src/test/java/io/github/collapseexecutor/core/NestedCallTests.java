package io.github.collapseexecutor.core;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Kind.Binding;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that batch functions make to executors that collapse, from their own threads and from others. */
class NestedCallTests {

    private static final CollapseOptions ONE_AT_A_TIME =
            CollapseOptions.builder().maxConcurrentBatches(1).build();
    private static final CollapseOptions IN_FLIGHT =
            CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build();

    private final FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
    private final CompletableFuture<String> remote = new CompletableFuture<>();

    private static <T> BatchCall<CompletionStage<T>> stage(BatchCall<CompletionStage<T>> call) {
        return call;
    }

    private static boolean waits(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
    }

    @ParameterizedTest
    @EnumSource
    void P08_callsFromBatchesOfOtherGroupsKeepTheLimit(Kind kind) throws Exception {
        AtomicReference<Subject> subject = new AtomicReference<>();
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        List<Thread> outer = new CopyOnWriteArrayList<>();
        Binding nesting = (outputs, bundles) -> {
            boolean inner = bundles.get(0).getInput().startsWith("inner/");
            if (inner) {
                most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                release.await();
                inFlight.decrementAndGet();
            } else {
                outer.add(Thread.currentThread());
            }
            for (Bundle<String, String> bundle : bundles) {
                bundle.bindOutput(
                        inner ? bundle.getInput() : subject.get().callOnThisThread("inner/" + bundle.getInput()));
            }
        };
        subject.set(kind.subject(ONE_AT_A_TIME, new Backend().answering(), nesting, SystemScheduler.INSTANCE));
        List<Caller> callers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            String input = i + "/outer";
            callers.add(
                    new Caller.OnThread(input, () -> subject.get().submit(input).output()));
        }
        Eventually.until(() -> outer.size() == 16 && outer.stream().allMatch(NestedCallTests::waits));
        assertThat(most).hasValue(1);
        release.countDown();
        for (int i = 0; i < 16; i++) {
            assertThat(callers.get(i).output()).isEqualTo("inner/" + i + "/outer");
        }
        assertThat(most).hasValue(1);
        Eventually.until(() -> subject.get().engine().groupCount() == 0);
    }

    /** The second nested call comes when the first one has its place and has not started yet. */
    @Test
    void P08_nestedCallsOfTwoBatchesAtATimeKeepTheLimit() throws Exception {
        AtomicReference<Subject> subject = new AtomicReference<>();
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        CompletableFuture<Thread> first = new CompletableFuture<>();
        CompletableFuture<Thread> second = new CompletableFuture<>();
        CountDownLatch firstHasItsPlace = new CountDownLatch(1);
        Binding nesting = (outputs, bundles) -> {
            String input = bundles.get(0).getInput();
            if (input.startsWith("inner/")) {
                most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                release.await();
                inFlight.decrementAndGet();
                bundles.forEach(bundle -> bundle.bindOutput(bundle.getInput()));
                return;
            }
            if (input.startsWith("first/")) {
                first.complete(Thread.currentThread());
            } else {
                firstHasItsPlace.await();
                second.complete(Thread.currentThread());
            }
            bundles.get(0).bindOutput(subject.get().callOnThisThread("inner/" + input));
        };
        EngineScheduler holding = new EngineScheduler() {
            @Override
            public long nanoTime() {
                return SystemScheduler.INSTANCE.nanoTime();
            }

            @Override
            public void park(Object blocker, long nanos) {
                SystemScheduler.INSTANCE.park(blocker, nanos);
            }

            @Override
            public void yieldProcessor() {
                SystemScheduler.INSTANCE.yieldProcessor();
            }

            /** Called with the timeout of a call that has been submitted. */
            @Override
            public Future<?> schedule(Runnable task, long nanos) {
                if (Thread.currentThread() == first.getNow(null)) {
                    firstHasItsPlace.countDown();
                    Eventually.until(() -> waits(second.join()));
                }
                return SystemScheduler.INSTANCE.schedule(task, nanos);
            }
        };
        CollapseOptions timed =
                ONE_AT_A_TIME.toBuilder().callTimeout(Duration.ofMinutes(1)).build();
        subject.set(Kind.ASYNC.subject(timed, new Backend().answering(), nesting, holding));
        Caller one = subject.get().submit("first/outer");
        Caller two = subject.get().submit("second/outer");
        Eventually.until(() -> inFlight.get() > 0 && waits(first.join()) && waits(second.join()));
        release.countDown();
        assertThat(one.output()).isEqualTo("inner/first/outer");
        assertThat(two.output()).isEqualTo("inner/second/outer");
        assertThat(most).hasValue(1);
    }

    @Test
    void P08_aStageOfABatchCallsItsOwnGroupByTheHandle() {
        CompletableFuture<String> outer = executor.execute(
                "group",
                stage(batch -> remote.thenCompose(x ->
                        batch.nested(() -> executor.execute("group", () -> completedFuture(x + " inner"))))));
        CompletableFuture<String> behind = executor.execute("group", () -> completedFuture("behind"));
        remote.complete("outer");
        assertThat(outer).isCompletedWithValue("outer inner");
        assertThat(behind).isCompletedWithValue("behind");
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void P08_stagesOfTwoGroupsCallEachOthersGroupByTheirHandles() {
        List<CompletableFuture<String>> outer = new ArrayList<>();
        for (String group : List.of("x", "y")) {
            String other = group.equals("x") ? "y" : "x";
            outer.add(executor.execute(
                    group,
                    stage(batch -> remote.thenCompose(
                            nothing -> batch.nested(() -> executor.execute(other, () -> completedFuture(other)))))));
        }
        remote.complete("");
        assertThat(outer.get(0)).isCompletedWithValue("y");
        assertThat(outer.get(1)).isCompletedWithValue("x");
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void P08_stagesOfTwoExecutorsCallEachOtherByTheirHandles() {
        FutureCallableGroupCollapseExecutor other = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CompletableFuture<String> here = executor.execute(
                "group",
                stage(batch -> remote.thenCompose(
                        x -> batch.nested(() -> other.execute("group", () -> completedFuture("from there"))))));
        CompletableFuture<String> there = other.execute(
                "group",
                stage(batch -> remote.thenCompose(
                        x -> batch.nested(() -> executor.execute("group", () -> completedFuture("from here"))))));
        remote.complete("");
        assertThat(here).isCompletedWithValue("from there");
        assertThat(there).isCompletedWithValue("from here");
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void P08_aParallelStreamCallsByTheHandle() throws Exception {
        AtomicReference<BlockingCollapseExecutor<Integer, Integer>> sums = new AtomicReference<>();
        sums.set(CollapseExecutors.blockingByKey(
                keys -> {
                    BatchHandle batch = BatchHandle.current();
                    Map<Integer, Integer> outputs = new java.util.HashMap<>();
                    for (int key : keys) {
                        int below = key == 0
                                ? 0
                                : IntStream.range(0, 8)
                                        .parallel()
                                        .map(i -> batch.nested(
                                                () -> unchecked(() -> sums.get().execute(key - 1))))
                                        .sum();
                        outputs.put(key, 1 + below);
                    }
                    return outputs;
                },
                MissingKeyPolicy.FAILURE,
                ONE_AT_A_TIME));
        Caller caller = new Caller.OnThread("caller", () -> "" + sums.get().execute(2));
        assertThat(caller.output()).isEqualTo("" + (1 + 8 * (1 + 8)));
    }

    private static <R> R unchecked(NestedCall<R, Exception> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void P08_batchesOfTwoExecutorsCallEachOther() throws Exception {
        BlockingCallableGroupCollapseExecutor a = new BlockingCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        BlockingCallableGroupCollapseExecutor b = new BlockingCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CountDownLatch bothInside = new CountDownLatch(2);
        Caller inA = new Caller.OnThread(
                "in a",
                () -> a.execute("group", () -> {
                    bothInside.countDown();
                    bothInside.await();
                    return "a and " + b.execute("group", () -> "b");
                }));
        Caller inB = new Caller.OnThread(
                "in b",
                () -> b.execute("group", () -> {
                    bothInside.countDown();
                    bothInside.await();
                    return "b and " + a.execute("group", () -> "a");
                }));
        assertThat(inA.output()).isEqualTo("a and b");
        assertThat(inB.output()).isEqualTo("b and a");
        assertThat(a.engine().groupCount() + b.engine().groupCount()).isZero();
    }

    @Test
    void P08_batchesThatHandTheirWorkOnToAnotherExecutorKeepItsOrderAndItsLimit() throws Exception {
        int records = 2_000;
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            List<Integer> written = new CopyOnWriteArrayList<>();
            AtomicInteger inFlight = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            // Each stage has one batch in flight, so that it needs no lock, and hands on in order.
            FutureCollapseExecutor<Integer, Integer> last = CollapseExecutors.asyncInOrder(
                    inputs -> {
                        most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                        written.addAll(inputs);
                        inFlight.decrementAndGet();
                        return inputs;
                    },
                    ONE_AT_A_TIME,
                    pool);
            FutureCollapseExecutor<Integer, Integer> middle = handingOn(last, pool);
            FutureCollapseExecutor<Integer, Integer> first = handingOn(middle, pool);
            List<Integer> submitted = IntStream.range(0, records).boxed().collect(toList());
            for (CompletableFuture<Integer> done :
                    submitted.stream().map(first::execute).collect(toList())) {
                assertThat(done.get(20, TimeUnit.SECONDS)).isNotNegative();
            }
            Eventually.until(() -> written.size() == records);
            assertThat(written).isEqualTo(submitted);
            assertThat(most).hasValue(1);
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void P08_aBatchThatHasHandedItsWorkOnKeepsItsPlace() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            FutureCallableGroupCollapseExecutor sink = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
            AtomicInteger inFlight = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            CountDownLatch handedOn = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            FutureCollapseExecutor<Integer, Integer> last = CollapseExecutors.asyncInOrder(
                    inputs -> {
                        most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                        CompletableFuture<String> unused = sink.execute("sink", () -> remote);
                        handedOn.countDown();
                        release.await();
                        inFlight.decrementAndGet();
                        return inputs;
                    },
                    ONE_AT_A_TIME,
                    pool);
            FutureCollapseExecutor<Integer, Integer> first = handingOn(last, pool);
            CompletableFuture<Integer> outside = last.execute(-1);
            handedOn.await();
            for (int i = 0; i < 1_000; i++) {
                assertThat(first.execute(i).get(20, TimeUnit.SECONDS)).isEqualTo(i);
            }
            assertThat(most).hasValue(1);
            release.countDown();
            assertThat(outside.get(20, TimeUnit.SECONDS)).isEqualTo(-1);
            assertThat(last.execute(-2).get(20, TimeUnit.SECONDS)).isEqualTo(-2);
            assertThat(most).hasValue(1);
        } finally {
            remote.complete("");
            pool.shutdownNow();
        }
    }

    private static FutureCollapseExecutor<Integer, Integer> handingOn(
            FutureCollapseExecutor<Integer, Integer> next, ExecutorService pool) {
        return CollapseExecutors.asyncInOrder(
                inputs -> {
                    for (int input : inputs) {
                        CompletableFuture<Integer> unused = next.execute(input);
                    }
                    return inputs;
                },
                ONE_AT_A_TIME,
                pool);
    }

    @Test
    void P08_aBatchInFlightThatNeedsItsOwnInputDoesNotWaitForItself() {
        AtomicReference<FutureCollapseExecutor<String, String>> nodes = new AtomicReference<>();
        AtomicInteger calls = new AtomicInteger();
        nodes.set(CollapseExecutors.futureByKey(
                keys -> {
                    BatchHandle batch = BatchHandle.current();
                    boolean inner = calls.incrementAndGet() > 1;
                    CompletionStage<String> parent = inner
                            ? completedFuture("root")
                            : remote.thenCompose(
                                    x -> batch.nested(() -> nodes.get().execute("node")));
                    return parent.thenApply(value -> keys.stream().collect(toMap(key -> key, key -> "below " + value)));
                },
                MissingKeyPolicy.FAILURE,
                IN_FLIGHT));
        CompletableFuture<String> outer = nodes.get().execute("node");
        CompletableFuture<String> shares = nodes.get().execute("node");
        remote.complete("");
        assertThat(outer).isCompletedWithValue("below below root");
        assertThat(shares).isCompletedWithValue("below below root");
        assertThat(calls).hasValue(2);
    }

    @Test
    void aNestedCallStillJoinsACallInFlightThatWaitsForNobody() {
        FutureCallableGroupCollapseExecutor shared = new FutureCallableGroupCollapseExecutor(IN_FLIGHT);
        CompletableFuture<String> slow = new CompletableFuture<>();
        CompletableFuture<String> first = shared.execute("slow", () -> slow);
        CompletableFuture<String> outer = shared.execute(
                "outer",
                stage(batch -> remote.thenCompose(x -> batch.nested(() -> shared.execute("slow", () -> {
                    throw new AssertionError("called again");
                })))));
        remote.complete("");
        slow.complete("slow");
        assertThat(first).isCompletedWithValue("slow");
        assertThat(outer).isCompletedWithValue("slow");
    }

    @Test
    void P08_aNestedCallThatWaitsForAPlaceNeedsNoThreadOfAFullPool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        try {
            AsyncCallableGroupCollapseExecutor async = new AsyncCallableGroupCollapseExecutor(ONE_AT_A_TIME);
            async.setExecutor(pool);
            CountDownLatch inY = new CountDownLatch(1);
            CountDownLatch releaseY = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(1);
            AtomicReference<Thread> nesting = new AtomicReference<>();
            CompletableFuture<String> y = async.execute("y", () -> {
                inY.countDown();
                releaseY.await();
                return "y";
            });
            inY.await();
            CompletableFuture<String> x = async.execute("x", () -> {
                nesting.set(Thread.currentThread());
                return "x and " + async.execute("y", () -> "nested").get();
            });
            Eventually.until(() -> nesting.get() != null && waits(nesting.get()));
            // Takes the thread that the other batch gives back, and waits for the nested call as well.
            CompletableFuture<String> behind = async.execute("behind", () -> {
                done.await();
                return "behind";
            });
            releaseY.countDown();
            assertThat(x.get(10, TimeUnit.SECONDS)).isEqualTo("x and nested");
            done.countDown();
            assertThat(y.get(10, TimeUnit.SECONDS)).isEqualTo("y");
            assertThat(behind.get(10, TimeUnit.SECONDS)).isEqualTo("behind");
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aHandleThatIsKeptTooLongIsLikeNone() {
        AtomicReference<BatchHandle> kept = new AtomicReference<>();
        CompletableFuture<String> ended = executor.execute("group", stage(batch -> {
            kept.set(batch);
            return completedFuture("ended");
        }));
        assertThat(ended).isCompletedWithValue("ended");
        CompletableFuture<String> holder = executor.execute("group", () -> remote);
        CompletableFuture<String> waits =
                kept.get().nested(() -> executor.execute("group", () -> completedFuture("in turn")));
        assertThat(waits).isNotDone();
        remote.complete("holder");
        assertThat(holder).isCompletedWithValue("holder");
        assertThat(waits).isCompletedWithValue("in turn");
    }

    @Test
    void theCurrentHandleOutsideOfABatchOnlyMakesTheCalls() throws Exception {
        assertThat(BatchHandle.current().isLone()).isFalse();
        assertThat(BatchHandle.current().nested(() -> "called")).isEqualTo("called");
        List<Boolean> lone = new ArrayList<>();
        BlockingCollapseExecutor<String, String> blocking = CollapseExecutors.blockingInOrder(
                inputs -> {
                    lone.add(BatchHandle.current().isLone());
                    return inputs.stream().collect(toList());
                },
                ONE_AT_A_TIME);
        assertThat(blocking.execute("a")).isEqualTo("a");
        assertThat(lone).containsExactly(true);
    }
}
