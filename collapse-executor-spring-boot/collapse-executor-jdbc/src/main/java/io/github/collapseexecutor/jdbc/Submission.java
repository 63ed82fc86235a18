package io.github.collapseexecutor.jdbc;

import java.util.concurrent.atomic.AtomicReference;

/** One caller's input, and whether it may still be taken back. */
final class Submission<I> {

    private enum State {
        /** Gathered: nothing has been done about it. */
        WAITING,
        /** In the hands of a writer: it may have been written. */
        TAKEN,
        /** Its caller took it back: it is never written. */
        WITHDRAWN
    }

    // immutable
    private final I input;
    private final Object group;
    private final boolean awaited;
    private final long submittedAt = System.nanoTime();

    // mutable, by CAS: WAITING -> TAKEN by the writer, or WAITING -> WITHDRAWN by the caller
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    /** @param awaited whether its caller does nothing but wait, so that nothing of the user's runs when it is answered */
    Submission(I input, Object group, boolean awaited) {
        this.input = input;
        this.group = group;
        this.awaited = awaited;
    }

    I input() {
        return input;
    }

    Object group() {
        return group;
    }

    boolean isAwaited() {
        return awaited;
    }

    /** Whether it was handed in before a moment of {@link System#nanoTime()}. */
    boolean isOlderThan(long moment) {
        return submittedAt - moment < 0;
    }

    /** Takes the input for writing; false if its caller has withdrawn it. */
    boolean take() {
        return state.compareAndSet(State.WAITING, State.TAKEN);
    }

    /** Takes the input back; false if it may have been written already. */
    boolean withdraw() {
        return state.compareAndSet(State.WAITING, State.WITHDRAWN);
    }
}
