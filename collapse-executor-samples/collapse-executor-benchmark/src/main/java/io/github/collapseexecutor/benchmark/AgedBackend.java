package io.github.collapseexecutor.benchmark;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A backend that takes its time and no processor, and knows which of its calls in flight is the oldest. */
final class AgedBackend {

    /** One call, by the clock of {@link System#nanoTime}. */
    static final class Execution {

        // immutable
        final long begin;

        // mutable; written once, by the thread that makes the call
        private volatile long end;
        private volatile boolean ended;

        Execution(long begin) {
            this.begin = begin;
        }

        /** How old the call was at a given time, or when it ended if that was before. */
        long ageAt(long time) {
            return (ended && end - time < 0 ? end : time) - begin;
        }

        private void end(long time) {
            end = time;
            ended = true;
        }
    }

    // immutable
    private final long nanos;
    private final LongAdder executions = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();

    // mutable, guarded by the lock: calls in flight by their begin, without those that a later one has overtaken
    private final Deque<Execution> inFlight = new ArrayDeque<>();

    // mutable, written under the lock
    private volatile @Nullable Execution oldest;

    AgedBackend(long nanos) {
        this.nanos = nanos;
    }

    /** The oldest call in flight that none has overtaken, or null. */
    @Nullable Execution oldest() {
        return oldest;
    }

    long executions() {
        return executions.sum();
    }

    Execution call() {
        Execution execution = begin(System.nanoTime());
        Parking.forNanos(nanos);
        end(execution, System.nanoTime());
        return execution;
    }

    Execution begin(long time) {
        Execution execution = new Execution(time);
        executions.increment();
        lock.lock();
        try {
            inFlight.add(execution);
            oldest = inFlight.peek();
        } finally {
            lock.unlock();
        }
        return execution;
    }

    void end(Execution execution, long time) {
        execution.end(time);
        lock.lock();
        try {
            if (inFlight.contains(execution)) {
                while (inFlight.remove() != execution) {
                    // was overtaken
                }
                oldest = inFlight.peek();
            }
        } finally {
            lock.unlock();
        }
    }
}
