package io.github.collapseexecutor.core;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Calls code of a user's that must harm no caller of an executor, whatever it throws.
 *
 * <p>Each kind of failure is reported once: the first exception goes to the handler of uncaught exceptions, and so does every {@code
 * Error}. Further exceptions are ignored, because they would fill the log that the first one is written to.
 *
 * <p>Public because other modules of the library use it.
 */
public final class Contained {

    // mutable, by itself
    private final AtomicBoolean seen = new AtomicBoolean();

    /** Creates one that has seen no failure. */
    public Contained() {}

    /**
     * Calls code of a user's.
     *
     * @param userCode whatever it throws, this returns
     */
    public void run(Runnable userCode) {
        try {
            userCode.run();
        } catch (Throwable thrown) { // also checked exceptions, which languages other than Java do not declare
            report(thrown);
        }
    }

    /** Reports a failure that no caller gets, because it only cost time. */
    void report(Throwable failure) {
        if (failure instanceof Error || seen.compareAndSet(false, true)) {
            show(failure);
        }
    }

    private static void show(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable ignored) {
            // As the JVM does with what such a handler throws. No other place is left to report to.
        }
    }
}
