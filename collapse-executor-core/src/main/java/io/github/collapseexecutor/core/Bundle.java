package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/**
 * One caller's input together with the place for its output.
 *
 * <p>A batch function binds each bundle once, with {@link #bindOutput} or {@link #bindError}. The first binding counts: a
 * later one changes nothing and returns {@code false}, as does one that comes after the batch has ended. A caller whose
 * bundle was not bound gets an {@link UnboundOutputException}.
 *
 * <p>Binding is thread-safe. Callers see what was bound when the batch ends, not before.
 *
 * @param <INPUT> the type that callers submit
 * @param <OUTPUT> what is bound: the caller's output itself, or a {@code CompletableFuture} of it where the executor says
 *     so
 */
public interface Bundle<INPUT extends @Nullable Object, OUTPUT extends @Nullable Object> {

    /**
     * Returns what the caller submitted.
     *
     * @return the very object that was handed to {@code execute}
     */
    INPUT getInput();

    /**
     * Gives the caller its output.
     *
     * @param output the output
     * @return whether this binding counts; {@code false} if the bundle was bound before or the batch has ended
     */
    boolean bindOutput(OUTPUT output);

    /**
     * Gives the caller a failure instead of an output.
     *
     * @param failure what the caller's {@code execute} throws, or its future ends with, as it is
     * @return whether this binding counts; {@code false} if the bundle was bound before or the batch has ended
     */
    boolean bindError(Throwable failure);
}
