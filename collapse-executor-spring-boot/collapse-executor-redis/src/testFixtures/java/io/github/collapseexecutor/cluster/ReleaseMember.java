package io.github.collapseexecutor.cluster;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * An instance of release 1 or 2 as a process. Its callers read a register, write it at times, and check every answer. The releases return numbers of
 * another meaning by a codec of another format, and values of another type by the codec of plain values: one that gets an answer of the other notices.
 *
 * <p>It writes what it has counted to its output, a line each time, until it reads {@code end}.
 */
public final class ReleaseMember {

    private static final long HUNG_MILLIS = 30_000;

    /** What a number of release 2 is greater by. */
    private static final long OFFSET = 1L << 40;

    private final long offset;
    private final ResultCodec<Long> codec;
    private final ClusterBackend.Client backend;
    private final ClusterCalls calls;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final LongAdder answers = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder wrong = new LongAdder();
    private final AtomicInteger running = new AtomicInteger();

    private ReleaseMember(int release, ClusterBackend.Client backend, ClusterCalls calls) {
        this.offset = release == 1 ? 0 : OFFSET;
        this.codec = RegisterLoad.NUMBER.withFormat("number " + release);
        this.backend = backend;
        this.calls = calls;
    }

    /** Takes the port of Redis, the address of the backend, the release, the milliseconds of a lease and the number of callers. */
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // for what libraries log
        ClusterOptions options = Instance.options()
                .maxDelay(Duration.ofMillis(50))
                .maxWaitRatio(0.5) // on a busy machine, callers come late: they are waited for
                .lease(Duration.ofMillis(Long.parseLong(arguments[3])))
                .build();
        ReleaseMember member = new ReleaseMember(
                Integer.parseInt(arguments[2]),
                new ClusterBackend.Client(arguments[1]),
                new ClusterCalls(ClusterRedis.connectionFactory(Integer.parseInt(arguments[0])), options));
        List<Thread> callers = member.start(Integer.parseInt(arguments[4]));
        Thread telling = new Thread(() -> member.tell(out));
        telling.setDaemon(true);
        telling.start();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        orders.readLine(); // "end", or the test is over
        member.ended.set(true);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HUNG_MILLIS);
        for (Thread caller : callers) {
            TimeUnit.NANOSECONDS.timedJoin(caller, Math.max(1, end - System.nanoTime()));
        }
        out.println(member.counts() + " ended");
        member.calls.close();
        System.exit(0);
    }

    private List<Thread> start(int count) {
        BlockingCallableGroupCollapseExecutor numbers = new BlockingCallableGroupCollapseExecutor();
        BlockingCallableGroupCollapseExecutor plain =
                new BlockingCallableGroupCollapseExecutor(CollapseOptions.builder()
                        .callWrapper(calls.wrapper("plain", ResultCodec.ofPlainValues()))
                        .build());
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread caller = new Thread(() -> {
                running.incrementAndGet();
                while (!ended.get()) {
                    read(numbers, plain);
                }
                running.decrementAndGet();
            });
            caller.setDaemon(true);
            caller.start();
            callers.add(caller);
        }
        return callers;
    }

    private void read(BlockingCallableGroupCollapseExecutor numbers, BlockingCallableGroupCollapseExecutor plain) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        try {
            if (random.nextInt(100) < 5) {
                backend.write();
            }
            long atLeast = backend.ended();
            long read;
            if (random.nextBoolean()) {
                read = numbers.execute(
                                RegisterLoad.KEY, calls.shared(RegisterLoad.KEY, () -> backend.read() + offset, codec))
                        - offset;
            } else if (offset == 0) {
                read = plain.<Long>execute("register", backend::read);
            } else {
                read = Long.parseLong(plain.<String>execute("register", () -> Long.toString(backend.read())));
            }
            answers.increment();
            if (read < 0 || read >= OFFSET / 2) {
                wrong.increment();
            } else if (read < atLeast) {
                stale.increment();
            }
        } catch (ClusterBackend.BrokenException expected) {
            failed.increment();
        } catch (Throwable failure) {
            failure.printStackTrace();
            wrong.increment();
        }
    }

    private String counts() {
        ClusterCounts shared = calls.counts();
        return answers + " " + failed + " " + stale + " " + wrong + " " + running + " " + shared.led() + " "
                + shared.taken() + " " + shared.alone();
    }

    private void tell(PrintStream out) {
        try {
            while (!ended.get()) {
                out.println(counts());
                Thread.sleep(100);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
