package io.github.collapseexecutor.http;

import org.jspecify.annotations.Nullable;

/**
 * A later group: the followers that one outcome left without an answer, and whom one call may answer. They arrive when they
 * wake; who comes after that call has ended finds what came of it in the outcome.
 */
record Regroup(Outcome origin, Object common) {

    @Nullable Outcome known() {
        return origin.later(common);
    }

    void remember(Outcome outcome) {
        origin.rememberLater(common, outcome);
    }

    /** Shows nothing of the request or the response. */
    @Override
    public String toString() {
        return "Regroup@" + Integer.toHexString(hashCode());
    }
}
