package io.github.collapseexecutor.core;

import io.github.collapseexecutor.core.RandomBackend.Answer;
import io.github.collapseexecutor.core.RandomBackend.BrokenQuestion;
import io.github.collapseexecutor.core.RandomBackend.Question;
import io.github.collapseexecutor.core.RandomSubject.OfFutures;
import io.github.collapseexecutor.core.RandomSubject.OfThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;

/** Makes executors of every kind with options at random; the same {@code Random} gives the same again. */
final class RandomExecutors {

    /** So few callers that some are refused; a limit that none reaches is counted all the same. */
    private static final int FEW = 10;

    // immutable
    private final Random random;
    /** A bounded pool: where future executors' stages complete, and half of the async executors' batches run. */
    private final Executor workers;
    /** Interrupts and cancels callers. */
    private final ScheduledExecutorService later;

    RandomExecutors(Random random, Executor workers, ScheduledExecutorService later) {
        this.random = random;
        this.workers = workers;
        this.later = later;
    }

    /** Of every kind as many executors of batches and of callables. */
    List<RandomSubject> ofEveryKind(int ofEach) {
        List<RandomSubject> subjects = new ArrayList<>();
        int[] limits = {FEW, 1_000_000, CollapseOptions.UNLIMITED};
        int limit = random.nextInt(limits.length);
        for (int i = 0; i < ofEach; i++) {
            for (Kind kind : Kind.values()) {
                subjects.add(ofBatches(kind, options(kind + " of batches " + i, limits[limit++ % 3])));
                subjects.add(ofCallables(kind, options(kind + " of callables " + i, limits[limit++ % 3])));
            }
            limit++;
        }
        return subjects;
    }

    private CollapseOptions options(String name, int maxPending) {
        CollapseOptions.Builder options = CollapseOptions.builder().maxPending(maxPending);
        StringBuilder description = new StringBuilder(name);
        if (random.nextBoolean()) {
            int size = 1 + random.nextInt(random.nextBoolean() ? 8 : 200);
            options.maxBatchSize(size);
            description.append(", maxBatchSize ").append(size);
        }
        if (random.nextBoolean()) {
            int batches = 1 + random.nextInt(3);
            options.maxConcurrentBatches(batches);
            description.append(", maxConcurrentBatches ").append(batches);
        }
        if (maxPending != CollapseOptions.UNLIMITED) {
            description.append(", maxPending ").append(maxPending);
        }
        if (random.nextInt(3) != 0) {
            Duration timeout =
                    random.nextBoolean() ? Duration.ofMinutes(10) : Duration.ofNanos(1 + random.nextInt(3_000_000));
            options.callTimeout(timeout);
            description.append(", callTimeout ").append(timeout);
        }
        if (random.nextInt(3) == 0) {
            Duration wait = Duration.ofNanos(random.nextInt(300_000));
            int threshold = random.nextInt(6);
            options.collectingWaitTime(wait).waitThreshold(threshold);
            description
                    .append(", collectingWaitTime ")
                    .append(wait)
                    .append(" to ")
                    .append(threshold);
        }
        double ratio = random.nextInt(10) / 10.0;
        JoinMode mode = random.nextBoolean() ? JoinMode.FRESH : JoinMode.IN_FLIGHT;
        description.append(", maxWaitRatio ").append(ratio).append(", ").append(mode);
        return options.maxWaitRatio(ratio)
                .joinMode(mode)
                .name(description.toString())
                .build();
    }

    private RandomSubject ofCallables(Kind kind, CollapseOptions options) {
        RandomBackend backend = new RandomBackend(kind, options);
        switch (kind) {
            case BLOCKING -> {
                BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options);
                return new OfThreads(
                        options,
                        executor.engine(),
                        backend,
                        false,
                        question -> executor.execute(question.group(), () -> backend.answer(question)),
                        later);
            }
            case ASYNC -> {
                AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(options);
                if (random.nextBoolean()) {
                    executor.setExecutor(workers);
                }
                return new OfFutures(
                        options,
                        executor.engine(),
                        backend,
                        false,
                        question -> executor.execute(question.group(), () -> backend.answer(question)),
                        later);
            }
            case FUTURE -> {
                FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(options);
                return new OfFutures(
                        options,
                        executor.engine(),
                        backend,
                        false,
                        question -> executor.execute(
                                question.group(),
                                () -> RandomBackend.soonerOrLater(() -> backend.answer(question), workers)),
                        later);
            }
        }
        throw new AssertionError(kind);
    }

    private RandomSubject ofBatches(Kind kind, CollapseOptions options) {
        RandomBackend backend = new RandomBackend(kind, options);
        switch (kind) {
            case BLOCKING -> {
                BlockingBatches executor = new BlockingBatches(options, backend);
                return new OfThreads(options, executor.engine(), backend, true, executor::execute, later);
            }
            case ASYNC -> {
                AsyncBatches executor = new AsyncBatches(options, backend);
                if (random.nextBoolean()) {
                    executor.setExecutor(workers);
                }
                return new OfFutures(options, executor.engine(), backend, true, executor::execute, later);
            }
            case FUTURE -> {
                FutureBatches executor = new FutureBatches(options, backend, workers);
                return new OfFutures(options, executor.engine(), backend, true, executor::execute, later);
            }
        }
        throw new AssertionError(kind);
    }

    /** Binds what {@link RandomBackend#answerAll} gave, each outcome at its place. */
    private static <T> void bind(
            List<Object> outcomes, List<Bundle<Question, T>> bundles, Function<Answer, T> asOutput) {
        for (int i = 0; i < bundles.size(); i++) {
            if (outcomes.get(i) instanceof Answer answer) {
                bundles.get(i).bindOutput(asOutput.apply(answer));
            } else if (outcomes.get(i) instanceof BrokenQuestion failure) {
                bundles.get(i).bindError(failure);
            }
        }
    }

    private static final class BlockingBatches extends CollapseExecutorBlockingSupport<Question, Answer, List<Object>> {

        private final RandomBackend backend;

        BlockingBatches(CollapseOptions options, RandomBackend backend) {
            super(options);
            this.backend = backend;
        }

        @Override
        protected List<Object> doExecute(Collection<Input<Question>> inputs) throws Exception {
            return backend.answerAll(inputs);
        }

        @Override
        protected void bindingOutput(List<Object> outcomes, List<Bundle<Question, Answer>> bundles) {
            bind(outcomes, bundles, Function.identity());
        }

        @Override
        protected Object groupOf(Question question) {
            return question.group();
        }
    }

    private static final class AsyncBatches extends CollapseExecutorAsyncSupport<Question, Answer, List<Object>> {

        private final RandomBackend backend;

        AsyncBatches(CollapseOptions options, RandomBackend backend) {
            super(options);
            this.backend = backend;
        }

        @Override
        protected List<Object> doExecute(Collection<Input<Question>> inputs) throws Exception {
            return backend.answerAll(inputs);
        }

        @Override
        protected void bindingOutput(List<Object> outcomes, List<Bundle<Question, CompletableFuture<Answer>>> bundles) {
            bind(outcomes, bundles, CompletableFuture::completedFuture);
        }

        @Override
        protected Object groupOf(Question question) {
            return question.group();
        }
    }

    private static final class FutureBatches extends CollapseExecutorFutureSupport<Question, Answer, List<Object>> {

        private final RandomBackend backend;
        private final Executor workers;

        FutureBatches(CollapseOptions options, RandomBackend backend, Executor workers) {
            super(options);
            this.backend = backend;
            this.workers = workers;
        }

        @Override
        protected CompletionStage<List<Object>> doExecute(Collection<Input<Question>> inputs) {
            return RandomBackend.soonerOrLater(() -> backend.answerAll(inputs), workers);
        }

        @Override
        protected void bindingOutput(List<Object> outcomes, List<Bundle<Question, CompletableFuture<Answer>>> bundles) {
            bind(outcomes, bundles, CompletableFuture::completedFuture);
        }

        @Override
        protected Object groupOf(Question question) {
            return question.group();
        }
    }
}
