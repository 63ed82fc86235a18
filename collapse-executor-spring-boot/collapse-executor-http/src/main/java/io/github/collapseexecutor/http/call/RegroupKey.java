package io.github.collapseexecutor.http.call;

import org.jspecify.annotations.Nullable;

/**
 * The key of a later group: the followers that one call left without an answer, and that one more call may answer. They
 * arrive when they wake. One that arrives after that call has ended finds at the meeting place what came of it.
 */
record RegroupKey(UnansweredFollowers place, Object common) {

    @Nullable EndedCall known() {
        return place.later(common);
    }

    void remember(EndedCall ended) {
        place.rememberLater(common, ended);
    }

    /** Shows nothing of the request or the response. */
    @Override
    public String toString() {
        return "RegroupKey@" + Integer.toHexString(hashCode());
    }
}
