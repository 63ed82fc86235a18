package io.github.collapseexecutor.jdbc.connection;

/**
 * How the transactions of one batch ended. Confined to the thread that writes the batch. Public for other packages of the library only.
 */
public final class CommitCounts {

    // mutable, confined to the writing thread
    private int answered;
    private int unknown;
    private int rolledBack;

    public void answered() {
        answered++;
    }

    public void unknown() {
        unknown++;
    }

    public void rolledBack() {
        rolledBack++;
    }

    /** How many commits the database has answered. */
    public int allAnswered() {
        return answered;
    }

    public int allUnknown() {
        return unknown;
    }

    public int allRolledBack() {
        return rolledBack;
    }
}
