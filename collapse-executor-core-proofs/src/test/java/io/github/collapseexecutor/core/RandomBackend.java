package io.github.collapseexecutor.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What executors under random load call: it answers at once or after a while, and sometimes fails, fails one input,
 * forgets one or calls its own executor. It takes down whatever an executor must not do to it.
 */
final class RandomBackend {

    /** What a caller asks; questions of one group may share a batch. */
    record Question(long group, long key) {}

    /** The answer to one question; {@code since} is when the call that gave it began, by {@link System#nanoTime}. */
    record Answer(Question question, long since) {}

    /** A failure of a whole call. */
    static final class Broken extends Exception {
        private static final long serialVersionUID = 1L;

        Broken() {
            super("broken on purpose", null, false, false);
        }
    }

    /** A failure of one question. */
    static final class BrokenQuestion extends Exception {
        private static final long serialVersionUID = 1L;

        final transient Question question;

        BrokenQuestion(Question question) {
            super("broken on purpose: " + question, null, false, false);
            this.question = question;
        }
    }

    /** A call of the executor that calls this backend. */
    interface Nested {

        void call(Question question) throws InterruptedException;
    }

    /** The group whose calls are counted while they run. */
    static final long HOT_GROUP = 0;

    // immutable
    private final String name;
    private final int maxBatchSize;
    private final int maxConcurrentBatches;
    final Queue<AssertionError> violations = new ConcurrentLinkedQueue<>();
    private final AtomicInteger hotCalls = new AtomicInteger();
    private final ThreadLocal<Boolean> nesting = new ThreadLocal<>();
    /**
     * Batches that have lent their place, and those of the nested calls beside them. They may run beside the limit until they
     * end, also on the thread of another caller, which repeats a batch where its leader was interrupted.
     */
    private final Set<BatchHandle> besideLimit =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    // mutable, set before the first call
    Nested nested = question -> {};

    RandomBackend(Kind kind, CollapseOptions options) {
        name = options.name();
        maxBatchSize = options.maxBatchSize();
        // A stage that is cancelled has ended for the executor, while what it stood for goes on here.
        maxConcurrentBatches = kind == Kind.FUTURE ? CollapseOptions.UNLIMITED : options.maxConcurrentBatches();
    }

    /** Answers a batch: at each question's place an {@link Answer}, a {@link BrokenQuestion}, or null if forgotten. */
    List<Object> answerAll(Collection<Input<Question>> inputs) throws Exception {
        long since = System.nanoTime();
        if (inputs.isEmpty() || inputs.size() > maxBatchSize) {
            violate(inputs.size() + " inputs in a batch of at most " + maxBatchSize);
        }
        List<Question> questions = inputs.stream().map(Input::value).toList();
        if (questions.stream().map(Question::group).distinct().count() > 1) {
            violate("a batch of several groups: " + questions);
        }
        work(questions.get(0));
        List<Object> outcomes = new ArrayList<>();
        for (Question question : questions) {
            outcomes.add(
                    switch (ThreadLocalRandom.current().nextInt(40)) {
                        case 0 -> null;
                        case 1 -> new BrokenQuestion(question);
                        default -> new Answer(question, since);
                    });
        }
        return outcomes;
    }

    /** Answers one question, for all callers that ask it at the same time. */
    Answer answer(Question question) throws Exception {
        long since = System.nanoTime();
        work(question);
        return new Answer(question, since);
    }

    interface Step<T> {

        T take() throws Exception;
    }

    /** Takes a step here and now or later on another thread, at random; for executors that must not be blocked. */
    static <T> CompletableFuture<T> soonerOrLater(Step<T> step, Executor elsewhere) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable task = () -> {
            try {
                result.complete(step.take());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        };
        (ThreadLocalRandom.current().nextBoolean() ? elsewhere : (Executor) Runnable::run).execute(task);
        return result;
    }

    /**
     * Takes its time: sometimes none, mostly little, rarely so much that later calls overtake. That varies what meets what;
     * no outcome depends on it.
     */
    private void work(Question question) throws Exception {
        BatchHandle batch = BatchHandle.current();
        boolean nests = nesting.get() != null;
        if (nests) {
            besideLimit.add(batch);
        }
        boolean counted = question.group() == HOT_GROUP && !besideLimit.contains(batch);
        if (counted && hotCalls.incrementAndGet() > maxConcurrentBatches) {
            violate(hotCalls + " calls of a group at a time, of at most " + maxConcurrentBatches);
        }
        try {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            if (random.nextInt(4) == 0) {
                TimeUnit.NANOSECONDS.sleep(random.nextInt(200_000));
            }
            if (random.nextInt(1_000) == 0) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            if (random.nextInt(50) == 0 && !nests) {
                besideLimit.add(batch); // those that it lends its place to may still run when it goes on
                if (counted) {
                    counted = false;
                    hotCalls.decrementAndGet();
                }
                callNested(question);
            }
            if (random.nextInt(20) == 0) {
                throw new Broken();
            }
        } finally {
            if (counted) {
                hotCalls.decrementAndGet();
            }
        }
    }

    private void violate(String what) {
        violations.add(new AssertionError(name + ": " + what));
    }

    private void callNested(Question question) throws InterruptedException {
        nesting.set(true);
        try {
            nested.call(question);
        } finally {
            nesting.remove();
        }
    }
}
