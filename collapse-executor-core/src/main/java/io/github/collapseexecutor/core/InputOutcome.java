package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of one of many inputs that were submitted together: an output or a failure; immutable.
 *
 * <pre>{@code
 * for (InputOutcome<User> outcome : users.executeEach(ids)) {
 *     page.add(outcome.failure() == null ? outcome.output() : User.UNKNOWN);
 * }
 * }</pre>
 *
 * @param <OUTPUT> the output
 */
public final class InputOutcome<OUTPUT extends @Nullable Object> {

    // immutable
    private final @Nullable Object output;
    private final @Nullable Throwable failure;

    private InputOutcome(@Nullable Object output, @Nullable Throwable failure) {
        this.output = output;
        this.failure = failure;
    }

    static <OUTPUT extends @Nullable Object> InputOutcome<OUTPUT> of(OUTPUT output) {
        return new InputOutcome<>(output, null);
    }

    static <OUTPUT extends @Nullable Object> InputOutcome<OUTPUT> failed(Throwable failure) {
        return new InputOutcome<>(null, failure);
    }

    /**
     * Returns the output.
     *
     * @return what was bound to the input
     * @throws Exception the failure, as it is, if the input has one
     */
    public OUTPUT output() throws Exception {
        if (failure != null) {
            throw Failures.rethrow(failure);
        }
        return ResultSlot.<OUTPUT>cast(output);
    }

    /**
     * Returns the failure.
     *
     * @return what {@code execute} would have thrown for the input, or null if it has an output
     */
    public @Nullable Throwable failure() {
        return failure;
    }

    @Override
    public String toString() {
        return failure == null ? "output " + output : "failure " + failure;
    }
}
