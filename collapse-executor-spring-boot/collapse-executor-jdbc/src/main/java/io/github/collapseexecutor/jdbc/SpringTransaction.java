package io.github.collapseexecutor.jdbc;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The transaction that Spring has bound to the calling thread; loaded only where Spring's transactions are.
 *
 * <p>Spring calls a transaction active until all callbacks behind its end have returned. A call from one of these is in no
 * transaction any more: in {@code afterCompletion} there are no synchronizations left; {@code afterCommit} shows on the
 * stack of the calling thread, and as one of the synchronizations of the transaction. A transaction that the callback begins has
 * synchronizations of its own. They may be of the same class, so the stack has to show no {@code @Transactional} method and no
 * {@code TransactionTemplate} above the callback. Such code counts as a transaction even where it takes part in the one that has
 * committed: as everywhere else, it is not the place for a write.
 */
final class SpringTransaction implements CallerTransaction {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    @Override
    public boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive()
                && !isInAfterCommit();
    }

    private static boolean isInAfterCommit() {
        Class<?> callback = STACK.walk(frames -> {
            Class<?> called = Object.class;
            for (StackWalker.StackFrame frame : (Iterable<StackWalker.StackFrame>) frames::iterator) {
                if (isWithinTransaction(frame)) {
                    return null;
                }
                if (frame.getDeclaringClass() == TransactionSynchronizationUtils.class
                        && frame.getMethodName().equals("invokeAfterCommit")) {
                    return called;
                }
                called = frame.getDeclaringClass();
            }
            return null;
        });
        if (callback == null) {
            return false;
        }
        // A transaction that the callback has begun has synchronizations of its own.
        List<TransactionSynchronization> ofThisTransaction = TransactionSynchronizationManager.getSynchronizations();
        return ofThisTransaction.stream().anyMatch(callback::isInstance);
    }

    private static boolean isWithinTransaction(StackWalker.StackFrame frame) {
        return (frame.getDeclaringClass() == TransactionTemplate.class
                        && frame.getMethodName().equals("execute"))
                || (frame.getDeclaringClass() == TransactionAspectSupport.class
                        && frame.getMethodName().equals("invokeWithinTransaction"));
    }

    @Override
    public void atEnd(Consumer<End> action) {
        TransactionSynchronizationManager.registerSynchronization(new AtEnd(action));
    }

    /** Waits for the end of what was done before it was registered. */
    private static final class AtEnd implements TransactionSynchronization {

        // immutable
        private final Consumer<End> action;

        // mutable, confined to the thread of the transaction
        /** Were set after this was registered, so that going back to one of them leaves what was done before. */
        private final Set<Object> laterSavepoints = Collections.newSetFromMap(new IdentityHashMap<>());

        private boolean ended;

        AtEnd(Consumer<End> action) {
            this.action = action;
        }

        @Override
        public void savepoint(Object savepoint) {
            laterSavepoints.add(savepoint);
        }

        @Override
        public void savepointRollback(Object savepoint) {
            if (!laterSavepoints.contains(savepoint)) {
                end(End.ROLLED_BACK_TO_SAVEPOINT);
            }
        }

        @Override
        public void afterCompletion(int status) {
            end(status == STATUS_COMMITTED ? End.COMMITTED : End.NOT_COMMITTED);
        }

        private void end(End end) {
            if (!ended) {
                ended = true;
                action.accept(end);
            }
        }
    }
}
