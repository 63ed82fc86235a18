package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many threads, random groups, sizes, limits, failures, interrupts, cancellations and time-outs: every call ends once and
 * with what is its own, and nothing remains. The seed of a run that fails is in its message.
 */
class RandomRunTests {

    private static final int THREADS = 24;
    private static final int CALLS_PER_THREAD = 1_500;
    private static final int RUNS_PER_KIND = 3;

    static List<Arguments> runs() {
        List<Arguments> runs = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (int i = 0; i < RUNS_PER_KIND; i++) {
                runs.add(Arguments.of(kind, ThreadLocalRandom.current().nextLong()));
            }
        }
        return runs;
    }

    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Broken() {
            super("broken on purpose", null, false, false);
        }
    }

    /** How many calls ended in which way. */
    private static final class Tally {

        final AtomicLong outputs = new AtomicLong();
        final AtomicLong failures = new AtomicLong();
        final AtomicLong unbound = new AtomicLong();
        final AtomicLong left = new AtomicLong();
        final AtomicLong refused = new AtomicLong();

        long total() {
            return outputs.get() + failures.get() + unbound.get() + left.get() + refused.get();
        }
    }

    private static CollapseOptions options(Random random) {
        CollapseOptions.Builder options = CollapseOptions.builder();
        if (random.nextBoolean()) {
            options.maxBatchSize(1 + random.nextInt(8));
        }
        if (random.nextBoolean()) {
            options.maxConcurrentBatches(1 + random.nextInt(3));
        }
        if (random.nextBoolean()) {
            options.maxPending(10 + random.nextInt(10));
        }
        if (random.nextBoolean()) {
            options.callTimeout(Duration.ofNanos(1 + random.nextInt(3_000_000)));
        }
        if (random.nextInt(3) == 0) {
            options.collectingWaitTime(Duration.ofNanos(random.nextInt(300_000)))
                    .waitThreshold(random.nextInt(6));
        }
        options.joinMode(random.nextBoolean() ? JoinMode.FRESH : JoinMode.IN_FLIGHT);
        options.maxWaitRatio(random.nextInt(10) / 10.0);
        return options.build();
    }

    /** Answers half of the time at once, else after a while; sometimes fails, forgets an input, or binds a failure. */
    private static Map<Long, String> work(Collection<Input<Long>> inputs) throws InterruptedException {
        Random random = ThreadLocalRandom.current();
        if (random.nextInt(4) == 0) {
            TimeUnit.NANOSECONDS.sleep(random.nextInt(200_000));
        }
        if (random.nextInt(20) == 0) {
            throw new Broken();
        }
        Map<Long, String> outputs = new HashMap<>();
        for (Input<Long> input : inputs) {
            if (random.nextInt(40) != 0) {
                outputs.put(input.value(), "answer to " + input.value());
            }
        }
        return outputs;
    }

    private interface Subject {

        /** One call; {@code leave} says whether the caller, if it can, leaves while it waits. */
        String call(long input, boolean leave) throws Exception;

        CollapseEngine<?, ?> engine();
    }

    private static Object group(long input) {
        return input % 3;
    }

    private static <T> void bind(
            Map<Long, String> outputs, List<Bundle<Long, T>> bundles, java.util.function.Function<String, T> as) {
        for (Bundle<Long, T> bundle : bundles) {
            String output = outputs.get(bundle.getInput());
            if (output != null) {
                bundle.bindOutput(as.apply(output));
            }
        }
    }

    private static Subject blocking(CollapseOptions options, ScheduledExecutorService interrupter) {
        CollapseExecutorBlockingSupport<Long, String, Map<Long, String>> executor =
                new CollapseExecutorBlockingSupport<>(options) {
                    @Override
                    protected Map<Long, String> doExecute(Collection<Input<Long>> inputs) throws Exception {
                        return work(inputs);
                    }

                    @Override
                    protected void bindingOutput(Map<Long, String> outputs, List<Bundle<Long, String>> bundles) {
                        bind(outputs, bundles, output -> output);
                    }

                    @Override
                    protected Object groupOf(Long input) {
                        return group(input);
                    }
                };
        return new Subject() {
            @Override
            public String call(long input, boolean leave) throws Exception {
                if (!leave) {
                    return executor.execute(input);
                }
                Thread thread = Thread.currentThread();
                Future<?> interruption = interrupter.schedule(
                        thread::interrupt, ThreadLocalRandom.current().nextInt(200), TimeUnit.MICROSECONDS);
                try {
                    return executor.execute(input);
                } finally {
                    if (!interruption.cancel(false)) {
                        // It is under way: wait for it, so that it hits this call and not the next.
                        while (!interruption.isDone()) {
                            Thread.onSpinWait();
                        }
                    }
                    Thread.interrupted();
                }
            }

            @Override
            public CollapseEngine<?, ?> engine() {
                return executor.engine();
            }
        };
    }

    private static String await(CompletableFuture<String> future, boolean leave) throws Exception {
        if (leave) {
            future.cancel(true);
        }
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw Failures.rethrow(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a caller still waits after 20 s", e);
        }
    }

    private static Subject async(CollapseOptions options) {
        CollapseExecutorAsyncSupport<Long, String, Map<Long, String>> executor =
                new CollapseExecutorAsyncSupport<>(options) {
                    @Override
                    protected Map<Long, String> doExecute(Collection<Input<Long>> inputs) throws Exception {
                        return work(inputs);
                    }

                    @Override
                    protected void bindingOutput(
                            Map<Long, String> outputs, List<Bundle<Long, CompletableFuture<String>>> bundles) {
                        bind(outputs, bundles, CompletableFuture::completedFuture);
                    }

                    @Override
                    protected Object groupOf(Long input) {
                        return group(input);
                    }
                };
        return subject(executor, executor.engine());
    }

    private static Subject future(CollapseOptions options, ExecutorService workers) {
        CollapseExecutorFutureSupport<Long, String, Map<Long, String>> executor =
                new CollapseExecutorFutureSupport<>(options) {
                    @Override
                    protected CompletionStage<Map<Long, String>> doExecute(Collection<Input<Long>> inputs)
                            throws Exception {
                        if (ThreadLocalRandom.current().nextBoolean()) {
                            return CompletableFuture.completedFuture(work(inputs));
                        }
                        CompletableFuture<Map<Long, String>> later = new CompletableFuture<>();
                        workers.execute(() -> {
                            try {
                                later.complete(work(inputs));
                            } catch (Exception e) {
                                later.completeExceptionally(e);
                            }
                        });
                        return later;
                    }

                    @Override
                    protected void bindingOutput(
                            Map<Long, String> outputs, List<Bundle<Long, CompletableFuture<String>>> bundles) {
                        bind(outputs, bundles, CompletableFuture::completedFuture);
                    }

                    @Override
                    protected Object groupOf(Long input) {
                        return group(input);
                    }
                };
        return subject(executor, executor.engine());
    }

    private static Subject subject(FutureCollapseExecutor<Long, String> executor, CollapseEngine<?, ?> engine) {
        return new Subject() {
            @Override
            public String call(long input, boolean leave) throws Exception {
                return await(executor.execute(input), leave);
            }

            @Override
            public CollapseEngine<?, ?> engine() {
                return engine;
            }
        };
    }

    private static void callOnce(Subject subject, Random random, Tally tally) {
        long input = random.nextInt(50);
        try {
            String output = subject.call(input, random.nextInt(5) == 0);
            if (!output.equals("answer to " + input)) {
                throw new AssertionError("asked for " + input + ", given: " + output);
            }
            tally.outputs.incrementAndGet();
        } catch (Broken e) {
            tally.failures.incrementAndGet();
        } catch (UnboundOutputException e) {
            tally.unbound.incrementAndGet();
        } catch (InterruptedException | CancellationException | TimeoutException e) {
            tally.left.incrementAndGet();
        } catch (RejectedExecutionException e) {
            tally.refused.incrementAndGet();
        } catch (Exception e) {
            throw new AssertionError("no caller should get this", e);
        }
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @MethodSource("runs")
    void everyCallEndsOnceWithWhatIsItsOwnAndNothingRemains(Kind kind, long seed) throws Exception {
        Random random = new Random(seed);
        CollapseOptions options = options(random);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        ExecutorService workers = Executors.newFixedThreadPool(4);
        ScheduledExecutorService interrupter = Executors.newSingleThreadScheduledExecutor();
        try {
            Subject subject = switch (kind) {
                case BLOCKING -> blocking(options, interrupter);
                case ASYNC -> async(options);
                case FUTURE -> future(options, workers);
            };
            Tally tally = new Tally();
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random own = new Random(random.nextLong());
                callers.add(threads.submit(() -> {
                    for (int call = 0; call < CALLS_PER_THREAD; call++) {
                        callOnce(subject, own, tally);
                    }
                }));
            }
            for (Future<?> caller : callers) {
                caller.get(60, TimeUnit.SECONDS);
            }
            assertThat(tally.total()).isEqualTo((long) THREADS * CALLS_PER_THREAD);
            assertThat(tally.outputs.get()).isPositive();
            Eventually.until(() -> subject.engine().groupCount() == 0);
        } finally {
            threads.shutdownNow();
            workers.shutdownNow();
            interrupter.shutdownNow();
        }
    }
}
