package io.github.collapseexecutor.jdbc;

import java.util.function.Consumer;

/** What there is to know of a transaction that the calling thread is in, of whatever framework manages it. */
interface CallerTransaction {

    /** What became of what a caller did in its transaction. */
    enum End {
        COMMITTED,
        /** Rolled back, or nobody knows. */
        NOT_COMMITTED,
        /** Taken back with all that was done since a savepoint; the transaction itself goes on. */
        ROLLED_BACK_TO_SAVEPOINT
    }

    /** Nobody manages transactions by thread. */
    CallerTransaction NONE = new CallerTransaction() {
        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public void atEnd(Consumer<End> action) {
            throw new IllegalStateException("There is no transaction");
        }
    };

    /** Whether the calling thread is in a transaction that has not ended. */
    boolean isActive();

    /**
     * Has the calling thread run an action once, when its transaction, which is active, has ended, or has been rolled back to a
     * savepoint that was set before this call.
     */
    void atEnd(Consumer<End> action);

    /** Spring's transactions, if a class loader knows them. */
    static CallerTransaction of(ClassLoader classes) {
        try {
            Class.forName("org.springframework.transaction.support.TransactionSynchronizationManager", false, classes);
        } catch (ClassNotFoundException e) {
            return NONE;
        }
        return new SpringTransaction();
    }
}
