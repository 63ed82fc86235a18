package io.github.collapseexecutor.core;

import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** What a failure of a batch is to its callers. */
final class Failures {

    private Failures() {}

    /** Throws a failure as it is, also one that is neither an exception nor an error. */
    static RuntimeException rethrow(Throwable failure) throws Exception {
        Failures.<Exception>throwAs(failure);
        throw new AssertionError(failure);
    }

    // The cast is erased, so that nothing is cast at run time.
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAs(Throwable failure) throws T {
        throw (T) failure;
    }

    /** The failure that a stage ended with, without the wrapping that passing through dependent stages adds. */
    static Throwable unwrapped(Throwable failure) {
        Throwable unwrapped = failure;
        while (unwrapped instanceof CompletionException && unwrapped.getCause() != null) {
            unwrapped = unwrapped.getCause();
        }
        return unwrapped;
    }

    /** Whether a failure came of the calling thread's interruption. */
    static boolean cameOfInterruption(Throwable failure) {
        if (Thread.currentThread().isInterrupted()) {
            return true;
        }
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 32; depth++, cause = cause.getCause()) {
            if (cause instanceof InterruptedException || cause instanceof ClosedByInterruptException) {
                return true;
            }
        }
        return false;
    }

    /**
     * What a caller gets whose time has passed.
     *
     * @param own whether the caller had set the bound itself, or the options had for all callers
     */
    static TimeoutException timedOut(String executor, Duration bound, boolean own) {
        String message = "No answer of \"" + executor + "\" within " + (own ? "timeout" : "callTimeout") + " = "
                + bound.toMillis() + " ms";
        return own ? new CallerTimeoutException(message) : new TimeoutException(message);
    }

    /** What the followers of a leader are told whose interruption broke the execution: they were not interrupted. */
    static Throwable forOthers(Throwable failure) {
        if (!(failure instanceof InterruptedException)) {
            return failure;
        }
        CancellationException cancellation =
                new CancellationException("The thread that made the call for this caller was interrupted");
        cancellation.initCause(failure);
        return cancellation;
    }
}
