package io.github.collapseexecutor.cluster;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What a waiter has to do, once it need not wait any more. */
sealed interface Decision {

    /** The lease of a call that is made for the cluster; null without one. */
    default @Nullable Lease lease() {
        return null;
    }

    /** Make the call for the cluster. */
    record Lead(Lease lease) implements Decision {}

    /** Take the result that another instance has stored, if it is for the waiter. */
    record Take(String id, boolean mayJoin, ByteBuffer sealed) implements Decision {}

    /** Make the call, for this instance alone. */
    record GoAlone(Reason reason) implements Decision {}

    /** Why an instance goes alone. */
    enum Reason {
        /** Redis did not answer in time, or failed. */
        UNAVAILABLE,
        /** Another instance's call failed with what cannot be shared, calls have failed lately, or took too long. */
        FAILED_ELSEWHERE,
        /** Results of this call cannot be shared, or not be read. */
        NOT_SHAREABLE
    }
}
