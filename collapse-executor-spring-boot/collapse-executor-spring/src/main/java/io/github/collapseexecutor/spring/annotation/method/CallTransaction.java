package io.github.collapseexecutor.spring.annotation.method;

import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** Knows whether a thread is inside a transaction, or has a JPA session of its own, whose entities belong to nobody else. */
final class CallTransaction {

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            CallTransaction.class.getClassLoader());

    /** What binds a JPA session to a thread: an "open session in view", too. */
    private static final String SESSION = "org.springframework.orm.jpa.EntityManagerHolder";

    private CallTransaction() {}

    static boolean isPresent() {
        return TRANSACTIONS && Threads.isPresent();
    }

    /** Whether this thread has a session but no transaction, as in a web application with {@code spring.jpa.open-in-view}. */
    static boolean isSessionOnly() {
        return TRANSACTIONS && Threads.isSessionOnly();
    }

    /** Apart, so that the other class loads without spring-tx. */
    private static final class Threads {

        static boolean isPresent() {
            return TransactionSynchronizationManager.isActualTransactionActive() || hasSession();
        }

        static boolean isSessionOnly() {
            return !TransactionSynchronizationManager.isActualTransactionActive() && hasSession();
        }

        private static boolean hasSession() {
            return TransactionSynchronizationManager.getResourceMap().values().stream()
                    .anyMatch(Threads::isSession);
        }

        private static boolean isSession(Object resource) {
            for (Class<?> type = resource.getClass(); type != null; type = type.getSuperclass()) {
                if (type.getName().equals(SESSION)) {
                    return true;
                }
            }
            return false;
        }
    }
}
