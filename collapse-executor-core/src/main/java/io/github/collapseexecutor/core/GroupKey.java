package io.github.collapseexecutor.core;

import org.jspecify.annotations.Nullable;

/**
 * What a caller's input may be gathered by, wrapped so that the user's {@code hashCode} and {@code equals} run for the
 * caller who brought them and for nobody else.
 *
 * <p>The hash is taken once, on the submitting thread. When a group goes, its key is {@linkplain #retire() retired} and
 * from then on looks only for itself: removing it from the table runs no code of the user's, which might throw where the
 * other callers of the group wait for their answers.
 */
final class GroupKey {

    // immutable
    private final Object value;
    private final int hash;

    // mutable; set before the removal by the thread that removes, and read only by such threads
    private boolean retired;

    GroupKey(Object value) {
        this.value = value;
        this.hash = value.hashCode();
    }

    Object value() {
        return value;
    }

    void retire() {
        retired = true;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        return !retired
                && other instanceof GroupKey
                && hash == ((GroupKey) other).hash
                && InputKey.areEqual(value, ((GroupKey) other).value);
    }

    @Override
    public String toString() {
        return "GroupKey@" + Integer.toHexString(hash);
    }
}
