package io.github.collapseexecutor.spring.annotation.key;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What calls of a method have in common that may share. The hash is taken once, so that an argument that changes meanwhile leaves
 * nothing behind.
 */
public final class CallKey {

    // immutable
    private final Object target;
    private final List<@Nullable Object> values;
    private final @Nullable Object user;
    private final int hash;

    /**
     * Creates a key.
     *
     * @param target the object that the method is called on, compared by identity
     * @param values the arguments, or what the annotation names instead
     * @param user the user, null for any
     */
    public CallKey(Object target, List<@Nullable Object> values, @Nullable Object user) {
        this.target = target;
        this.values = values;
        this.user = user;
        this.hash = hashOf(target, values, user);
    }

    private static int hashOf(Object target, List<@Nullable Object> values, @Nullable Object user) {
        return (System.identityHashCode(target) * 31 + values.hashCode()) * 31 + Objects.hashCode(user);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other == this || (other instanceof CallKey key && isSame(key));
    }

    private boolean isSame(CallKey key) {
        return key.hash == hash && key.target == target && values.equals(key.values) && Objects.equals(user, key.user);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Whether the values are what they were; one may be an object that its caller has changed since. */
    public boolean isAsItWas() {
        return hash == hashOf(target, values, user);
    }

    /** What a key has in common with equal ones on other instances. The object that is called is the bean of its name there. */
    public List<@Nullable Object> parts() {
        return Arrays.asList(values, user);
    }

    /** Without the user, which is nobody else's business. */
    @Override
    public String toString() {
        return values.toString();
    }
}
