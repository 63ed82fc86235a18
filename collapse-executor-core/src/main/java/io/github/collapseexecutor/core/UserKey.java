package io.github.collapseexecutor.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A user's key in a table of ours, a group or an input, wrapped so that its {@code hashCode}, {@code equals} and {@code
 * compareTo} harm no other caller.
 *
 * <p>The hash is taken once, on the thread of the caller that brings the key. The wrapper is not comparable, so that a table
 * does not sort keys whose hashes collide. An {@code equals} that throws is its caller's own failure if the key is not even
 * equal to itself without throwing; otherwise the key that it was compared with may be to blame, and the two are taken for
 * different. A {@linkplain #retire() retired} key is found by identity, so that its removal runs no code of the user's.
 */
final class UserKey {

    // immutable
    private final @Nullable Object value;
    private final int hash;

    // mutable, guarded like the table that the key stands in
    private boolean retired;

    UserKey(@Nullable Object value) {
        this.value = value;
        this.hash = Objects.hashCode(value);
    }

    /** Compares two keys for the caller of the first. */
    private static boolean areEqual(@Nullable Object own, @Nullable Object other) {
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

    @Nullable Object value() {
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
                && other instanceof UserKey
                && hash == ((UserKey) other).hash
                && areEqual(value, ((UserKey) other).value);
    }

    @Override
    public String toString() {
        return "UserKey@" + Integer.toHexString(hash);
    }
}
