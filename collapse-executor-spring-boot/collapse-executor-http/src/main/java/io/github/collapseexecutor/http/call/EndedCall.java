package io.github.collapseexecutor.http.call;

/**
 * What one call leaves behind, the same object for all its participants.
 *
 * @param result what came of it
 * @param place where the followers meet that it leaves without an answer
 */
record EndedCall(CallResult result, UnansweredFollowers place) {}
