package io.github.collapseexecutor.http.jdk;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs signals one after another in the order of their arrival, on the thread that brings one while none runs. Nobody waits for
 * another thread: the code of an application may run in a signal, and may wait for whom it likes.
 */
final class Signals {

    // mutable, thread-safe
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unfinished = new AtomicInteger();

    /**
     * Runs a signal, now or after those that came before.
     *
     * @param signal must not throw
     */
    void add(Runnable signal) {
        waiting.add(signal);
        if (unfinished.getAndIncrement() == 0) {
            do {
                waiting.remove().run();
            } while (unfinished.decrementAndGet() > 0);
        }
    }
}
