package io.github.collapseexecutor.http.lab;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** Disturbs the order in which threads run: at each point of a request's way, a thread may be held for a moment. No outcome depends on it. */
final class LabPauses {

    private static final int LONGEST_MICROS = Integer.getInteger("http.lab.pause.micros", 2_000);

    private LabPauses() {}

    /** Maybe holds the present thread. */
    static void maybe() {
        int choice = ThreadLocalRandom.current().nextInt(8);
        if (choice == 0) {
            LockSupport.parkNanos(1_000L * ThreadLocalRandom.current().nextInt(1 + LONGEST_MICROS));
        } else if (choice == 1) {
            LockSupport.parkNanos(1);
        }
    }
}
