package io.github.collapseexecutor.core;

/**
 * A result that is for this process alone. A {@link CallWrapper} or function that shares results with other processes tells them nothing of it, as if
 * the call had been given up, and returns it as it is.
 *
 * <pre>{@code
 * record Uncertain(User user) implements LocalResult {}
 * }</pre>
 */
public interface LocalResult {}
