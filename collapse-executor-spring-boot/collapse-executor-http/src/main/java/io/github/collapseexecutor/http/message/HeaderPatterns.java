package io.github.collapseexecutor.http.message;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A set of header names, some of them given by their beginning ({@code x-b3-*}); all in lower case. Immutable.
 * Public for other packages of the library only.
 */
public final class HeaderPatterns {

    // immutable
    private final Set<String> names = new HashSet<>();
    private final String[] prefixes;

    private HeaderPatterns(Collection<String> patterns) {
        List<String> beginnings = new ArrayList<>();
        for (String pattern : patterns) {
            if (pattern.endsWith("*")) {
                beginnings.add(pattern.substring(0, pattern.length() - 1));
            } else {
                names.add(pattern);
            }
        }
        prefixes = beginnings.toArray(String[]::new);
    }

    /** Returns the names that either collection stands for. */
    public static HeaderPatterns of(Collection<String> patterns, Collection<String> further) {
        List<String> all = new ArrayList<>(patterns);
        all.addAll(further);
        return new HeaderPatterns(all);
    }

    /** Returns the headers that say on whose behalf a request is made: those that are always such, and further ones. */
    public static HeaderPatterns credentials(Collection<String> further) {
        return of(HeaderNames.CREDENTIALS, further);
    }

    /** Tells whether {@link #contain} holds for one of the names. */
    public boolean containAnyOf(Iterable<String> lowerCaseNames) {
        for (String name : lowerCaseNames) {
            if (contain(name)) {
                return true;
            }
        }
        return false;
    }

    /** Tells whether a header of this name, or every header that a name ending in {@code *} stands for, is in the set. */
    public boolean contain(String lowerCaseName) {
        if (names.contains(lowerCaseName)) {
            return true;
        }
        for (String prefix : prefixes) {
            if (lowerCaseName.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
