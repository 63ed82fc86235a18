package io.github.collapseexecutor.benchmark;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Measures what {@code maxWaitRatio} promises: from its call to the start of the execution that answers it, a caller waits
 * no longer than that part of the age of the oldest call in flight.
 *
 * <p>Which call that is, and when executions begin and end, the backend says, not the engine. The bound of a caller is the
 * ratio of the age, when the caller's execution begins, of the call that was the oldest in flight when the caller came; or
 * of its age when it ended, if that was before: then its end was what let the execution begin. The rest is the time that the machine takes to wake a
 * thread. It is measured beside, by threads that only park.
 *
 * <p>Arguments: a folder for the chart (none without), seconds to measure each line for (5), the ratio (0.1).
 */
public final class AddedWait {

    private static final String GROUP = "product 7";
    private static final long[] CALL_MICROS = {200, 1_000, 10_000, 100_000};
    private static final List<Arrivals> ARRIVALS = List.of(
            Arrivals.perSecond(200), Arrivals.perSecond(2_000), Arrivals.perSecond(20_000), Arrivals.inLoop(64));
    private static final long WARM_UP = TimeUnit.SECONDS.toNanos(1);

    // immutable
    private final AgedBackend backend;
    private final BlockingCallableGroupCollapseExecutor executor;
    private final double ratio;
    private final WaitTally tally;
    private final TimerSlack timer = new TimerSlack();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    private AddedWait(long callNanos, double ratio, WaitTally tally) {
        this.backend = new AgedBackend(callNanos);
        this.executor = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().maxWaitRatio(ratio).build());
        this.ratio = ratio;
        this.tally = tally;
    }

    /**
     * Measures, prints a table and draws a chart.
     *
     * @param args the folder, the seconds and the ratio
     */
    public static void main(String[] args) throws Exception {
        long seconds = args.length > 1 ? Long.parseLong(args[1]) : 5;
        double ratio = args.length > 2 ? Double.parseDouble(args[2]) : 0.1;
        System.out.printf(
                Locale.ROOT,
                "JDK %s, processors: %d, callers on %s threads, maxWaitRatio: %s, seconds a line: %d%n%n%s",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                VirtualThreads.exist() ? "virtual" : "platform",
                ratio,
                seconds,
                AddedWaitRow.HEADING);
        AddedWaitRow unused =
                measure(CALL_MICROS[0], ARRIVALS.get(2), ratio, WARM_UP, WARM_UP); // compiles what is measured
        List<AddedWaitRow> rows = new ArrayList<>();
        for (long callMicros : CALL_MICROS) {
            for (Arrivals arrivals : ARRIVALS) {
                AddedWaitRow row = measure(callMicros, arrivals, ratio, WARM_UP, TimeUnit.SECONDS.toNanos(seconds));
                System.out.print(row.toMarkdown());
                rows.add(row);
            }
        }
        if (args.length > 0) {
            write(Path.of(args[0]), AddedWaitRow.chart(rows, ratio));
        }
    }

    private static void write(Path folder, LineChart chart) throws IOException {
        Path file = Files.createDirectories(folder).resolve("added-wait.svg");
        Files.writeString(file, chart.toSvg());
        System.err.println(file);
    }

    static AddedWaitRow measure(long callMicros, Arrivals arrivals, double ratio, long warmUp, long nanos)
            throws Exception {
        long callNanos = TimeUnit.MICROSECONDS.toNanos(callMicros);
        long begin = System.nanoTime();
        long from = begin + warmUp;
        long until = from + nanos;
        AddedWait measured = new AddedWait(callNanos, ratio, new WaitTally(from, until));
        ExecutorService threads = VirtualThreads.exist() ? VirtualThreads.executor() : Executors.newCachedThreadPool();
        long executions = measured.run(arrivals, Math.round(ratio * callNanos), begin, from, until, threads);
        if (measured.failure.get() != null) {
            throw measured.failure.get();
        }
        return AddedWaitRow.of(callMicros, arrivals.toString(), ratio, measured.tally, executions, measured.timer);
    }

    /** Lets everybody come, and counts the executions of the time that is measured. */
    private long run(Arrivals arrivals, long park, long begin, long from, long until, ExecutorService threads)
            throws InterruptedException {
        long[] executions = new long[2];
        Thread counter = new Thread(() -> {
            Parking.until(from);
            timer.measure(park, until, threads);
            executions[0] = backend.executions();
            Parking.until(until);
            executions[1] = backend.executions();
        });
        counter.start();
        arrivals.come(begin, until, threads, this::call);
        counter.join();
        threads.shutdown();
        if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("Callers have no answer a minute after the last one came");
        }
        return executions[1] - executions[0];
    }

    private void call(long due) {
        try {
            AgedBackend.Execution oldest = backend.oldest();
            long submitted = System.nanoTime();
            AgedBackend.Execution mine = executor.execute(GROUP, backend::call);
            long age = oldest == null ? 0 : oldest.ageAt(mine.begin);
            tally.add(due, submitted, mine.begin, Math.round(ratio * age));
        } catch (Exception e) {
            failure.compareAndSet(null, e);
        }
    }
}
