package io.github.collapseexecutor.core;

/** What a caller gets whose key the batch function's map does not hold. */
public enum MissingKeyPolicy {

    /** Null, as from {@link java.util.Map#get}. */
    NULL,

    /** An {@link UnboundOutputException}. */
    FAILURE
}
