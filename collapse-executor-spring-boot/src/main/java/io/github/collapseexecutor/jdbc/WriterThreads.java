package io.github.collapseexecutor.jdbc;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that batches are written on: daemons, as many as there are batches, that end when they are idle.
 *
 * <p>They are no caller's, so that no interruption of a caller's reaches a driver, which would break the connection for all
 * (a socket that a virtual thread reads, H2's file), and no thread-local of a caller's decides where the rows of others
 * go (a routing data source). They are shared with no code that could wait for a write, so that a write never waits for a
 * thread.
 *
 * <p>The batch that has gathered while another was written is written by another thread, while the first answers its
 * callers. That pays if there are many to be answered. A few are answered before another thread has woken up; then the writer
 * {@linkplain #keepNext keeps} the next batch, answers, and goes on with it, and a caller that comes back with a new row in the
 * meantime still gets in: for these it {@linkplain ReturningCallers waits}, a moment. No code of the user's may run on a thread that
 * keeps a batch: it might wait for that batch.
 */
final class WriterThreads {

    static final Executor INSTANCE = WriterThreads::execute;

    private static final Executor POOL =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), Writer::new);

    private WriterThreads() {}

    private static void execute(Runnable batch) {
        boolean kept = Thread.currentThread() instanceof Writer writer && writer.keeps(batch);
        if (!kept && !ReturningCallers.offer(batch)) {
            POOL.execute(() -> write(batch));
        }
    }

    private static void write(Runnable first) {
        Writer writer = (Writer) Thread.currentThread();
        try {
            for (Runnable batch = first; batch != null; batch = writer.next()) {
                batch.run();
            }
        } finally {
            handOver();
        }
    }

    /**
     * Has the calling writer keep the batch that follows the one that it has written, until it has answered for this one.
     *
     * @param returning whom it waits for then; null for nobody
     */
    static void keepNext(ReturningCallers.@Nullable Awaited returning) {
        if (Thread.currentThread() instanceof Writer writer) {
            writer.keepsNext = true;
            writer.returning = returning;
        } else if (returning != null) {
            pass(returning.close());
        }
    }

    /** Has the calling writer keep nothing, and gives what it keeps to another, because code of the user's is to run now. */
    static void handOver() {
        if (Thread.currentThread() instanceof Writer writer) {
            pass(writer.release());
        }
    }

    private static void pass(@Nullable Runnable batch) {
        if (batch != null) {
            POOL.execute(() -> write(batch));
        }
    }

    private static final class Writer extends Thread {

        private static final AtomicInteger NUMBER = new AtomicInteger();

        // mutable, confined to this thread
        private boolean keepsNext;
        private @Nullable Runnable next;
        private ReturningCallers.@Nullable Awaited returning;

        Writer(Runnable task) {
            super(null, task, "collapse-executor-writer-" + NUMBER.getAndIncrement(), 0, false);
            setDaemon(true);
            setContextClassLoader(WriterThreads.class.getClassLoader());
        }

        boolean keeps(Runnable batch) {
            if (!keepsNext || next != null) {
                return false;
            }
            next = batch;
            return true;
        }

        /** The batch to go on with, when those have come who come back at once; null for none. */
        @Nullable Runnable next() {
            if (returning != null) {
                returning.await();
            }
            return release();
        }

        @Nullable Runnable release() {
            Runnable batch = next;
            Runnable opened = returning == null ? null : returning.close();
            next = null;
            keepsNext = false;
            returning = null;
            if (batch == null) {
                return opened;
            }
            pass(opened);
            return batch;
        }
    }
}
