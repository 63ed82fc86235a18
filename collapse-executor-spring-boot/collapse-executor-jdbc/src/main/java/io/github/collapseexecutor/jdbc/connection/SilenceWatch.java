package io.github.collapseexecutor.jdbc.connection;

import io.github.collapseexecutor.core.LibraryThreads;
import io.github.collapseexecutor.jdbc.writer.WriterThreads;
import java.sql.Connection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Aborts a connection whose driver has been busy with one step for longer than the network time-out. That time-out bounds how
 * long a driver waits for an answer only. A driver that is stuck while it sends, because the database reads no more, waits for
 * ever. From outside, a driver that is stuck looks like one to which the statements of a batch are answered one after the other. So a
 * step that has several answers may take a few time-outs: enough for slow statements, and not for ever.
 *
 * <p>A step costs one reading of the clock. The steps are looked at a few times in the course of a time-out, and only while
 * something is being written. Public for other packages of the library only.
 */
public final class SilenceWatch {

    private static final int LOOKS = 4;

    /** So many answers of a step may each take the time-out. */
    private static final int SLOW_ANSWERS = 4;

    /** A part of what a {@code long} holds, so that sums of a few of it and the time do. */
    private static final long LONGEST = Long.MAX_VALUE / (4 * SLOW_ANSWERS);

    // immutable
    private final long nanos;

    // mutable, thread-safe
    private final Set<Watched> active = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();

    /** @param timeout zero for no watch */
    SilenceWatch(Duration timeout) {
        nanos = Math.min(LONGEST, timeout.toNanos());
    }

    /**
     * Watches a connection until that is closed which is returned.
     *
     * @param own how long the database may be silent on that connection, if that is longer
     */
    Watched watch(Connection connection, Duration own) {
        Watched watched = new Watched(connection, Math.max(nanos, own.toNanos()));
        if (nanos > 0) {
            active.add(watched);
            if (looking.compareAndSet(false, true)) {
                lookLater();
            }
        }
        return watched;
    }

    private void lookLater() {
        Future<?> unused = LibraryThreads.after(nanos / LOOKS + 1, this::look);
    }

    private void look() {
        long now = System.nanoTime();
        for (Watched watched : active) {
            if (now - watched.abortAt > 0) {
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
    public final class Watched implements AutoCloseable {

        // immutable
        private final Connection connection;
        private final long silence;

        // mutable, confined to the writing thread
        private long overdueAt;
        // mutable, written by the writing thread and read by the one that looks
        /** Later than {@link #overdueAt}: the network time-out comes first, where it is one for the driver, too. */
        private volatile long abortAt;

        private Watched(Connection connection, long silence) {
            this.connection = connection;
            this.silence = silence;
            step();
        }

        /** The driver is about to be asked for something else. */
        public void step() {
            step(1);
        }

        /** The driver is about to be asked for something that the database gives so many answers to. */
        public void step(int answers) {
            long longest = Math.min(silence, LONGEST) * Math.min(answers, SLOW_ANSWERS);
            overdueAt = System.nanoTime() + longest;
            abortAt = overdueAt + longest / LOOKS;
        }

        /** Whether the last step takes, or took, longer than the database may be silent. */
        public boolean isOverdue() {
            return nanos > 0 && System.nanoTime() - overdueAt >= 0;
        }

        private void abort() {
            if (!active.remove(this)) {
                return; // by its own end, or aborted already
            }
            BatchConnections.abort(connection);
        }

        @Override
        public void close() {
            if (nanos > 0) {
                active.remove(this);
            }
        }
    }
}
