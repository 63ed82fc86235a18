package io.github.collapseexecutor.http;

/** Closes what an adapter made, for callers that already have an end to report and must not lose it to a failing close. */
final class Closing {

    private Closing() {}

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
}
