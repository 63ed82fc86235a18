package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.core.LibraryThreads;
import java.time.Instant;
import java.util.concurrent.Future;

/**
 * This package's only way to know the time and to be called later, so that tests can hold both.
 * Public for other packages of the library only.
 */
public interface HttpTime {

    /** The machine's own time. */
    HttpTime SYSTEM = new HttpTime() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }

        @Override
        public Future<?> schedule(Runnable task, long nanos) {
            return LibraryThreads.after(nanos, task);
        }
    };

    /** Nanoseconds since some fixed moment. */
    long nanoTime();

    /** The date and time, for comparison with those that an origin sends. */
    Instant now();

    /**
     * Runs a task later, on a thread on which the task may run code of the user's.
     *
     * @param nanos how much later
     * @return cancels the task
     */
    Future<?> schedule(Runnable task, long nanos);
}
