package io.github.collapseexecutor.jdbc.writer;

import io.github.collapseexecutor.core.LibraryThreads;
import java.util.concurrent.Executor;
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
 * callers. That pays if there are many to be answered. A few are answered before another thread has woken up; then the
 * {@link Writer} {@linkplain Writer#keep keeps} the next batch, answers, and goes on with it, and a caller that comes back with a new row
 * in the meantime still gets in: for these it {@linkplain ReturningCallers waits}, a moment. No code of the user's may run on a thread
 * that keeps a batch: it might wait for that batch. Public for other packages of the library only.
 */
public final class WriterThreads {

    public static final Executor INSTANCE = WriterThreads::execute;

    private static final Executor POOL = LibraryThreads.free("collapse-executor-writer-");

    private WriterThreads() {}

    private static void execute(Runnable batch) {
        Writer present = Writer.present();
        boolean kept = present != null && present.keep(batch);
        if (!kept && !ReturningCallers.offer(batch)) {
            write(batch);
        }
    }

    /** Has a writer of its own write a batch; does nothing if there is none. */
    static void write(@Nullable Runnable batch) {
        if (batch != null) {
            POOL.execute(new Writer(batch));
        }
    }
}
