package io.github.collapseexecutor.sample.commitlog.xa;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A thread that commits one transaction. */
final class Committer {

    // immutable
    private final FutureTask<Long> task;
    private final Thread thread;

    private Committer(TransactionStore store, int caller) {
        task = new FutureTask<>(() -> store.commit(StoreContent.rows(caller, 0)));
        thread = new Thread(task, "commits");
        thread.start();
    }

    static Committer of(TransactionStore store, int caller) {
        return new Committer(store, caller);
    }

    /** Returns when the thread waits for its transaction. */
    Committer awaitWaiting() {
        await().atMost(Duration.ofMinutes(1)).until(() -> thread.getState() == Thread.State.WAITING);
        return this;
    }

    Committer interrupt() {
        thread.interrupt();
        return this;
    }

    boolean isDone() {
        return task.isDone();
    }

    long xid() throws Exception {
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
