package io.github.collapseexecutor.http;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The request headers by which an origin chose a response ({@code Vary}, RFC 9111 section 4.1), with the leader's values.
 *
 * <p>A content coding counts as if {@code Vary: Accept-Encoding} had been sent with it, because origins forget that (H30).
 */
final class Selection {

    // immutable
    private final List<String> names;
    private final Map<String, Optional<List<String>>> values;

    Selection(List<String> lowerCaseNames, HttpFields request) {
        this.names = lowerCaseNames;
        this.values = valuesOf(request);
    }

    private Map<String, Optional<List<String>>> valuesOf(HttpFields request) {
        Map<String, Optional<List<String>>> selected = new LinkedHashMap<>();
        for (String name : names) {
            selected.put(name, Optional.ofNullable(request.values(name)));
        }
        return selected;
    }

    /** Whether a request has the same values as the leader; absent equals only absent. */
    boolean includes(HttpFields request) {
        return valuesOf(request).equals(values);
    }

    /** What a follower that is not included has in common with those it may regroup with; with value equality. */
    Object regroupBy(HttpFields request) {
        return valuesOf(request);
    }
}
