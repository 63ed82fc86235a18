package io.github.collapseexecutor.jdbc.writer;

import org.jspecify.annotations.Nullable;

/**
 * Writes a batch, and then the batch that it keeps, until it keeps none. It has one thread of {@link WriterThreads} for that time.
 *
 * <p>The core passes no writer on: it calls the execution of a batch, and hands the next one to an {@code Executor}, on the thread that it
 * was given. So a writer is {@linkplain #present present} on its thread while it runs. A batch that begins takes its writer as a value.
 * Public for other packages of the library only.
 */
public final class Writer implements Runnable {

    private static final ThreadLocal<@Nullable Writer> PRESENT = new ThreadLocal<>();

    private enum State {
        /** Has a batch, and has not begun to write it. */
        READY,
        /** Writes, or runs code of the user's: another writer gets the next batch. */
        BUSY,
        /** Has written, and only answers the callers: it keeps the next batch. */
        ANSWERS,
        /** Has the next batch, and answers still. */
        KEEPS
    }

    // mutable, confined to the writer's thread: READY -> BUSY -> ANSWERS -> KEEPS -> READY, and each -> BUSY by
    // handOver()
    private State state = State.READY;
    private @Nullable Runnable batch;
    private ReturningCallers.@Nullable Awaited returning;

    /** @param first the batch to begin with */
    Writer(Runnable first) {
        this.batch = first;
    }

    /** The writer whose thread this is; null on any other thread. */
    static @Nullable Writer present() {
        return PRESENT.get();
    }

    /**
     * The writer that begins a batch of its own on this thread. Null for a batch inside another one, which code of the user's has asked for
     * and goes on after, and on a thread that is no writer's.
     */
    public static @Nullable Writer beginning() {
        Writer present = present();
        if (present == null || present.state != State.READY) {
            return null;
        }
        present.state = State.BUSY;
        return present;
    }

    /** Has the writer of this thread, if there is one, hand over, because code of the user's is to run now. */
    static void beforeUserCode() {
        Writer present = present();
        if (present != null) {
            present.handOver();
        }
    }

    @Override
    public void run() {
        PRESENT.set(this);
        try {
            for (Runnable next = release(); next != null; next = next()) {
                state = State.READY;
                next.run();
            }
        } finally {
            handOver();
            PRESENT.remove();
        }
    }

    /**
     * Says that this writer has written its batch, and that no code of the user's runs while the callers are answered.
     *
     * @param awaited callers that it waits for before it goes on; null for none
     */
    public void answers(ReturningCallers.@Nullable Awaited awaited) {
        state = State.ANSWERS;
        returning = awaited;
    }

    /** Keeps a batch, to write it next; false if another writer has to. */
    boolean keep(Runnable next) {
        if (state != State.ANSWERS) {
            return false;
        }
        state = State.KEEPS;
        batch = next;
        return true;
    }

    /** Gives the batch that this writer keeps to another one: code of the user's might wait for it. */
    private void handOver() {
        state = State.BUSY;
        WriterThreads.write(release());
    }

    /** The batch to go on with, when the callers have come that come back at once; null for none. */
    private @Nullable Runnable next() {
        if (returning != null) {
            returning.await();
        }
        return release();
    }

    private @Nullable Runnable release() {
        Runnable kept = batch;
        Runnable opened = returning == null ? null : returning.close();
        batch = null;
        returning = null;
        if (kept == null) {
            return opened;
        }
        WriterThreads.write(opened);
        return kept;
    }
}
