package io.github.collapseexecutor.foreign.client;

/**
 * What a caller asks for.
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
