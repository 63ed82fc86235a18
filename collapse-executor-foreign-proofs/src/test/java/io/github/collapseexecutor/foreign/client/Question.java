package io.github.collapseexecutor.foreign.client;

/**
 * A question of a caller.
 *
 * @param path which answer of the origin
 * @param user for whom
 * @param reading how much of the answer the caller reads
 */
record Question(String path, String user, Reading reading) {

    /** How much of a response a caller reads. */
    enum Reading {
        WHOLE,
        TEXT,
        HALF,
        HEAD,
        FAILS_AFTER_HALF
    }
}
