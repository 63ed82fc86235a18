package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.RandomBackend.Question;
import io.github.collapseexecutor.core.RandomSubject.Leaving;
import io.github.collapseexecutor.core.RandomSubject.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Many threads call many executors with options at random at once, for hot, popular and unique keys; calls fail, are
 * interrupted, cancelled, timed out and refused. Every call ends once and with what is its own, and nothing remains: no
 * group, no caller counted in, no thread and no object.
 *
 * <p>The seed of a round that fails is in its message; {@code soak.seed} gives the same executors and callers again, if not
 * the same interleaving. {@code soak.seconds} says how long the load lasts.
 */
class SoakTests {

    private static final Duration LOAD = Duration.ofSeconds(Long.getLong("soak.seconds", 3));
    private static final Duration ROUND = Duration.ofMillis(1_500);
    private static final int PLATFORM_CALLERS = 200;
    private static final int VIRTUAL_CALLERS = Threads.VIRTUAL ? 2_000 : 0;
    private static final int EXECUTORS_OF_EACH = 2;

    private static final AtomicLong UNIQUE = new AtomicLong(1_000_000);

    @Test
    void P01_everyCallEndsOnceWithWhatIsItsOwnAndNothingRemains(TestReporter reporter) throws Exception {
        // The load must not be blamed for classes, caches and threads that the first use leaves.
        load(ROUND.dividedBy(2), seed());
        Eventually.untilEmpty(Threads::ofOurs);
        LiveHeap before = LiveHeap.settled();

        Tally all = new Tally();
        for (Duration left = LOAD; left.compareTo(Duration.ZERO) > 0; left = left.minus(ROUND)) {
            all.add(load(ROUND, seed()));
        }
        assertThat(all.answers.sum()).isPositive();
        assertThat(all.failures.sum()).isPositive();
        assertThat(all.left.sum()).isPositive();
        assertThat(all.refused.sum()).isPositive();
        Eventually.untilEmpty(Threads::ofOurs);
        LiveHeap.expectNothingLeftSince(before, all.calls.sum());
        reporter.publishEntry("soak", all.toString());
    }

    private static long seed() {
        Long given = Long.getLong("soak.seed");
        return given == null ? ThreadLocalRandom.current().nextLong() : given;
    }

    private static Tally load(Duration duration, long seed) throws Exception {
        Random random = new Random(seed);
        ExecutorService workers = Executors.newFixedThreadPool(8);
        ScheduledThreadPoolExecutor later = new ScheduledThreadPoolExecutor(1);
        later.setRemoveOnCancelPolicy(true);
        try {
            List<RandomSubject> subjects = new RandomExecutors(random, workers, later).ofEveryKind(EXECUTORS_OF_EACH);
            long end = System.nanoTime() + duration.toNanos();
            List<FutureTask<Void>> callers = new ArrayList<>();
            callers.addAll(start(PLATFORM_CALLERS, Thread::new, subjects, random, end));
            callers.addAll(start(VIRTUAL_CALLERS, Threads.virtual(), subjects, random, end));
            await(callers, subjects, seed);
            Tally all = new Tally();
            for (RandomSubject subject : subjects) {
                expectNothingLeftOf(subject, seed);
                all.add(subject.tally);
            }
            return all;
        } finally {
            later.shutdownNow();
            workers.shutdownNow();
        }
    }

    private static List<FutureTask<Void>> start(
            int count, ThreadFactory threads, List<RandomSubject> subjects, Random random, long end) {
        List<FutureTask<Void>> callers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Random own = new Random(random.nextLong());
            FutureTask<Void> caller = new FutureTask<>(() -> call(subjects, own, end), null);
            callers.add(caller);
            threads.newThread(caller).start();
        }
        return callers;
    }

    private static void call(List<RandomSubject> subjects, Random random, long end) {
        Leaving[] waysToLeave = Leaving.values();
        while (System.nanoTime() - end < 0) {
            RandomSubject subject = subjects.get(random.nextInt(subjects.size()));
            Leaving leaving = random.nextInt(5) == 0 ? waysToLeave[random.nextInt(waysToLeave.length)] : Leaving.NOT;
            subject.callOnce(question(random), leaving);
        }
    }

    /** A third each: one of a few keys of one group, a popular one as Zipf has it, one that nobody else asks for. */
    private static Question question(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new Question(RandomBackend.HOT_GROUP, random.nextInt(4));
            case 1 -> {
                long rank = (long) Math.pow(10_000, random.nextDouble()); // the density falls with 1 / rank
                yield new Question(1 + rank % 100, rank);
            }
            default -> {
                long key = UNIQUE.incrementAndGet();
                yield new Question(key, key);
            }
        };
    }

    private static void await(List<FutureTask<Void>> callers, List<RandomSubject> subjects, long seed)
            throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (FutureTask<Void> caller : callers) {
            try {
                caller.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                long waiting = callers.stream().filter(each -> !each.isDone()).count();
                List<String> where = subjects.stream()
                        .filter(subject -> subject.tally.calls.sum() != subject.tally.ends())
                        .map(subject -> subject.options.name() + ": " + subject.tally)
                        .toList();
                throw new AssertionError(waiting + " callers wait for ever in " + where + "; seed " + seed, e);
            }
        }
    }

    private static void expectNothingLeftOf(RandomSubject subject, long seed) {
        Eventually.untilEmpty(() -> {
            List<String> left = new ArrayList<>();
            addUnlessZero(left, "groups", subject.engine.groupCount());
            addUnlessZero(left, "callers", subject.engine.admission().callerCount());
            addUnlessZero(left, "calls without an end", subject.tally.calls.sum() - subject.tally.ends());
            if (!left.isEmpty()) {
                left.add("of " + subject.options.name() + ", seed " + seed + ", " + subject.tally);
            }
            return left;
        });
        for (AssertionError violation : subject.backend.violations) {
            throw new AssertionError("one of " + subject.backend.violations.size() + ", seed " + seed, violation);
        }
    }

    private static void addUnlessZero(List<String> left, String what, long count) {
        if (count != 0) {
            left.add(count + " " + what);
        }
    }
}
