package io.github.collapseexecutor.core;

/** Which batches an input may join. */
public enum JoinMode {

    /**
     * Only a batch that has not started: no caller sees an answer that was computed before it asked, so that every caller
     * reads their own writes. The default.
     */
    FRESH,

    /**
     * A batch in flight too, if it is answering the same thing (single-flight): fewer executions, for callers that accept
     * an answer already under way.
     *
     * <p>On a group executor every batch in flight of the group answers the same thing; on a batch executor one that
     * holds an {@linkplain Object#equals equal} input of the same group does. A batch is joined as long as it runs, or
     * until it is older than {@link CollapseOptions#maxJoinAge() maxJoinAge}, which keeps newcomers from a call that hangs.
     */
    IN_FLIGHT
}
