package io.github.collapseexecutor.foreign.client;

/** A library that calls. */
interface Library {

    /** Makes a client of what is drawn. */
    Asker make(Draw draw) throws Exception;
}
