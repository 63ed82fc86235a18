package io.github.collapseexecutor.benchmark;

import java.util.concurrent.locks.LockSupport;

/** Waits without taking the processor. */
final class Parking {

    private Parking() {}

    static void forNanos(long nanos) {
        until(System.nanoTime() + nanos);
    }

    /** Until a time of {@link System#nanoTime}, or not at all if it has passed. */
    static void until(long time) {
        // In a loop, because a thread that was woken as a leader may hold a permit that ends the first park at once.
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
