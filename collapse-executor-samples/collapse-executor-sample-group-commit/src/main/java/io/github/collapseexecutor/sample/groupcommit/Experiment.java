package io.github.collapseexecutor.sample.groupcommit;

import java.io.IOException;

/** Puts the running shop under load, and writes a page of what came of it. */
interface Experiment {

    /** Returns whether everything that was asked for is there, once, and stock and orders add up. */
    boolean run() throws IOException, InterruptedException;
}
