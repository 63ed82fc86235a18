package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/**
 * One caller's input, as a batch function sees it.
 *
 * <p>Every caller has an {@code Input} of its own, also where two callers submitted equal values; identity, not
 * equality, tells them apart.
 *
 * @param <INPUT> the type that callers submit
 */
public interface Input<INPUT extends @Nullable Object> {

    /**
     * Returns what the caller submitted.
     *
     * @return the very object that was handed to {@code execute}
     */
    INPUT value();
}
