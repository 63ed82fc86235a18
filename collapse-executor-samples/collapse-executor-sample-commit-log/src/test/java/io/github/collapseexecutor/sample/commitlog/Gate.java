package io.github.collapseexecutor.sample.commitlog;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds each thread that comes to it until it is opened. */
public final class Gate {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    public void pass() {
        reached.countDown();
        await(opened);
    }

    /** Returns when somebody is held. */
    public void awaitReached() {
        await(reached);
    }

    public void open() {
        opened.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(1, TimeUnit.MINUTES)) {
                throw new AssertionError("Nothing happened for a minute");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
