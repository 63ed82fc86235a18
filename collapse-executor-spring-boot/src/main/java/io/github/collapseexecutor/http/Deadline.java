package io.github.collapseexecutor.http;

import java.time.Duration;

/** Until when one request waits for what others do (H25): one moment for all its steps, counted from its arrival. */
final class Deadline {

    private static final Deadline NONE = new Deadline(HttpTime.SYSTEM, false, 0);

    // immutable
    private final HttpTime time;
    private final boolean exists;
    private final long at;

    private Deadline(HttpTime time, boolean exists, long at) {
        this.time = time;
        this.exists = exists;
        this.at = at;
    }

    static Deadline of(CollapsibleRequest request, SharingRules rules) {
        Duration timeout = rules.options().followerTimeout();
        return timeout == null ? NONE : new Deadline(rules.time(), true, request.arrivedAt() + timeout.toNanos());
    }

    /** Returns the remaining nanoseconds, at least 1; {@link Long#MAX_VALUE} without a deadline. */
    long remaining() {
        return exists ? Math.max(1, at - time.nanoTime()) : Long.MAX_VALUE;
    }
}
