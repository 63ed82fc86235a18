package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sends batches to executors, and again if an executor does not begin one. */
final class Dispatcher<I extends @Nullable Object, O extends @Nullable Object> {

    /** A task that is dropped cannot be told from one that waits long for a thread. */
    private static final long ONE_SECOND = TimeUnit.SECONDS.toNanos(1);

    // immutable
    private final CollapseEngine<I, O> engine;
    /** Gives the executor that the batches of a group run on. */
    private final Function<Object, ? extends Executor> executorOf;

    private final boolean mayBlock;
    private final Consumer<Batch<I, O>> run;
    private final BiConsumer<Batch<I, O>, Throwable> fail;
    /** Looks after batches that executors were given. */
    private final LateWatch<Batch<I, O>> watch;

    /**
     * Creates a dispatcher.
     *
     * @param mayBlock whether an execution may block its thread
     * @param run runs a batch on the thread of its executor
     * @param fail ends a batch that no executor will run
     */
    Dispatcher(
            CollapseEngine<I, O> engine,
            Function<Object, ? extends Executor> executorOf,
            boolean mayBlock,
            Consumer<Batch<I, O>> run,
            BiConsumer<Batch<I, O>, Throwable> fail) {
        this.engine = engine;
        this.executorOf = executorOf;
        this.mayBlock = mayBlock;
        this.run = run;
        this.fail = fail;
        this.watch = new LateWatch<>(
                engine.scheduler(), ONE_SECOND, engine::isDispatched, this::dispatchAgain, engine.userCode());
    }

    /**
     * Sends a batch to its executor, which may refuse it with an exception.
     *
     * @return whether the executor has brought it back, to be run on this very thread
     */
    boolean dispatch(Batch<I, O> batch) {
        Executor executor = executorFor(batch);
        DispatchedBatch task = new DispatchedBatch(batch);
        executor.execute(task);
        if (task.wasBroughtBack()) {
            return true;
        }
        if (executor != engine.scheduler().spareThreads()) {
            watch.add(batch);
        }
        return false;
    }

    /** A batch has been begun. */
    void begun(Batch<I, O> batch) {
        watch.remove(batch);
    }

    private Executor executorFor(Batch<I, O> batch) {
        if (mayBlock && batch.isAside()) {
            return engine.scheduler().spareThreads(); // all threads of the given one may be waiting for this batch
        }
        return requireNonNull(
                executorOf.apply(batch.group.value()),
                "executorOf returned null: it must return the executor of the group");
    }

    /**
     * Dispatches a batch that its executor was given and has not begun for long: the task may be lost. If it is not, one of
     * the two tasks finds the batch begun.
     */
    private void dispatchAgain(Batch<I, O> batch) {
        try {
            Executor executor = executorFor(batch);
            if (executor instanceof ExecutorService && ((ExecutorService) executor).isTerminated()) {
                fail.accept(
                        batch,
                        new RejectedExecutionException("The executor of " + engine.name()
                                + " was shut down before it began the batch: give a new one, or shut it down later"));
                return;
            }
            DispatchedBatch task = new DispatchedBatch(batch);
            executor.execute(task);
            if (task.wasBroughtBack()) {
                run.accept(batch);
            }
        } catch (Throwable refused) {
            return; // It may hold the task that it was given before, and is asked again later.
        }
    }

    /** A batch in the hands of an executor. */
    private final class DispatchedBatch implements Runnable {

        // immutable
        private final Batch<I, O> batch;

        // mutable; the thread that is inside execute(): if that very thread runs the task, it must not nest
        private volatile @Nullable Thread dispatcher = Thread.currentThread();
        // mutable, confined to the dispatcher
        private boolean broughtBack;

        DispatchedBatch(Batch<I, O> batch) {
            this.batch = batch;
        }

        @Override
        public void run() {
            if (dispatcher == Thread.currentThread()) {
                broughtBack = true;
            } else {
                run.accept(batch);
            }
        }

        boolean wasBroughtBack() {
            dispatcher = null;
            return broughtBack;
        }
    }
}
