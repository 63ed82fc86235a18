package io.github.collapseexecutor.http.call;

/**
 * How long a request may still wait, in nanoseconds; {@link Long#MAX_VALUE} without a deadline.
 *
 * @param asFollower for what others do
 * @param altogether for whatever it is
 */
record TimeLeft(long asFollower, long altogether) {

    /** How long the request may wait for what others do. */
    long shortest() {
        return Math.min(asFollower, altogether);
    }

    /** Which deadline passes first. */
    Deadline.Kind endsAt() {
        return altogether <= asFollower ? Deadline.Kind.CALLER : Deadline.Kind.FOLLOWER;
    }
}
