package io.github.collapseexecutor.sample.simple;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A hundred callers ask for the same price at the same time, each way once, and a table says how often the price was looked up.
 *
 * <p>{@link JoinMode#FRESH}, the default, never answers with a call that began before its caller asked. {@link JoinMode#IN_FLIGHT}
 * does, so that one call is enough.
 */
public final class HundredCallers {

    static final int CALLERS = 100;
    private static final long LOOKUP_MILLIS = 100;

    private HundredCallers() {}

    /** Runs it; takes no arguments. */
    public static void main(String[] arguments) throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        Callable<String> lookup = () -> {
            Thread.sleep(LOOKUP_MILLIS);
            lookups.incrementAndGet();
            return "42.00";
        };
        BlockingCallableGroupCollapseExecutor fresh = new BlockingCallableGroupCollapseExecutor();
        BlockingCallableGroupCollapseExecutor inFlight =
                new BlockingCallableGroupCollapseExecutor(CollapseOptions.defaults().toBuilder()
                        .joinMode(JoinMode.IN_FLIGHT)
                        .build());

        show("each by itself", lookups, lookup);
        show("fresh", lookups, () -> fresh.execute("price of 7", lookup));
        show("in flight", lookups, () -> inFlight.execute("price of 7", lookup));
    }

    private static void show(String way, AtomicInteger lookups, Callable<String> call) throws Exception {
        lookups.set(0);
        long start = System.nanoTime();
        askAll(call);
        System.out.printf(
                "%-15s %d callers, %3d lookups, %3d ms%n",
                way, CALLERS, lookups.get(), (System.nanoTime() - start) / 1_000_000);
    }

    private static void askAll(Callable<String> call) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            for (Future<String> answer : callers.invokeAll(Collections.nCopies(CALLERS, call))) {
                answer.get();
            }
        } finally {
            callers.shutdown();
        }
    }
}
