package io.github.collapseexecutor.http.rules;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What sends the requests of a client. Parts are compared by identity: an application's own {@code equals} may leave out the credentials in
 * which two parts differ. Values, those of libraries and the JDK, are compared by {@code equals}. Public for the adapters only.
 */
public final class ClientParts {

    // immutable
    private final List<@Nullable Object> parts;
    private final List<@Nullable Object> values;

    /** Takes what tells clients apart; two with the same number of parts may be equal. */
    public ClientParts(List<@Nullable Object> parts, @Nullable Object... values) {
        this.parts = parts;
        this.values = Arrays.asList(values);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClientParts that && hasTheSameParts(that) && values.equals(that.values);
    }

    private boolean hasTheSameParts(ClientParts that) {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i) != that.parts.get(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = values.hashCode();
        for (Object part : parts) {
            hash = 31 * hash + System.identityHashCode(part);
        }
        return hash;
    }

    /** Shows nothing of the client. */
    @Override
    public String toString() {
        return "ClientParts@" + Integer.toHexString(hashCode());
    }
}
