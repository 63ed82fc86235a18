package io.github.collapseexecutor.jdbc;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The pause before a batch is tried again that was rolled back: random, so that two that were in each other's way do not meet
 * again, and longer each time. The writing thread holds no connection meanwhile.
 */
interface RetryPause {

    /** From 1 ms to 8 ms before the first, twice as long before each further one, a quarter of a second at most. */
    RetryPause RANDOM = retry -> {
        long bound = Math.min(250, 8L << Math.min(retry, 10));
        try {
            TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(1, bound + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // of a writer's thread, which nobody has: the retry is made at once
        }
    };

    /**
     * Pauses.
     *
     * @param retry 0 before the first further attempt
     */
    void before(int retry);
}
