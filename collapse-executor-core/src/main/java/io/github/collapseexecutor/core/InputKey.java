package io.github.collapseexecutor.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A user's key in a table of ours, so that its {@code hashCode}, {@code equals} and {@code compareTo} harm no other caller.
 *
 * <p>The hash is taken once, on the thread of the caller that brings the key. The wrapper is not comparable, so that a table
 * does not sort keys whose hashes collide. An {@code equals} that throws is its caller's own failure if the key is not even
 * equal to itself without throwing; otherwise the key that it was compared with may be to blame, and the two are taken for
 * different. A {@linkplain #retire() retired} key is found by identity, so that its removal runs no code of the user's.
 */
final class InputKey {

    // immutable
    private final @Nullable Object value;
    private final int hash;

    // mutable, guarded like the table that the key stands in
    private boolean retired;

    InputKey(@Nullable Object value) {
        this.value = value;
        this.hash = Objects.hashCode(value);
    }

    /** Compares two keys for the caller of the first. */
    static boolean areEqual(@Nullable Object own, @Nullable Object other) {
        try {
            return Objects.equals(own, other);
        } catch (Throwable thrown) {
            Object same = own;
            if (own != null && own.equals(same)) {
                return false;
            }
            throw thrown;
        }
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
                && other instanceof InputKey
                && hash == ((InputKey) other).hash
                && areEqual(value, ((InputKey) other).value);
    }

    @Override
    public String toString() {
        return "InputKey@" + Integer.toHexString(hash);
    }
}
