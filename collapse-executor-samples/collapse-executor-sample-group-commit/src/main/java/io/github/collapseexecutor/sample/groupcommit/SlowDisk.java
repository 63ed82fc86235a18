package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands for a disk that is slow to sync, a hard disk for example: each commit waits for a sync of it before it is sent, while its
 * transaction still holds its locks.
 *
 * <p>It makes one sync at a time. As in MariaDB's own group commit, all commits that come during a sync share the next one. It does
 * not slow down what a server writes in the background, and does not bound how much.
 */
final class SlowDisk {

    // immutable
    private final BlockingCallableGroupCollapseExecutor syncs = new BlockingCallableGroupCollapseExecutor(
            CollapseOptions.builder().name("slow-disk").maxConcurrentBatches(1).build());

    private final Sync sync;

    // mutable
    private volatile Duration delay = Duration.ZERO;

    /** Takes so many nanoseconds. */
    interface Sync {
        void take(long nanos) throws InterruptedException;
    }

    SlowDisk() {
        this(SlowDisk::sleep);
    }

    SlowDisk(Sync sync) {
        this.sync = sync;
    }

    /** Sets how long a sync takes; zero for none. */
    void delay(Duration delay) {
        this.delay = delay;
    }

    /** Returns when a sync that began after this call has ended. */
    void sync() throws SQLException {
        long nanos = delay.toNanos();
        if (nanos == 0) {
            return;
        }
        try {
            syncs.execute("sync", () -> {
                sync.take(nanos);
                return true;
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while the slow disk synced; the commit was not sent", e);
        } catch (Exception e) {
            throw new SQLException("The slow disk failed; the commit was not sent", e);
        }
    }

    /** Sleeps as exactly as the system can, which for a fraction of a millisecond {@link Thread#sleep} does not. */
    private static void sleep(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** How many commits wait, or have their sync. */
    int waiting() {
        return syncs.counts().callers();
    }
}
