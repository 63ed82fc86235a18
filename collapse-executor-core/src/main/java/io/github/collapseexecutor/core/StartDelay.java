package io.github.collapseexecutor.core;

/**
 * How long a batch has to wait for its start.
 *
 * <p>Only a start at a later moment makes an object, so that a lone caller makes none.
 */
final class StartDelay {

    /** The batch starts now. */
    static final StartDelay NONE = new StartDelay(0);

    /** The batch starts now, but its thread yields the processor first. */
    static final StartDelay AFTER_YIELD = new StartDelay(0);

    /** The batch starts at the earliest when it is signalled. */
    static final StartDelay UNTIL_SIGNAL = new StartDelay(Long.MAX_VALUE);

    // immutable
    private final long nanos;
    /** The batch does not start then, but it is time to look why it has not been signalled. */
    private final boolean looks;

    private StartDelay(long nanos) {
        this(nanos, false);
    }

    private StartDelay(long nanos, boolean looks) {
        this.nanos = nanos;
        this.looks = looks;
    }

    /** Returns a wait until a signal, which is looked into after so many nanoseconds. */
    static StartDelay untilSignalFor(long nanos) {
        return nanos == Long.MAX_VALUE ? UNTIL_SIGNAL : new StartDelay(Math.max(nanos, 1), true);
    }

    /** Returns the delay of so many nanoseconds; {@link #NONE} if that is not positive. */
    static StartDelay of(long nanos) {
        return nanos <= 0 ? NONE : new StartDelay(nanos);
    }

    /** Whether the batch may start now, with or without a yield. */
    boolean isOver() {
        return nanos == 0;
    }

    /** Whether the batch may start when a time has passed. */
    boolean isTimed() {
        return nanos > 0 && nanos != Long.MAX_VALUE && !looks;
    }

    /** Whether something is to be done when a time has passed, without a signal. */
    boolean isBounded() {
        return nanos != Long.MAX_VALUE;
    }

    /** Returns the nanoseconds to wait; {@link Long#MAX_VALUE} without bound. */
    long nanos() {
        return nanos;
    }
}
