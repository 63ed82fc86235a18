package io.github.collapseexecutor.foreign.redis;

import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.JoinMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Callers of three instances, which share their calls while something happens to Redis, and beside them one caller that shares nothing. No call
 * of theirs may fail, wait for Redis or get what is old or another's, and they share again afterwards.
 */
final class SharingRun {

    private static final int INSTANCES = 3;
    private static final int CALLERS_EACH = 4;

    /** Longer than one call after another, and what Redis may cost; shorter than a lease. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

    private static final Duration UNTIL_SHARING = Duration.ofSeconds(45);
    private static final int JOIN_MILLIS = 30_000;

    // immutable
    private final SetUp setUp;
    private final Backend backend;
    private final List<Instance> instances = new ArrayList<>();
    private final List<Thread> callers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(SharingRun::daemon);

    // mutable, thread-safe
    private final Map<String, AtomicLong> wrong = new ConcurrentHashMap<>();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();
    private final AtomicLong longestAlone = new AtomicLong();
    private volatile boolean stopped;

    SharingRun(SetUp setUp) {
        this.setUp = setUp;
        this.backend = new Backend(setUp.callMillis(), setUp.size());
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "run");
        thread.setDaemon(true);
        return thread;
    }

    /** Returns what no caller should have seen. */
    List<String> differences(Path folder) throws Exception {
        List<String> found = new ArrayList<>();
        try (Servers servers = Servers.start(setUp.topology(), folder)) {
            servers.allow(setUp.allRights(), setUp.client());
            try {
                for (int i = 0; i < INSTANCES; i++) {
                    instances.add(new Instance(setUp, servers, backend, threads));
                }
                start();
                awaitSharing("at the beginning", found);
                forgetTimes();
                setUp.trouble().happen(servers, new Random(setUp.seed()));
                if (setUp.trouble().forgetsUsers()) {
                    servers.allow(setUp.allRights(), setUp.client());
                }
                awaitSharing("after the trouble", found);
                end(found);
            } finally {
                stopped = true;
                for (Instance instance : instances) {
                    instance.close();
                }
                threads.shutdownNow();
            }
        }
        new TreeMap<>(wrong).forEach((what, times) -> found.add(times + " times " + what));
        if (longest.get() > LONGEST_NANOS + longestAlone.get()) {
            found.add("a call took " + longest.get() / 1_000_000 + " ms; without sharing, one took "
                    + longestAlone.get() / 1_000_000 + " ms more than it should");
        }
        return found;
    }

    private void start() {
        for (Instance instance : instances) {
            for (int i = 0; i < CALLERS_EACH; i++) {
                Random random = new Random(setUp.seed() + callers.size());
                callers.add(daemon(() -> askOn(instance, random)));
            }
        }
        callers.add(daemon(this::callAlone));
        callers.forEach(Thread::start);
    }

    private void askOn(Instance instance, Random random) {
        while (!stopped) {
            String key = Backend.KEYS.get(random.nextInt(Backend.KEYS.size()));
            if (random.nextInt(20) == 0) {
                backend.write(key);
            }
            long atLeast = setUp.join() == JoinMode.FRESH ? backend.written(key) : 0;
            long begun = System.nanoTime();
            String answer = null;
            Throwable failure = null;
            try {
                answer = instance.ask(key);
            } catch (ExecutionException failed) {
                failure = failed.getCause();
            } catch (Exception | Error failed) {
                failure = failed;
            }
            if (!stopped) {
                take(key, atLeast, answer, failure, System.nanoTime() - begun);
            }
        }
    }

    private void take(String key, long atLeast, @Nullable String answer, @Nullable Throwable failure, long nanos) {
        answers.incrementAndGet();
        longest.accumulateAndGet(nanos, Math::max);
        String wrongness = backend.wrongness(key, atLeast, answer, failure);
        if (!wrongness.isEmpty()) {
            wrong.computeIfAbsent(key + " " + wrongness, unused -> new AtomicLong())
                    .incrementAndGet();
        }
    }

    /** Shows how busy the machine is. */
    private void callAlone() {
        while (!stopped) {
            long begun = System.nanoTime();
            try {
                backend.read(Backend.MISSING);
            } catch (InterruptedException ended) {
                return;
            }
            long more = System.nanoTime() - begun - TimeUnit.MILLISECONDS.toNanos(setUp.callMillis());
            longestAlone.accumulateAndGet(more, Math::max);
        }
    }

    private void forgetTimes() {
        longest.set(0);
        longestAlone.set(0);
    }

    private void awaitSharing(String when, List<String> found) {
        long asked = answers.get();
        await().atMost(UNTIL_SHARING).until(() -> answers.get() > asked + 50);
        if (!setUp.isWorthSharing()) {
            return;
        }
        long[] before = taken();
        try {
            await().atMost(UNTIL_SHARING).until(() -> {
                long[] now = taken();
                for (int i = 0; i < now.length; i++) {
                    if (now[i] < before[i] + 3) {
                        return false;
                    }
                }
                return true;
            });
        } catch (ConditionTimeoutException never) {
            found.add(when + ", nothing is shared: "
                    + instances.stream()
                            .map(each -> each.calls().counts().toString())
                            .toList());
        }
    }

    private long[] taken() {
        return instances.stream()
                .mapToLong(instance -> instance.calls().counts().taken())
                .toArray();
    }

    private void end(List<String> found) throws InterruptedException {
        stopped = true;
        for (Thread caller : callers) {
            caller.join(JOIN_MILLIS);
            if (caller.isAlive()) {
                found.add("a caller hangs: " + List.of(caller.getStackTrace()));
            }
        }
    }

    long answers() {
        return answers.get();
    }

    long calls() {
        return backend.calls();
    }

    long longestMillis() {
        return longest.get() / 1_000_000;
    }
}
