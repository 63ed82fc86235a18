package io.github.collapseexecutor.http.servlet.zoo;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The requests that a server has received, and where each of them stands. The server itself reports them, before its first
 * filter, so that no filter of the test stands in front of the application.
 */
public final class Presence {

    private static final String PROJECT = "io.github.collapseexecutor.";

    // mutable, thread-safe
    private final List<Visit> visits = new CopyOnWriteArrayList<>();

    /** Reports a request that its thread brings. */
    Visit enter() {
        Visit visit = new Visit(Thread.currentThread());
        visits.add(visit);
        return visit;
    }

    void forget() {
        visits.clear();
    }

    /** Waits until so many requests are here, and the last of them waits, is answered, or has given its thread back. */
    void awaitSettled(int count) {
        await(() -> visits.size() >= count && visits.get(count - 1).isSettled());
    }

    /** Waits until every thread that brought a request has left the filters. */
    void awaitLeft() {
        await(() -> visits.stream().allMatch(visit -> visit.left));
    }

    /** How many requests have given their thread back without an answer. */
    int parked() {
        return (int) visits.stream().filter(visit -> visit.parked).count();
    }

    private interface Condition {
        boolean holds();
    }

    private void await(Condition condition) {
        long start = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(30)) {
                throw new AssertionError("The requests do not settle: " + visits);
            }
            LockSupport.parkNanos(100_000);
        }
    }

    /** One request, from its first filter on. */
    static final class Visit {

        // immutable
        private final Thread thread;

        // mutable; written by the thread that brought the request
        private volatile boolean parked;
        private volatile boolean left;

        private Visit(Thread thread) {
            this.thread = thread;
        }

        /**
         * Reports that the thread has left the filters.
         *
         * @param asynchronous whether the answer is still to come
         */
        void leave(boolean asynchronous) {
            parked = asynchronous;
            left = true;
        }

        /** A thread that waits in a handler, in a filter of the zoo or for another request's handler. */
        private boolean isSettled() {
            if (left) {
                return true;
            }
            Thread.State state = thread.getState();
            if (state != Thread.State.WAITING && state != Thread.State.TIMED_WAITING) {
                return false;
            }
            for (StackTraceElement frame : thread.getStackTrace()) {
                String type = frame.getClassName();
                if (!type.startsWith("java.") && !type.startsWith("jdk.") && !type.startsWith("sun.")) {
                    return type.startsWith(PROJECT);
                }
            }
            return false;
        }

        @Override
        public String toString() {
            return left ? "\nleft, parked: " + parked : "\n" + Arrays.toString(thread.getStackTrace());
        }
    }
}
