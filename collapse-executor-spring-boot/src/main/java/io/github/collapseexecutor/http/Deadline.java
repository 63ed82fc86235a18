package io.github.collapseexecutor.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Until when one request waits for what others do (H25): one moment for all its steps, counted from its arrival. */
final class Deadline {

    private static final Deadline NONE = new Deadline(false, 0);

    // immutable
    private final boolean exists;
    private final long at;

    private Deadline(boolean exists, long at) {
        this.exists = exists;
        this.at = at;
    }

    static Deadline of(CollapsibleRequest request, @Nullable Duration timeout) {
        return timeout == null ? NONE : new Deadline(true, request.arrivedAt() + timeout.toNanos());
    }

    boolean exists() {
        return exists;
    }

    /** Nanoseconds, at least 1, because those who wait need some; as many as there are unless it exists. */
    long remaining() {
        return exists ? Math.max(1, at - System.nanoTime()) : Long.MAX_VALUE;
    }

    boolean hasPassed() {
        return exists && at - System.nanoTime() <= 0;
    }
}
