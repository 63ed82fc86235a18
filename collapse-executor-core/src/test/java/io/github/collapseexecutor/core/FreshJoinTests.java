package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Read-your-own-writes: nobody gets an answer that was computed before it asked. */
class FreshJoinTests {

    private static final int THREADS = 16;
    private static final Duration RUN = Duration.ofSeconds(1);

    /** Of each thread, however busy the machine is. */
    private static final int READS_AT_LEAST = 64;

    /** The register that is written directly and read through the collapser. */
    private final AtomicLong register = new AtomicLong();

    private interface Reader {

        long read() throws Exception;
    }

    private long slowRead() {
        long value = register.get();
        // The answer is computed; a caller that writes and asks from now on must not be given it.
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(200_000));
        return value;
    }

    private Reader reader(Kind kind, CollapseOptions options) {
        return switch (kind) {
            case BLOCKING -> {
                BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options);
                yield () -> executor.<Long>execute("register", this::slowRead);
            }
            case ASYNC -> {
                AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(options);
                yield () -> executor.<Long>execute("register", this::slowRead).get(10, TimeUnit.SECONDS);
            }
            case FUTURE -> {
                FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(options);
                yield () -> executor.<Long>execute("register", () -> {
                            long value = register.get();
                            return CompletableFuture.supplyAsync(
                                    () -> value,
                                    CompletableFuture.delayedExecutor(
                                            ThreadLocalRandom.current().nextLong(200), TimeUnit.MICROSECONDS));
                        })
                        .get(10, TimeUnit.SECONDS);
            }
        };
    }

    private record Run(long reads, long stale) {}

    private Run run(Reader reader) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long end = System.nanoTime() + RUN.toNanos();
            List<Future<Run>> runs = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                runs.add(threads.submit(() -> {
                    long reads = 0;
                    long stale = 0;
                    while (System.nanoTime() < end || reads < READS_AT_LEAST) {
                        long written = register.incrementAndGet();
                        stale += reader.read() < written ? 1 : 0;
                        reads++;
                    }
                    return new Run(reads, stale);
                }));
            }
            long reads = 0;
            long stale = 0;
            for (Future<Run> each : runs) {
                reads += each.get(30, TimeUnit.SECONDS).reads();
                stale += each.get().stale();
            }
            return new Run(reads, stale);
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void P03_everybodyReadsTheirOwnWrites(Kind kind) throws Exception {
        Run run = run(reader(kind, CollapseOptions.defaults()));
        assertThat(run.stale()).as("stale reads of %s", run.reads()).isZero();
        assertThat(run.reads()).isGreaterThan(1_000);
    }

    /** Shows that the run above would notice: joining calls in flight is exactly what breaks it. */
    @Test
    void P03_joiningCallsInFlightReadsStaleValuesAsItsDocumentationSays() throws Exception {
        Run run = run(reader(
                Kind.BLOCKING,
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build()));
        assertThat(run.stale()).isPositive();
    }
}
