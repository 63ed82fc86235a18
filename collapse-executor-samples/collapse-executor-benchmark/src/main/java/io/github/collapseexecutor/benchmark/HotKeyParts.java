package io.github.collapseexecutor.benchmark;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Tells of what the time of a call of a hot key {@linkplain CallParts consists}, for very many callers: which part of a long time is
 * waiting for the start of an execution, which is the execution, and which is waiting for a turn to run.
 *
 * <p>Every caller calls in a loop, on a virtual thread where there are any. An execution parks for its time. The time that it takes beyond that, and the
 * whole of that of a {@linkplain Way#BARE bare} call, is the lateness of the scheduler.
 *
 * <p>Arguments: how many callers (10 000), how long the execution takes in microseconds (1 000), seconds of each way and
 * round (5), rounds (3).
 */
public final class HotKeyParts {

    private static final String KEY = "product 7";
    private static final List<Way> WAYS = List.of(Way.BARE, Way.MAP_OF_FUTURES, Way.FRESH, Way.IN_FLIGHT);

    static final String HEADING = """
            | callers | way | calls a second | p50 | until the start | execution | until the caller runs | p99 | until the start | execution | until the caller runs |
            |---|---|---|---|---|---|---|---|---|---|---|
            """;

    /**
     * One execution, by the clock of {@link System#nanoTime}.
     *
     * @param begin when it began
     * @param end when it had parked for its time
     */
    record Execution(long begin, long end) {

        static Execution lasting(long nanos) {
            long begin = System.nanoTime();
            Parking.until(begin + nanos);
            return new Execution(begin, System.nanoTime());
        }
    }

    private HotKeyParts() {}

    /**
     * Measures all ways in turn and prints a row for each and each round.
     *
     * @param args callers, microseconds, seconds and rounds
     */
    public static void main(String[] args) throws Exception {
        int callers = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
        long callMicros = args.length > 1 ? Long.parseLong(args[1]) : 1_000;
        long seconds = args.length > 2 ? Long.parseLong(args[2]) : 5;
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 3;
        System.out.printf(
                Locale.ROOT,
                "JDK %s, processors: %d, callers on %s threads, a call of %d µs, seconds a row: %d%n%n%s",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                VirtualThreads.exist() ? "virtual" : "platform",
                callMicros,
                seconds,
                HEADING);
        for (int round = 0; round <= rounds; round++) {
            List<Way> ways = new ArrayList<>(WAYS);
            if (round % 2 == 0) {
                Collections.reverse(ways);
            }
            for (Way way : ways) {
                String row = measure(way, callers, callMicros, TimeUnit.SECONDS.toNanos(seconds));
                if (round > 0) { // the first is to warm up
                    System.out.print(row);
                }
            }
        }
    }

    /** A row of the table. */
    static String measure(Way way, int callers, long callMicros, long nanos) throws Exception {
        Calls calls = way.calls(0.1);
        long callNanos = TimeUnit.MICROSECONDS.toNanos(callMicros);
        Collection<List<CallParts>> ofEach = new ConcurrentLinkedQueue<>();
        ThreadFactory threads = VirtualThreads.exist() ? VirtualThreads.factory() : Executors.defaultThreadFactory();
        long end = System.nanoTime() + nanos;
        List<FutureTask<Boolean>> running = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            FutureTask<Boolean> task = new FutureTask<>(() -> ofEach.add(callUntil(end, calls, callNanos)));
            running.add(task);
            threads.newThread(task).start();
        }
        for (FutureTask<Boolean> task : running) {
            task.get();
        }
        List<CallParts> all = ofEach.stream().flatMap(List::stream).toList();
        return String.format(
                Locale.ROOT,
                "| %d | `%s` | %s | %s | %s |%n",
                callers,
                way,
                Verdict.plain(all.size() * 1e9 / nanos),
                CallParts.at(50, all),
                CallParts.at(99, all));
    }

    private static List<CallParts> callUntil(long end, Calls calls, long nanos) throws Exception {
        List<CallParts> parts = new ArrayList<>();
        long called = System.nanoTime();
        while (called - end < 0) {
            Execution execution = (Execution) calls.call(KEY, () -> Execution.lasting(nanos));
            long back = System.nanoTime();
            parts.add(CallParts.of(called, execution, back));
            called = back;
        }
        return parts;
    }
}
