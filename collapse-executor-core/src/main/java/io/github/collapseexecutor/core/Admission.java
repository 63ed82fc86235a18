package io.github.collapseexecutor.core;

import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts the callers of an executor, and refuses one that would exceed {@code maxPending} or comes after the close. */
final class Admission {

    // immutable
    private final String name;
    private final int maxPending;
    private final Reporter reporter;
    private final EngineScheduler scheduler;
    /** Null where nothing is bounded, and so nothing counted. */
    private final @Nullable AtomicInteger pending;

    // mutable; set once, guarded by this
    private volatile @Nullable Closing closing;

    Admission(CollapseOptions options, Reporter reporter, EngineScheduler scheduler) {
        this.name = options.name();
        this.maxPending = options.maxPending();
        this.reporter = reporter;
        this.scheduler = scheduler;
        this.pending = maxPending == CollapseOptions.UNLIMITED ? null : new AtomicInteger();
    }

    /** How many callers are counted in; 0 where nothing is bounded. */
    int callerCount() {
        return pending == null ? 0 : pending.get();
    }

    /** Counts a caller in, or refuses it; each caller counted in is {@linkplain #release() counted out} once. */
    void acquire(Object group) {
        refuseIfClosed(group);
        if (pending != null && pending.incrementAndGet() > maxPending) {
            pending.decrementAndGet();
            throw reporter.refused(
                    group,
                    new RejectedExecutionException("Executor \"" + name + "\" has maxPending = " + maxPending
                            + " callers already: call later, raise maxPending, or look for what holds them up"));
        }
    }

    /** Counts many callers in, one for each group, or refuses all of them. */
    void acquireAll(List<?> groups) {
        if (closing != null) {
            throw refusedAll(groups, closed());
        }
        if (pending == null) {
            return;
        }
        int callers = groups.size();
        int before;
        do {
            before = pending.get();
            if (callers > maxPending - before) {
                throw refusedAll(
                        groups,
                        new RejectedExecutionException(
                                "Executor \"" + name + "\" has " + before
                                        + " callers of maxPending = " + maxPending + " already, so that " + callers
                                        + " more are refused together: submit fewer at a time, call later, or raise maxPending"));
            }
        } while (!pending.compareAndSet(before, before + callers));
    }

    private <X extends RuntimeException> X refusedAll(List<?> groups, X refusal) {
        groups.forEach(group -> reporter.refused(group, refusal));
        return refusal;
    }

    /** Counts a caller out. */
    void release() {
        releaseAll(1);
    }

    /** Counts callers out. */
    void releaseAll(int callers) {
        if (pending != null) {
            pending.addAndGet(-callers);
        }
    }

    /**
     * Whether the executor is closed. A runner asks before it submits a call, and again after it: a call that was submitted to
     * an executor not yet closed then is one that the {@linkplain #close() closing thread} waits for.
     */
    boolean isClosed() {
        return closing != null;
    }

    /** Whether the time to drain is over: nothing begins any more. */
    boolean isOver() {
        Closing end = closing;
        return end != null && end.isOver();
    }

    private void refuseIfClosed(Object group) {
        if (closing != null) {
            throw refusedByClose(group);
        }
    }

    /** Refuses a caller that comes to a closed executor; returns what it gets. */
    ExecutorClosedException refusedByClose(Object group) {
        return reporter.refused(group, closed());
    }

    private ExecutorClosedException closed() {
        return new ExecutorClosedException(
                "Executor \"" + name + "\" is closed: close it after those that call it, or make another one");
    }

    /** Closes the executor. */
    synchronized Closing close() {
        Closing current = closing;
        if (current == null) {
            closing = current = new Closing(scheduler);
        }
        return current;
    }

    /** Wakes the threads that close the executor, because there is less left that they wait for. */
    void wakeClosing() {
        Closing end = closing;
        if (end != null) {
            end.wake();
        }
    }
}
