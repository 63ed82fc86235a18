package io.github.collapseexecutor.sample.rpcmerge;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Why a call has no answer, apart from its time-out. */
public final class RpcException extends IOException {

    /** What went wrong. */
    public enum Reason {
        /** There is no connection, or it closed before the answer came. Whether the server did the work is not known. */
        CONNECTION,
        /** What came as the answer is none. */
        PROTOCOL,
        /** The server did not do the work, or failed at it; the message says how. */
        REMOTE
    }

    private static final long serialVersionUID = 1;

    // immutable
    private final Reason reason;

    RpcException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = requireNonNull(reason, "reason");
    }

    /**
     * Says what went wrong.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }
}
