package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A thread that appends one record. */
final class Appender {

    private final FutureTask<Long> task;
    private final Thread thread;

    private Appender(CommitLog log, byte[] record) {
        task = new FutureTask<>(() -> log.append(record));
        thread = new Thread(task, "appends");
        thread.start();
    }

    static Appender of(CommitLog log, String record) {
        return of(log, record.getBytes(UTF_8));
    }

    static Appender of(CommitLog log, byte[] record) {
        return new Appender(log, record);
    }

    /** Returns when the thread waits for its record. */
    Appender awaitWaiting() {
        await().atMost(Duration.ofMinutes(1)).until(() -> thread.getState() == Thread.State.WAITING);
        return this;
    }

    Appender interrupt() {
        thread.interrupt();
        return this;
    }

    boolean isDone() {
        return task.isDone();
    }

    long lsn() throws Exception {
        return task.get(1, TimeUnit.MINUTES);
    }

    Throwable failure() throws InterruptedException, TimeoutException {
        try {
            throw new AssertionError("It was acknowledged as " + task.get(1, TimeUnit.MINUTES));
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
