package io.github.collapseexecutor.spring.annotation.lab;

import org.jspecify.annotations.Nullable;

/**
 * A call and its caller.
 *
 * @param user who is logged in; null for nobody
 * @param language the language of the thread; null for that of the JVM
 * @param zone the time zone of the thread; null for that of the JVM
 * @param tenant the tenant of the thread
 * @param inTransaction whether the caller has a transaction
 * @param item the number of the item; of a call for many, the number of the first of two
 * @param other the other argument
 */
record MethodCall(
        @Nullable String user,
        @Nullable String language,
        @Nullable String zone,
        String tenant,
        boolean inTransaction,
        int item,
        @Nullable String other) {}
