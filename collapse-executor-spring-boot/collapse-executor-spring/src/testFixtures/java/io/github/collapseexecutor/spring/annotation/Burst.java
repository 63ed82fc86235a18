package io.github.collapseexecutor.spring.annotation;

import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseExecutor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Calls that are made at the same time. */
public final class Burst {

    private static final Set<Thread.State> NOT_BUSY =
            EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

    private Burst() {}

    /** Starts a call on a thread of its own. */
    public static <T> FutureTask<T> start(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        start(task);
        return task;
    }

    private static Thread start(FutureTask<?> task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Makes calls, each on a thread of its own, and lets none of them through before all are present. The execution of each of the
     * first two begins before the next call is made, if it shares none: callers of two kinds in turn make two executions of
     * each kind, however late a thread comes.
     */
    public static <T> List<T> of(int callers, Gate gate, CollapseExecutor executor, IntFunction<Callable<T>> calls)
            throws Exception {
        return of(callers, 1, gate, executor, calls);
    }

    /** Does the same with calls of many inputs each, which the executor counts. */
    public static <T> List<T> of(
            int callers, int inputs, Gate gate, CollapseExecutor executor, IntFunction<Callable<T>> calls)
            throws Exception {
        gate.shut();
        List<FutureTask<T>> tasks = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try {
            for (int i = 0; i < callers; i++) {
                FutureTask<T> task = new FutureTask<>(calls.apply(i));
                tasks.add(task);
                threads.add(start(task));
                if (i < 2) {
                    inFlight(executor, inputs * (i + 1));
                }
            }
            present(executor, inputs * callers);
            waiting(threads);
        } finally {
            gate.open();
        }
        List<T> answers = new ArrayList<>();
        for (FutureTask<T> task : tasks) {
            answers.add(task.get(60, TimeUnit.SECONDS));
        }
        return answers;
    }

    /** Waits until so many callers are present, and no group of them is one that only gathers. */
    private static void inFlight(CollapseExecutor executor, int callers) {
        await().pollInterval(1, TimeUnit.MILLISECONDS)
                .atMost(60, TimeUnit.SECONDS)
                .until(
                        executor::counts,
                        counts -> counts.callers() == callers && counts.batchesInFlight() == counts.groups());
    }

    /**
     * Waits until no caller is busy. One that is still on its way from the call that it has begun to waiting for its end would find
     * that at its end, and go on with the batches behind it on its own thread.
     */
    private static void waiting(List<Thread> callers) {
        await().pollInterval(1, TimeUnit.MILLISECONDS)
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> callers.stream().map(Thread::getState).allMatch(NOT_BUSY::contains));
    }

    public static void present(CollapseExecutor executor, int callers) {
        await().atMost(60, TimeUnit.SECONDS).until(() -> executor.counts().callers() == callers);
    }
}
