package io.github.collapseexecutor.jdbc;

import java.util.function.Consumer;

/** What there is to know of a transaction that the calling thread is in, of whatever framework manages it. */
interface CallerTransaction {

    /** Nobody manages transactions by thread. */
    CallerTransaction NONE = new CallerTransaction() {
        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public boolean afterCompletion(Consumer<Boolean> action) {
            return false;
        }
    };

    /** Whether the calling thread is in a transaction. */
    boolean isActive();

    /**
     * Has the calling thread run an action when its transaction is over.
     *
     * @param action is told whether the transaction has certainly committed
     * @return false if the transaction takes no such action
     */
    boolean afterCompletion(Consumer<Boolean> action);

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
