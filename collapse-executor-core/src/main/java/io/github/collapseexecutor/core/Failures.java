package io.github.collapseexecutor.core;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** The forms in which a failure of a batch reaches its callers. Public because other modules of the library use it. */
public final class Failures {

    private Failures() {}

    /**
     * Throws a failure as it is, also one that is neither an exception nor an error: code that was not compiled from Java throws what it does
     * not declare, too.
     *
     * @param failure what is thrown
     * @return nothing
     */
    public static RuntimeException rethrow(Throwable failure) {
        Failures.<RuntimeException>throwAs(failure);
        throw new AssertionError(failure);
    }

    // The cast is erased, so that nothing is cast at run time.
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAs(Throwable failure) throws T {
        throw (T) failure;
    }

    /**
     * Returns the failure that a stage ended with, without the wrapping that passing through dependent stages adds.
     *
     * @param failure what the stage was seen to end with
     * @return the failure itself
     */
    public static Throwable unwrapped(Throwable failure) {
        Throwable unwrapped = failure;
        while (unwrapped instanceof CompletionException && unwrapped.getCause() != null) {
            unwrapped = unwrapped.getCause();
        }
        return unwrapped;
    }

    /**
     * Whether a failure counts as the interruption of the calling thread, which runs a batch: the thread is interrupted still, or the
     * failure is an {@code InterruptedException}. That of another thread which was thrown on cannot be told from one of this
     * thread, and no caller but the leader is to get either.
     *
     * <p>An {@code InterruptedException} among the causes is no sign: another thread may have done a part of the work.
     */
    static boolean cameOfInterruption(Throwable failure) {
        return Thread.currentThread().isInterrupted() || failure instanceof InterruptedException;
    }

    /**
     * The failure of a caller whose time has passed.
     *
     * @param own whether the caller had set the bound itself, or the options had for all callers
     * @param detail the end of the message
     */
    static TimeoutException timedOut(String executor, Duration bound, boolean own, String detail) {
        String message = "No answer of \"" + executor + "\" within " + (own ? "timeout" : "callTimeout") + " = "
                + bound.toMillis() + " ms" + detail;
        return own ? new CallerTimeoutException(message) : new TimeoutException(message);
    }

    /** The failure of followers whose leader's interruption broke the execution: they were not interrupted themselves. */
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
