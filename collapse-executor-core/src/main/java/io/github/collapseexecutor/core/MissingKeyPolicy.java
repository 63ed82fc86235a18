package io.github.collapseexecutor.core;

/** The answer of a caller whose key is not in the batch function's map. */
public enum MissingKeyPolicy {

    /** Null, as from {@link java.util.Map#get}. */
    NULL,

    /** An {@link UnboundOutputException}. */
    FAILURE
}
