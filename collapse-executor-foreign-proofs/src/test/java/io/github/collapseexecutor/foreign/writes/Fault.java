package io.github.collapseexecutor.foreign.writes;

/** What happens to a connection of the driver at one step, which is a statement or a commit. */
enum Fault {
    NONE,
    /** The connection breaks before the database gets the step. */
    CUT_BEFORE,
    /** The database acts, and the connection breaks before its answer comes. */
    CUT_AFTER,
    /** Something in between throws what nobody has declared, before the step. */
    UNCHECKED_BEFORE,
    /** The same behind the step. */
    UNCHECKED_AFTER,
    /** The database answers with a deadlock, and has rolled the transaction back. */
    DEADLOCK,
    /** The statement takes too long, and is cancelled. */
    TIMEOUT
}
