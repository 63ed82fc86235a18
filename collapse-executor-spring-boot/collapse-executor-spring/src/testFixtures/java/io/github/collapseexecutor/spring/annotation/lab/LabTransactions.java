package io.github.collapseexecutor.spring.annotation.lab;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Transactions of no database: Spring knows of them, and nothing else happens. */
public final class LabTransactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1;

    @Override
    protected Object doGetTransaction() {
        return new Object();
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return TransactionSynchronizationManager.isActualTransactionActive();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        // Spring notes it for the thread
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        // nothing was written
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        // nothing was written
    }

    @Override
    protected void doSetRollbackOnly(DefaultTransactionStatus status) {
        // nothing was written
    }
}
