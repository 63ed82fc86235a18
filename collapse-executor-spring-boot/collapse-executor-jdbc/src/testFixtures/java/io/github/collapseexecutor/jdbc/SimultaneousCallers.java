package io.github.collapseexecutor.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Threads that make their calls at the same time. */
public final class SimultaneousCallers {

    private static final long SECONDS_AT_MOST = 120;

    private SimultaneousCallers() {}

    /** Has each caller make its call on a thread of its own; the outcomes are in order of the callers. */
    static <V> List<WriteResult<V>> all(int number, IntFunction<Callable<V>> calls) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<FutureTask<V>> tasks = new ArrayList<>();
        for (int index = 0; index < number; index++) {
            Callable<V> call = calls.apply(index);
            tasks.add(start(() -> {
                start.await();
                return call.call();
            }));
        }
        start.countDown();
        List<WriteResult<V>> outcomes = new ArrayList<>();
        for (FutureTask<V> task : tasks) {
            outcomes.add(outcome(task));
        }
        return outcomes;
    }

    public static <V> FutureTask<V> start(Callable<V> call) {
        FutureTask<V> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task;
    }

    static <V> WriteResult<V> outcome(FutureTask<V> task) throws Exception {
        try {
            return WriteResult.of(task.get(SECONDS_AT_MOST, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return WriteResult.failed(e.getCause());
        }
    }
}
