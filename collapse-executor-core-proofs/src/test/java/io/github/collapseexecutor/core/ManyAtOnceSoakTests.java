package io.github.collapseexecutor.core;

import static java.util.concurrent.TimeUnit.SECONDS;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads submit many inputs together and single ones, of a few groups, with any limits, from outside and from inside batches, and some leave:
 * every input has an outcome, its own, and nothing remains. {@code soak.seconds} says for how long, {@code soak.seed} which.
 */
class ManyAtOnceSoakTests {

    private static final Duration LOAD = Duration.ofSeconds(Long.getLong("soak.seconds", 3));
    private static final Duration ROUND = Duration.ofMillis(250);
    private static final int CALLERS = 8;

    /** Calls many inputs from a thread: gives the outcome of each. */
    private interface Calls {
        List<InputOutcome<String>> each(List<String> inputs, CallOptions options) throws Exception;

        default List<InputOutcome<String>> each(List<String> inputs) throws Exception {
            return each(inputs, CallOptions.defaults());
        }
    }

    @ParameterizedTest
    @EnumSource
    void P01_everyInputOfManyHasItsOwnOutcome(Kind kind, TestReporter reporter) throws Exception {
        Long given = Long.getLong("soak.seed");
        long seed = given == null ? ThreadLocalRandom.current().nextLong() : given;
        AtomicLong inputs = new AtomicLong();
        long rounds = Math.max(1, LOAD.toMillis() / ROUND.toMillis() / Kind.values().length);
        for (long round = 0; round < rounds; round++) {
            run(kind, seed + round, inputs);
        }
        reporter.publishEntry("many at once", kind + ", seed " + seed + ", inputs " + inputs);
    }

    private static void run(Kind kind, long seed, AtomicLong inputs) throws Exception {
        Random random = new Random(seed);
        CollapseOptions.Builder options = CollapseOptions.builder()
                .joinMode(random.nextBoolean() ? JoinMode.FRESH : JoinMode.IN_FLIGHT)
                .maxWaitRatio(random.nextInt(5) / 10.0)
                .maxPending(1_000_000);
        if (random.nextBoolean()) {
            options.maxConcurrentBatches(1 + random.nextInt(2));
        }
        if (random.nextBoolean()) {
            options.maxBatchSize(1 + random.nextInt(5));
        }
        String described = kind + ", seed " + seed + ", " + options.build();
        InputOptions<String> grouped = options.build().groupBy(Kind.Subject::group);
        Calls calls;
        CollapseExecutor executor;
        if (kind == Kind.BLOCKING) {
            AtomicReference<Calls> nested = new AtomicReference<>();
            BlockingCollapseExecutor<String, String> blocking =
                    CollapseExecutors.blockingInOrder(batch -> answers(batch, nested.get()), grouped);
            calls = blocking::executeEach;
            nested.set(calls);
            executor = blocking;
        } else {
            AtomicReference<FutureCollapseExecutor<String, String>> nested = new AtomicReference<>();
            FutureCollapseExecutor<String, String> future = kind == Kind.ASYNC
                    ? CollapseExecutors.asyncInOrder(
                            batch -> answers(
                                    batch, (each, own) -> outcomes(nested.get().executeEach(each, own))),
                            grouped)
                    : CollapseExecutors.futureInOrder(batch -> stage(batch, nested.get()), grouped);
            nested.set(future);
            calls = (batch, own) -> outcomes(future.executeEach(batch, own));
            executor = future;
        }
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        long end = System.nanoTime() + ROUND.toNanos();
        for (int caller = 0; caller < CALLERS; caller++) {
            Random own = new Random(seed * 31 + caller);
            CompletableFuture<Void> ended = new CompletableFuture<>();
            Thread thread = new Thread(
                    () -> {
                        try {
                            while (System.nanoTime() < end) {
                                inputs.addAndGet(call(calls, own));
                            }
                            ended.complete(null);
                        } catch (Throwable failure) {
                            ended.completeExceptionally(failure);
                        }
                    },
                    "caller");
            thread.setDaemon(true);
            thread.start();
            ends.add(ended);
        }
        for (CompletableFuture<Void> ended : ends) {
            try {
                ended.get(30, SECONDS);
            } catch (TimeoutException e) {
                fail("A caller of many has no answer after 30 s: " + described + ", " + executor.counts(), e);
            } catch (ExecutionException e) {
                fail(described, e.getCause());
            }
        }
        assertThat(executor.close(Duration.ofSeconds(20)))
                .as("%s, %s", described, executor.counts())
                .isTrue();
    }

    /** Makes a call, and looks at what came of it; returns how many inputs it had. */
    private static int call(Calls calls, Random random) throws Exception {
        List<String> batch = inputs(random, 1 + random.nextInt(random.nextBoolean() ? 3 : 12), true);
        CallOptions options = CallOptions.defaults();
        if (random.nextInt(4) == 0) {
            options = options.timeout(Duration.ofNanos(1 + random.nextInt(1_000_000)));
        }
        boolean interrupted = random.nextInt(8) == 0;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            check(batch, calls.each(batch, options));
        } catch (InterruptedException left) {
            assertThat(interrupted).isTrue();
        } finally {
            boolean unused = Thread.interrupted();
        }
        return batch.size();
    }

    private static void check(List<String> batch, List<InputOutcome<String>> outcomes) throws Exception {
        assertThat(outcomes).hasSameSizeAs(batch);
        for (int i = 0; i < batch.size(); i++) {
            Throwable failure = outcomes.get(i).failure();
            if (failure == null) {
                assertThat(outcomes.get(i).output()).isEqualTo(Backend.answer(batch.get(i)));
            } else if (!(failure instanceof CallerTimeoutException
                    || failure instanceof CancellationException
                    || failure instanceof InterruptedException)) {
                throw new AssertionError("of " + batch.get(i), failure);
            }
        }
    }

    /** Inputs of three groups; some make calls of their own, which make none. */
    private static List<String> inputs(Random random, int count, boolean outer) {
        List<String> inputs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean nests = outer && random.nextInt(10) == 0;
            inputs.add("group " + random.nextInt(3) + "/" + (nests ? "nests " : "") + random.nextInt(10));
        }
        return inputs;
    }

    private static List<String> answers(List<String> batch, Calls calls) throws Exception {
        Random random = ThreadLocalRandom.current();
        if (random.nextInt(3) == 0) {
            LockSupport.parkNanos(random.nextInt(300_000));
        }
        if (calls != null && batch.stream().anyMatch(input -> input.contains("nests"))) {
            List<String> nested = inputs(random, 1 + random.nextInt(4), false);
            check(nested, calls.each(nested));
        }
        return batch.stream().map(Backend::answer).collect(toList());
    }

    /** Does the same without blocking. */
    private static CompletionStage<List<String>> stage(
            List<String> batch, FutureCollapseExecutor<String, String> executor) throws Exception {
        if (executor == null || batch.stream().noneMatch(input -> input.contains("nests"))) {
            return CompletableFuture.completedFuture(answers(batch, null));
        }
        Random random = ThreadLocalRandom.current();
        return executor.executeAll(inputs(random, 1 + random.nextInt(4), false))
                .thenApply(unused -> batch.stream().map(Backend::answer).collect(toList()));
    }

    private static List<InputOutcome<String>> outcomes(Collection<CompletableFuture<String>> futures)
            throws InterruptedException {
        Map<CompletableFuture<String>, InputOutcome<String>> outcomes = new LinkedHashMap<>();
        for (CompletableFuture<String> future : futures) {
            try {
                outcomes.put(future, InputOutcome.of(future.get()));
            } catch (ExecutionException e) {
                outcomes.put(future, InputOutcome.failed(e.getCause()));
            } catch (CancellationException e) {
                outcomes.put(future, InputOutcome.failed(e));
            }
        }
        return new ArrayList<>(outcomes.values());
    }
}
