package io.github.collapseexecutor.spring.annotation;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Counts the executions of a backend, and holds them while the gate is shut. */
public final class Gate {

    // mutable, thread-safe
    private final List<Object> executions = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch open = new CountDownLatch(0);

    public void shut() {
        open = new CountDownLatch(1);
    }

    public void open() {
        open.countDown();
    }

    /** An execution, in the words of the test. */
    public void pass(Object what) {
        executions.add(what);
        boolean interrupted = false;
        while (true) {
            try {
                if (!open.await(60, TimeUnit.SECONDS)) {
                    throw new AssertionError("the gate was not opened");
                }
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public List<Object> executions() {
        return executions;
    }
}
