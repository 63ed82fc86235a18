package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.caller.CallerThread;
import io.github.collapseexecutor.spring.annotation.key.CallKey;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * One caller's item. Callers with equal groups share batches, and of them those with equal items an answer. The hash is taken once, so that
 * an item that changes meanwhile leaves nothing behind.
 *
 * @param group what the callers of a batch have in common: the bean, the other arguments and the user
 * @param item the item
 * @param call the single call, through the bean that has the batch method
 * @param thread runs the batch method with the caller's user
 * @param context the Reactor context of the caller, null without one
 * @param hash that of the item, as it was handed in
 */
record BatchInput(
        CallKey group,
        Object item,
        ProxyMethodInvocation call,
        CallerThread thread,
        @Nullable Object context,
        int hash) {

    BatchInput(CallKey group, Object item, ProxyMethodInvocation call, CallerThread thread, @Nullable Object context) {
        this(group, item, call, thread, context, item.hashCode());
    }

    /** Whether the item and the other arguments are what they were; one may be an object that its caller has changed since. */
    boolean isAsItWas() {
        return isItemAsItWas() && group.isAsItWas();
    }

    boolean isItemAsItWas() {
        return hash == item.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other == this || (other instanceof BatchInput input && isSame(input));
    }

    private boolean isSame(BatchInput input) {
        return input.hash == hash && item.equals(input.item) && group.equals(input.group);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
