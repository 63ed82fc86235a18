package io.github.collapseexecutor.core;

/** Counts who has which of a limited number of places for batches. Guarded by the lock of the group or executor that has them. */
class Places {

    // immutable
    private final int limit;

    // mutable
    /** Places taken: batches released or in flight. */
    private int occupied;
    /** Of these, batches that have not started and may be waiting for a thread that runs a batch. */
    private int unbegun;
    /** Of these, batches in flight that wait for nested calls. */
    private int lent;
    /** Nested calls in batches that have not started. */
    private int nestedWaiting;

    Places(int limit) {
        this.limit = limit;
    }

    /** A batch takes a place, or gives it back if the number is -1. */
    void occupy(int batches) {
        occupied += batches;
    }

    /** A batch that has a place and has not begun may be waiting for a thread that runs a batch, or does so no more. */
    void countUnbegun(int batches) {
        unbegun += batches;
    }

    /** A batch in flight lends its place to nested calls, or takes it back. */
    void lend(int batches) {
        lent += batches;
    }

    /** Nested calls wait for the start of their batch, or do so no more. */
    void countNestedWaiting(int calls) {
        nestedWaiting += calls;
    }

    boolean hasNestedWaiting() {
        return nestedWaiting > 0;
    }

    /** Whether no batch has a place. */
    boolean areFree() {
        return occupied == 0;
    }

    /**
     * Whether a batch may take a place.
     *
     * @param nested whether nested calls wait for it: they may have the place of a batch that waits for nested calls itself, or for a thread, which
     *     may be waiting for them
     */
    boolean hasPlace(boolean nested) {
        return (nested ? occupied - lent - unbegun : occupied) < limit;
    }
}
