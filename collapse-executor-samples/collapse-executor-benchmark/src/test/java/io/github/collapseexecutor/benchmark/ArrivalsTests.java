package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Callers come as they are to, however busy the machine is. */
class ArrivalsTests {

    private static final long TIME = TimeUnit.MILLISECONDS.toNanos(50);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void inAnOpenLoopNobodyIsLeftOutThoughNobodyIsAnswered() throws InterruptedException {
        List<Long> dues = new CopyOnWriteArrayList<>();
        long begin = System.nanoTime();
        long until = begin + TIME;
        ExecutorService oneThread = Executors.newSingleThreadExecutor();
        Arrivals.perSecond(20_000).come(begin, until, oneThread, dues::add);
        oneThread.shutdown();
        assertThat(oneThread.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        // 1 000 are expected, at a standard deviation of 32.
        assertThat(dues)
                .hasSizeBetween(800, 1_200)
                .isSorted()
                .allSatisfy(due -> assertThat(due - until).isNegative());
    }

    @Test
    void theGapsOfAnOpenLoopAreThoseOfChance() throws InterruptedException {
        List<Long> dues = new CopyOnWriteArrayList<>();
        ExecutorService oneThread = Executors.newSingleThreadExecutor();
        long begin = System.nanoTime();
        Arrivals.perSecond(20_000).come(begin, begin + TIME, oneThread, dues::add);
        oneThread.shutdown();
        assertThat(oneThread.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        long mean = TimeUnit.SECONDS.toNanos(1) / 20_000;
        double shorter = (double) IntStream.range(1, dues.size())
                        .filter(i -> dues.get(i) - dues.get(i - 1) < mean)
                        .count()
                / (dues.size() - 1);
        // Of exponential gaps, 1 - 1/e are shorter than the mean; of even ones all or none.
        assertThat(shorter).isBetween(0.55, 0.71);
    }

    @Test
    void inAClosedLoopNobodyCallsBeforeItIsAnswered() throws InterruptedException {
        AtomicInteger present = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        LongAdder calls = new LongAdder();
        long begin = System.nanoTime();
        Arrivals.inLoop(3).come(begin, begin + 10 * TIME, threads, due -> {
            most.accumulateAndGet(present.incrementAndGet(), Math::max);
            calls.increment();
            present.decrementAndGet();
        });
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(most).hasValueBetween(1, 3);
        assertThat(calls.sum()).isGreaterThan(3);
    }
}
