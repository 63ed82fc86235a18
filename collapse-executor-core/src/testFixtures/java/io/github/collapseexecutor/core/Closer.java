package io.github.collapseexecutor.core;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that closes an executor. */
final class Closer {

    private final FutureTask<Boolean> task;
    final Thread thread;
    volatile boolean interruptedAfter;

    Closer(CollapseExecutor executor, Duration drain) {
        task = new FutureTask<>(() -> {
            boolean ended = executor.close(drain);
            interruptedAfter = Thread.currentThread().isInterrupted();
            return ended;
        });
        thread = new Thread(task, "closer");
        thread.setDaemon(true);
        thread.start();
    }

    Closer awaitWaiting() {
        awaitWaiting(thread, task);
        return this;
    }

    /** Returns when a thread that is about to close waits, or does not because it has closed already. */
    static void awaitWaiting(Thread thread, Future<?> closed) {
        Eventually.until(() -> LockSupport.getBlocker(thread) instanceof Closing || closed.isDone());
    }

    boolean result() throws Exception {
        return task.get(10, TimeUnit.SECONDS);
    }
}
