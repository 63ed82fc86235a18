package io.github.collapseexecutor.spring.annotation.method;

/** Lets the calls of annotated methods pass by themselves while it is on, and tells of each. */
final class PauseSwitch {

    // immutable
    private final Runnable told;

    // mutable, thread-safe
    private volatile boolean paused;

    PauseSwitch(Runnable told) {
        this.told = told;
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
    }

    boolean isPaused() {
        return paused;
    }

    /** Whether a call is to pass. */
    boolean passes() {
        boolean now = paused;
        if (now) {
            told.run();
        }
        return now;
    }
}
