package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.HttpTime;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Until when one request waits (H25): one moment for all its steps, counted from its arrival. */
record Deadline(HttpTime time, boolean exists, long at) {

    /** What a deadline bounds; the options say what becomes of the request then. */
    enum Kind {
        /** How long the request waits for what others do. */
        FOLLOWER("followerTimeout"),
        /** How long its caller waits for the answer altogether. */
        CALLER("callTimeout");

        private final String option;

        Kind(String option) {
            this.option = option;
        }

        /** The name of the option that sets the deadline. */
        String option() {
            return option;
        }
    }

    private static final Deadline NONE = new Deadline(HttpTime.SYSTEM, false, 0);

    /** @param timeout null for no deadline */
    static Deadline of(CollapsibleRequest request, @Nullable Duration timeout, HttpTime time) {
        return timeout == null ? NONE : new Deadline(time, true, request.arrivedAt() + timeout.toNanos());
    }

    /** Returns the remaining nanoseconds, at least 1; {@link Long#MAX_VALUE} without a deadline. */
    long remaining() {
        return exists ? Math.max(1, at - time.nanoTime()) : Long.MAX_VALUE;
    }
}
