package io.github.collapseexecutor.http.servlet;

/** Where a follower waits for the response of its leader. */
public enum FollowerWaiting {
    /**
     * On its own thread, inside its filters, as if its handler took that long. Correct behind every filter; as many requests
     * wait as the container has threads, which cost little where they are virtual.
     */
    BLOCK,
    /**
     * Nowhere: it gives its thread back to the container, and is answered in an asynchronous dispatch. Twice as many requests
     * as the container has threads are then answered in the time of one. For applications whose filters support that a request
     * leaves them without an answer, and comes back in a dispatch of type {@code ASYNC}.
     */
    ASYNC
}
