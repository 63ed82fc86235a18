package io.github.collapseexecutor.core;

import java.util.concurrent.Future;

/** The machine's own time, for a test that changes one of its ways. */
class RealTime implements EngineScheduler {

    private final EngineScheduler real;

    RealTime(EngineScheduler real) {
        this.real = real;
    }

    @Override
    public long nanoTime() {
        return real.nanoTime();
    }

    @Override
    public void park(Object blocker, long nanos) {
        real.park(blocker, nanos);
    }

    @Override
    public void yieldProcessor() {
        real.yieldProcessor();
    }

    @Override
    public Future<?> schedule(Runnable task, long nanos) {
        return real.schedule(task, nanos);
    }
}
