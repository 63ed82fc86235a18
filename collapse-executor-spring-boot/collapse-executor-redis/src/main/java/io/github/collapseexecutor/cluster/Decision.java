package io.github.collapseexecutor.cluster;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What a batch has to do, once its waiter need not wait any more. */
sealed interface Decision extends ClusterProtocol.Reply {

    /** The lease of a call that is made for the cluster; null without one. */
    default @Nullable Lease lease() {
        return null;
    }

    /** Make the call for the cluster. */
    record Lead(Lease lease) implements Decision {}

    /** Take the result that another instance has stored, if it is for the waiter with this id. */
    record Take(String id, boolean mayJoin, ByteBuffer sealed) implements Decision {}

    /** Make the call for this instance alone. */
    record GoAlone(Reason reason) implements Decision {}

    /** Why an instance goes alone; {@link ClusterCounts} says more of each. */
    enum Reason {
        UNAVAILABLE,
        FAILED_ELSEWHERE,
        NOT_SHAREABLE,
        TOO_SHORT
    }
}
