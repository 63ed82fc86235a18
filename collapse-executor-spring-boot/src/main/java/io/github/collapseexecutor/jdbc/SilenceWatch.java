package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Aborts a connection whose driver has been busy with one step for longer than the network time-out. That time-out bounds how
 * long a driver waits for an answer only. A driver that is stuck while it sends, because the database reads no more, waits for
 * ever.
 *
 * <p>A step costs one reading of the clock. The steps are looked at a few times in the course of a time-out, and only while
 * something is being written.
 */
final class SilenceWatch {

    private static final int LOOKS = 4;

    // immutable
    private final long nanos;

    // mutable, thread-safe
    private final Set<Watched> active = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();

    /** @param timeout zero for no watch */
    SilenceWatch(Duration timeout) {
        nanos = timeout.toNanos();
    }

    /** Watches a connection until that is closed which is returned. */
    Watched watch(Connection connection) {
        Watched watched = new Watched(connection);
        if (nanos > 0) {
            active.add(watched);
            if (looking.compareAndSet(false, true)) {
                lookLater();
            }
        }
        return watched;
    }

    private void lookLater() {
        CompletableFuture.delayedExecutor(nanos / LOOKS + 1, TimeUnit.NANOSECONDS, WriterThreads.INSTANCE)
                .execute(this::look);
    }

    private void look() {
        long now = System.nanoTime();
        for (Watched watched : active) {
            // The network time-out comes first, where it is one for the driver, too.
            if (now - watched.stepAt > nanos + nanos / LOOKS) {
                WriterThreads.INSTANCE.execute(watched::abort);
            }
        }
        if (!active.isEmpty()) {
            lookLater();
            return;
        }
        looking.set(false);
        if (!active.isEmpty() && looking.compareAndSet(false, true)) { // added in between
            lookLater();
        }
    }

    /** A connection on which something is being written. */
    final class Watched implements AutoCloseable {

        // immutable
        private final Connection connection;

        // mutable, written by the writing thread and read by the one that looks
        private volatile long stepAt = System.nanoTime();

        private Watched(Connection connection) {
            this.connection = connection;
        }

        /** The driver is about to be asked for something else. */
        void step() {
            stepAt = System.nanoTime();
        }

        /** Whether the last step takes, or took, longer than the database may be silent. */
        boolean isOverdue() {
            return nanos > 0 && System.nanoTime() - stepAt >= nanos;
        }

        private void abort() {
            if (!active.remove(this)) {
                return; // by its own end, or aborted already
            }
            try {
                connection.abort(Runnable::run);
            } catch (SQLException | RuntimeException ignored) {
                // Then it is broken already.
            }
        }

        @Override
        public void close() {
            if (nanos > 0) {
                active.remove(this);
            }
        }
    }
}
