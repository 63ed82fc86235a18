package io.github.collapseexecutor.http.call;

/**
 * Closes responses that nobody gets. An adapter that fails at it must neither hide the failure because of which a response is
 * closed, nor keep anybody waiting.
 */
final class UnusedResponses {

    private static final System.Logger LOGGER = System.getLogger(UnusedResponses.class.getName());

    private UnusedResponses() {}

    /** Runs a close; what it throws is added to the failure because of which it is closed. */
    static void close(Runnable close, Throwable because) {
        try {
            close.run();
        } catch (Throwable thrown) {
            if (thrown != because) {
                because.addSuppressed(thrown);
            }
        }
    }

    /** Runs a close for which there is nobody to tell what it throws: its caller has left. */
    static void close(Runnable close) {
        try {
            close.run();
        } catch (Throwable thrown) {
            LOGGER.log(System.Logger.Level.DEBUG, "A response that nobody gets could not be closed", thrown);
        }
    }
}
