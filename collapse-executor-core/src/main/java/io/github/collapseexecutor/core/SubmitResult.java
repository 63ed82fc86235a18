package io.github.collapseexecutor.core;

/** The follow-up of a submission: where the call stands, and what its runner has to do. */
enum SubmitResult {
    /** The call leads a batch that is in flight; the runner executes the batch on this thread. */
    STARTED,
    /** The call leads a batch that has been released; its thread yields the processor before it starts the batch. */
    YIELDING,
    /** The call's batch has been released; the runner dispatches it. */
    RELEASED,
    /** The call has opened a batch that may not start yet. */
    OPENED,
    /** The call has joined a batch that other callers see to. */
    JOINED
}
