package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Kind.Subject;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Who waits uses no processor time, and what minds the time meanwhile next to none; when nobody waits, no thread is
 * left.
 *
 * <p>{@code idle.seconds} says for how long that is watched.
 */
class IdleTests {

    private static final Duration WINDOW = Duration.ofSeconds(Long.getLong("idle.seconds", 1));
    private static final int ATTEMPTS = 5;
    private static final int CALLERS = 20;

    /** What a thread of the timer's may use of a second: it looks once a second whether it is needed still. */
    private static final Duration FOR_THE_TIMER = Duration.ofMillis(1);

    /** The threads that wait for an executor or belong to one: {@link Kind}'s callers and batches, and our own. */
    private static final List<String> NAMES = List.of("caller of ", "batch", "collapse-executor");

    @Test
    void P15_noThreadUsesTheProcessorWhileAllWaitForACallThatHangs() throws Exception {
        Backend backend = new Backend();
        List<Caller> callers = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (int limit : new int[] {1, CollapseOptions.UNLIMITED}) {
                Subject subject = kind.subject(
                        CollapseOptions.builder()
                                .maxConcurrentBatches(limit)
                                .callTimeout(Duration.ofHours(1))
                                .build(),
                        backend);
                for (int i = 0; i < CALLERS; i++) {
                    callers.add(subject.submit(kind + " " + i));
                }
            }
        }

        try {
            expectAWindowWithoutProcessorTime();
        } finally {
            backend.answerAll();
        }
        for (Caller caller : callers) {
            assertThat(caller.output()).startsWith("answer to ");
        }
        Eventually.untilEmpty(Threads::ofOurs);
    }

    /** Callers need a while until they wait, so there are some attempts; who polls uses a little in all of them. */
    private static void expectAWindowWithoutProcessorTime() throws InterruptedException {
        Map<String, Long> used = Map.of();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Map<String, Long> before = processorTimes();
            Thread.sleep(WINDOW.toMillis());
            used = processorTimes();
            used.replaceAll((thread, time) -> time - before.getOrDefault(thread, 0L));
            used.values().removeIf(time -> time == 0);
            used.entrySet()
                    .removeIf(each -> mindsTheTime(each.getKey())
                            && each.getValue() <= FOR_THE_TIMER.toNanos() * WINDOW.toSeconds());
            if (used.isEmpty()) {
                return;
            }
        }
        assertThat(used).as("nanoseconds of each thread in %s", WINDOW).isEmpty();
    }

    private static boolean mindsTheTime(String thread) {
        return thread.equals(SystemScheduler.TIMER_THREAD) || thread.startsWith(SystemScheduler.DUE_THREADS);
    }

    private static Map<String, Long> processorTimes() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Map<String, Long> times = new TreeMap<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (NAMES.stream().anyMatch(thread.getName()::startsWith)) {
                times.merge(thread.getName(), threads.getThreadCpuTime(thread.getId()), Long::sum);
            }
        }
        assertThat(times).containsKey(SystemScheduler.TIMER_THREAD);
        return times;
    }
}
