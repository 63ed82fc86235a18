package io.github.collapseexecutor.http;

import org.jspecify.annotations.Nullable;

/** What one request does next, as {@link CallerCourse} decides; how it is done is up to the kind of caller. */
sealed interface Step {

    /** It is answered with another's response. */
    record Answer(SharedResponse response) implements Step {}

    /** It fails as the call did that was to answer it. */
    record Fail(Throwable failure) implements Step {}

    /** It fails because its deadline has passed. */
    record TimeOut() implements Step {}

    /**
     * It makes a call of its own.
     *
     * @param fanOut where it waits for a place; null if it waits no more
     */
    record Alone(@Nullable FanOut fanOut) implements Step {}

    /** It is gathered once more, with those of the same fate. */
    record Gather(Regroup regroup) implements Step {}
}
