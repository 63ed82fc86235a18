package io.github.collapseexecutor.spring.annotation.method;

import io.github.collapseexecutor.spring.annotation.caller.CallerThread;
import io.github.collapseexecutor.spring.annotation.key.CallKey;
import org.jspecify.annotations.Nullable;

/**
 * One caller's item. Callers with equal groups share batches, and of them those with equal items an answer. The hash is taken once, so that
 * an item that changes meanwhile leaves nothing behind.
 */
final class BatchInput {

    // immutable
    private final CallKey group;
    private final Object item;
    private final Object bean;
    private final @Nullable Object[] arguments;
    private final CallerThread thread;
    private final @Nullable Object context;
    private final int hash;

    /**
     * Creates an input.
     *
     * @param group what the callers of a batch have in common: the bean, the other arguments and the user
     * @param item the item
     * @param bean through which the batch method is called
     * @param arguments the arguments of the single call
     * @param thread runs the batch method with the caller's user
     * @param context the Reactor context of the caller, null without one
     */
    BatchInput(
            CallKey group,
            Object item,
            Object bean,
            @Nullable Object[] arguments,
            CallerThread thread,
            @Nullable Object context) {
        this.group = group;
        this.item = item;
        this.bean = bean;
        this.arguments = arguments;
        this.thread = thread;
        this.context = context;
        this.hash = item.hashCode();
    }

    CallKey group() {
        return group;
    }

    Object item() {
        return item;
    }

    Object bean() {
        return bean;
    }

    @Nullable Object[] arguments() {
        return arguments;
    }

    CallerThread thread() {
        return thread;
    }

    @Nullable Object context() {
        return context;
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
