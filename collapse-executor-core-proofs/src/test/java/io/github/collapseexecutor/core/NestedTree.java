package io.github.collapseexecutor.core;

import static java.util.stream.Collectors.toList;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Executors whose batch functions call executors again, which call again: what each function calls, and how, follows from its
 * question and a seed, so that equal questions may share a call.
 */
final class NestedTree {

    /** What is asked; a question asks only deeper ones, so that a tree has an end. */
    record Question(int depth, int key) {

        static final int DEEPEST = 3;

        String answer() {
            return depth + "/" + key;
        }
    }

    /** Thrown by a function for a question that fails. */
    static final class FailedQuestionException extends RuntimeException {

        private static final long serialVersionUID = 1;

        FailedQuestionException(Question question) {
            super(question + " fails");
        }

        /** Whether a call has failed because a question did. */
        static boolean isCauseOf(@Nullable Throwable failure) {
            Throwable cause = failure;
            while (cause != null && !(cause instanceof FailedQuestionException)) {
                cause = cause.getCause();
            }
            return cause != null;
        }
    }

    /** How a function makes its calls. */
    private enum Way {
        /** On its own thread, one after another. */
        ONE_AFTER_ANOTHER,
        /** On its own thread, all of them before it waits for the first. */
        SIDE_BY_SIDE,
        /** By the handle of its batch, each on another thread. */
        ON_OTHER_THREADS,
        /** By the handle of its batch, on another thread, each when the one before has been answered. */
        LATER_ON_OTHER_THREADS,
        /** On its own thread, all of them together. */
        ALL_AT_ONCE,
        /** By the handle of its batch, all of them together, on another thread. */
        ALL_AT_ONCE_ON_ANOTHER_THREAD;

        boolean together() {
            return compareTo(ALL_AT_ONCE) >= 0;
        }
    }

    /** An executor of one kind; a blocking one gives futures that are complete. */
    private abstract static class Member {

        final Kind kind;
        final boolean answersByInput;

        Member(Kind kind, boolean answersByInput) {
            this.kind = kind;
            this.answersByInput = answersByInput;
        }

        abstract CompletableFuture<String> call(Question question, CallOptions options);

        abstract CompletableFuture<List<String>> callAll(List<Question> questions, CallOptions options);

        abstract CollapseExecutor executor();
    }

    private interface BlockingCall<T> {

        T call() throws Exception;
    }

    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final List<Way> WAYS = List.of(Way.values());

    // immutable
    private final int seed;
    private final Executor threads;
    private final List<Member> members = new ArrayList<>();
    private final StringBuilder description = new StringBuilder();
    private final int keys;
    private final int fanOut;
    private final int groups;
    private final boolean someLeave;
    private final boolean someFail;

    /**
     * Makes the executors.
     *
     * @param threads starts a thread for each task
     * @param pool a few threads, on which some of the executors run
     */
    NestedTree(long seed, Executor threads, Executor pool) {
        Random random = new Random(seed);
        this.seed = random.nextInt();
        this.threads = threads;
        keys = 1 + random.nextInt(6);
        fanOut = 1 + random.nextInt(3);
        groups = 1 + random.nextInt(3);
        someLeave = random.nextInt(4) == 0;
        someFail = random.nextInt(4) == 0;
        description
                .append(keys + " keys, " + groups + " groups, up to " + fanOut + " calls of each function")
                .append(someLeave ? ", some leave" : "")
                .append(someFail ? ", some fail" : "");
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            boolean byInput = random.nextBoolean();
            CollapseOptions options = options(random);
            boolean onPool = random.nextBoolean();
            members.add(
                    byInput
                            ? ofKeys(kind, options, onPool ? pool : null)
                            : ofCallables(kind, options, onPool ? pool : null));
            description.append(
                    "; " + kind + (byInput ? " by key" : " of callables") + (onPool ? " on a pool " : " ") + options);
        }
    }

    private static CollapseOptions options(Random random) {
        CollapseOptions.Builder options = CollapseOptions.builder().name("tree");
        if (random.nextInt(4) > 0) {
            options.maxConcurrentBatches(1 + random.nextInt(4));
        }
        if (random.nextInt(3) == 0) {
            options.maxConcurrentBatchesTotal(1 + random.nextInt(4));
        }
        if (random.nextInt(3) == 0) {
            options.maxBatchSize(1 + random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            options.collectingWaitTime(Duration.ofMillis(random.nextInt(2)));
        }
        if (random.nextBoolean()) {
            options.maxWaitRatio(random.nextInt(10) / 10.0).maxWait(Duration.ofMinutes(1));
        }
        return options.joinMode(random.nextBoolean() ? JoinMode.FRESH : JoinMode.IN_FLIGHT)
                .build();
    }

    /** The options of one call: in one of three, it joins no call in flight, and in one of three, it has a timeout. */
    private static CallOptions callOptions(Random random) {
        CallOptions options = CallOptions.defaults();
        if (random.nextInt(3) == 0) {
            options = options.joinMode(JoinMode.FRESH);
        }
        return random.nextInt(3) == 0 ? options.timeout(Duration.ofMinutes(10)) : options;
    }

    /** Asks an executor at random; the calling thread may run its function. */
    CompletableFuture<String> ask(int member, Question question) {
        return members.get(member % members.size()).call(question, callOptions(new Random(mixed(question, 2))));
    }

    /** Whether an answer is one that a caller of the question may get. */
    boolean answers(int member, Question question, String answer) {
        Member asked = members.get(member % members.size());
        return asked.answersByInput
                ? answer.equals(question.answer())
                : group(question)
                        == group(new Question(
                                Integer.parseInt(answer.substring(0, answer.indexOf('/'))),
                                Integer.parseInt(answer.substring(answer.indexOf('/') + 1))));
    }

    int keys() {
        return keys;
    }

    /** The counts of the executors that have callers. */
    List<CollapseCounts> left() {
        return members.stream()
                .map(member -> member.executor().counts())
                .filter(counts -> counts.groups() > 0)
                .collect(toList());
    }

    @Override
    public String toString() {
        return description.toString();
    }

    /** Whether calls may fail, each with those that it shares its batch with. */
    boolean mayFail() {
        return someFail;
    }

    private boolean fails(Question question) {
        return someFail && mixed(question, 3) % 8 == 0;
    }

    private int group(Question question) {
        return Math.floorMod(mixed(question, 0), groups);
    }

    private int mixed(Question question, int salt) {
        return new Random(seed + 31L * question.depth + 1_000L * question.key + 100_000L * salt).nextInt();
    }

    // ---- the functions

    /** Calls for one question from inside a batch of a member; blocks, or not if the member is one of futures. */
    private CompletableFuture<String> answer(Member self, Question question, BatchHandle batch) {
        CompletableFuture<Void> calls = question.depth == Question.DEEPEST
                ? CompletableFuture.completedFuture(null)
                : nested(self, question, batch);
        return calls.thenApply(end -> {
            if (fails(question)) {
                throw new FailedQuestionException(question);
            }
            return question.answer();
        });
    }

    private CompletableFuture<Void> nested(Member self, Question question, BatchHandle batch) {
        Random random = new Random(mixed(question, 1));
        Way way = WAYS.get(random.nextInt(WAYS.size()));
        int count = random.nextInt(fanOut + 1);
        if (way.together()) {
            return nestedTogether(self, question, batch, way, count, random);
        }
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        CompletableFuture<?> before = all;
        for (int i = 0; i < count; i++) {
            Member called = members.get(random.nextInt(members.size()));
            Question next = new Question(question.depth + 1, random.nextInt(keys));
            boolean leaves = someLeave && random.nextInt(4) == 0;
            CallOptions options = callOptions(random);
            CompletableFuture<String> call;
            if (way == Way.ON_OTHER_THREADS
                    || way == Way.LATER_ON_OTHER_THREADS
                    || blocksAThreadThatMustNot(self, called)) {
                CompletableFuture<?> first =
                        way == Way.LATER_ON_OTHER_THREADS ? before : CompletableFuture.completedFuture(null);
                call = first.handle((end, failure) -> null)
                        .thenComposeAsync(end -> batch.nested(() -> called.call(next, options)), threads);
            } else {
                call = called == self || called.kind == Kind.BLOCKING
                        ? called.call(next, options)
                        : batch.nested(() -> called.call(next, options));
                if (leaves) {
                    call.cancel(true);
                }
                if (way == Way.ONE_AFTER_ANOTHER && self.kind != Kind.FUTURE) {
                    await(call, leaves);
                }
            }
            before = call;
            CompletableFuture<?> checked = checked(called, List.of(next), call.thenApply(List::of), leaves);
            all = all.thenCombine(checked, (a, b) -> null);
        }
        return all;
    }

    /** Several questions in one call of one executor. */
    private CompletableFuture<Void> nestedTogether(
            Member self, Question question, BatchHandle batch, Way way, int count, Random random) {
        Member called = members.get(random.nextInt(members.size()));
        List<Question> questions = new ArrayList<>();
        for (int i = 0; i <= count; i++) {
            questions.add(new Question(question.depth + 1, random.nextInt(keys)));
        }
        CallOptions options = callOptions(random);
        boolean leaves = someLeave && random.nextInt(4) == 0;
        CompletableFuture<List<String>> call;
        if (way == Way.ALL_AT_ONCE_ON_ANOTHER_THREAD || blocksAThreadThatMustNot(self, called)) {
            call = CompletableFuture.completedFuture(null)
                    .thenComposeAsync(start -> batch.nested(() -> called.callAll(questions, options)), threads);
        } else {
            call = called == self || called.kind == Kind.BLOCKING
                    ? called.callAll(questions, options)
                    : batch.nested(() -> called.callAll(questions, options));
            if (leaves) {
                call.cancel(true);
            }
        }
        return checked(called, questions, call, leaves);
    }

    /** Fails if an answer is another's, or if a call fails that should not; a failure of a question is that of one call only. */
    private CompletableFuture<Void> checked(
            Member called, List<Question> questions, CompletableFuture<List<String>> call, boolean leaves) {
        return call.handle((answers, failure) -> {
            if (failure != null) {
                if (leaves || (someFail && FailedQuestionException.isCauseOf(failure))) {
                    return null;
                }
                throw new CompletionException(failure);
            }
            for (int i = 0; i < questions.size(); i++) {
                if (!answers(members.indexOf(called), questions.get(i), answers.get(i))) {
                    throw new AssertionError(questions + " were answered " + answers);
                }
            }
            return null;
        });
    }

    private static boolean blocksAThreadThatMustNot(Member self, Member called) {
        return self.kind == Kind.FUTURE && called.kind == Kind.BLOCKING;
    }

    private void await(CompletableFuture<String> call, boolean leaves) {
        try {
            call.join();
        } catch (CancellationException e) {
            if (!leaves) {
                throw e;
            }
        } catch (CompletionException e) {
            if (!someFail || !FailedQuestionException.isCauseOf(e)) {
                throw e;
            }
        }
    }

    private String blockFor(Member self, Question question) throws Exception {
        return answer(self, question, BatchHandle.current()).get();
    }

    private Map<Question, String> blockForAll(Member self, Collection<Question> questions) throws Exception {
        Map<Question, String> answers = new HashMap<>();
        for (Question question : questions) {
            answers.put(question, blockFor(self, question));
        }
        return answers;
    }

    private CompletionStage<Map<Question, String>> stageOfAll(Member self, Collection<Question> questions) {
        Map<Question, CompletableFuture<String>> answers = new LinkedHashMap<>();
        BatchHandle batch = BatchHandle.current();
        questions.forEach(question -> answers.put(question, answer(self, question, batch)));
        return CompletableFuture.allOf(answers.values().toArray(new CompletableFuture<?>[0]))
                .thenApply(end -> {
                    Map<Question, String> all = new HashMap<>();
                    answers.forEach((question, answer) -> all.put(question, answer.join()));
                    return all;
                });
    }

    // ---- the executors

    private static <T> CompletableFuture<T> completed(BlockingCall<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            result.complete(call.call());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            result.completeExceptionally(e);
        } catch (Exception e) {
            result.completeExceptionally(e);
        }
        return result;
    }

    private Member ofKeys(Kind kind, CollapseOptions options, Executor pool) {
        return new Member(kind, true) {

            private final InputOptions<Question> byGroup = options.groupBy(NestedTree.this::group);
            private final BlockingCollapseExecutor<Question, String> blocking = CollapseExecutors.blockingByKey(
                    questions -> blockForAll(this, questions), MissingKeyPolicy.FAILURE, byGroup);
            private final FutureCollapseExecutor<Question, String> futures = kind == Kind.FUTURE
                    ? CollapseExecutors.futureByKey(
                            questions -> stageOfAll(this, questions), MissingKeyPolicy.FAILURE, byGroup)
                    : pool == null
                            ? CollapseExecutors.asyncByKey(
                                    questions -> blockForAll(this, questions), MissingKeyPolicy.FAILURE, byGroup)
                            : CollapseExecutors.asyncByKey(
                                    questions -> blockForAll(this, questions), MissingKeyPolicy.FAILURE, byGroup, pool);

            @Override
            CompletableFuture<String> call(Question question, CallOptions options) {
                return kind == Kind.BLOCKING
                        ? completed(() -> blocking.execute(question, options))
                        : futures.execute(question, options);
            }

            @Override
            CompletableFuture<List<String>> callAll(List<Question> questions, CallOptions options) {
                return kind == Kind.BLOCKING
                        ? completed(() -> blocking.executeAll(questions, options))
                        : futures.executeAll(questions, options);
            }

            @Override
            CollapseExecutor executor() {
                return kind == Kind.BLOCKING ? blocking : futures;
            }
        };
    }

    private Member ofCallables(Kind kind, CollapseOptions options, Executor pool) {
        BlockingCallableGroupCollapseExecutor blocking = new BlockingCallableGroupCollapseExecutor(options);
        AsyncCallableGroupCollapseExecutor async = new AsyncCallableGroupCollapseExecutor(options);
        if (pool != null) {
            async.setExecutor(pool);
        }
        FutureCallableGroupCollapseExecutor futures = new FutureCallableGroupCollapseExecutor(options);
        return new Member(kind, false) {

            @Override
            CompletableFuture<String> call(Question question, CallOptions options) {
                int group = group(question);
                return switch (kind) {
                    case BLOCKING -> completed(() -> blocking.execute(group, () -> blockFor(this, question), options));
                    case ASYNC -> async.execute(group, () -> blockFor(this, question), options);
                    case FUTURE -> futures.execute(group, () -> answer(this, question, BatchHandle.current()), options);
                };
            }

            /** One after another, since callables cannot be submitted together. */
            @Override
            CompletableFuture<List<String>> callAll(List<Question> questions, CallOptions options) {
                List<CompletableFuture<String>> calls = new ArrayList<>();
                questions.forEach(question -> calls.add(call(question, options)));
                return CompletableFuture.allOf(calls.toArray(new CompletableFuture<?>[0]))
                        .thenApply(end ->
                                calls.stream().map(CompletableFuture::join).collect(toList()));
            }

            @Override
            CollapseExecutor executor() {
                return switch (kind) {
                    case BLOCKING -> blocking;
                    case ASYNC -> async;
                    case FUTURE -> futures;
                };
            }
        };
    }
}
