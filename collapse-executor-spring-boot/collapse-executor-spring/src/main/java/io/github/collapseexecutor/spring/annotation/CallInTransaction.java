package io.github.collapseexecutor.spring.annotation;

/**
 * What becomes of a call that is made inside a transaction, or with a JPA session of its own on the thread. Another caller's
 * execution would not see the data of this transaction, and its entities would belong to another session.
 */
public enum CallInTransaction {

    /** The method itself runs, in the transaction, as if it had no annotation. */
    PASS,

    /** The caller gets an {@link IllegalStateException} that says so. */
    REFUSE
}
