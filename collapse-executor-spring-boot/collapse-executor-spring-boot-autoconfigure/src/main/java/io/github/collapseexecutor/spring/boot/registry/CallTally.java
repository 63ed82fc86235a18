package io.github.collapseexecutor.spring.boot.registry;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.GroupStall;
import io.github.collapseexecutor.http.HttpCallSummary.Outcome;
import io.github.collapseexecutor.http.HttpCallSummary.Role;
import io.github.collapseexecutor.http.Reason;
import org.jspecify.annotations.Nullable;

/** Counts what the executors of one name, or the adapters of one section, have done. */
public interface CallTally {

    /** A caller has its answer, or has none and ends. */
    void call(Role role, Outcome outcome, long nanos);

    /** So many calls were not made, because another caller's call answered. */
    void saved(int number);

    /** A batch has ended. */
    void batch(BatchSummary batch);

    /** A call was made by itself, and of its end nothing is told. */
    void notCollapsed(Reason reason);

    /** A call was made by itself after it was gathered; its end is told, too. */
    default void released(Reason reason) {
        notCollapsed(reason);
    }

    /** A response was for one caller only. */
    void notShared(Reason reason);

    /** A call, or a batch of calls, has failed; null if it has not. */
    default void failed(@Nullable Throwable failure) {}

    /** Nothing moves in a group, and callers wait. */
    default void stalled(GroupStall stall) {}
}
