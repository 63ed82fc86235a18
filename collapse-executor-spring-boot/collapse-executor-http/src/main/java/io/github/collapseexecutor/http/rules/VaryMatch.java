package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.message.HttpFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The request headers by which an origin chose a response ({@code Vary}, RFC 9111 section 4.1), with the leader's values, some of them by their
 * beginning ({@code x-auth-*}); and
 * whether a request can read the response's content codings, because origins forget to say that they chose by that (H30).
 */
final class VaryMatch {

    private static final String ACCEPT_ENCODING = "accept-encoding";

    // immutable
    private final List<String> names;
    private final Map<String, Optional<List<@Nullable String>>> values;
    private final List<String> codings;
    private final Optional<List<@Nullable String>> acceptEncoding;

    VaryMatch(List<String> lowerCaseNames, List<String> codings, HttpFields leader) {
        this.names = List.copyOf(lowerCaseNames);
        this.values = valuesOf(leader);
        this.codings = List.copyOf(codings);
        this.acceptEncoding = Optional.ofNullable(leader.values(ACCEPT_ENCODING));
    }

    private Map<String, Optional<List<@Nullable String>>> valuesOf(HttpFields request) {
        if (names.isEmpty()) {
            return Map.of();
        }
        Map<String, Optional<List<@Nullable String>>> selected = new LinkedHashMap<>();
        for (String name : names) {
            selected.put(
                    name, name.endsWith("*") ? valuesOfAll(request, name) : Optional.ofNullable(request.values(name)));
        }
        return selected;
    }

    private static Optional<List<@Nullable String>> valuesOfAll(HttpFields request, String pattern) {
        List<@Nullable String> all = new ArrayList<>();
        String beginning = pattern.substring(0, pattern.length() - 1);
        for (String name : new TreeSet<>(request.names())) {
            List<@Nullable String> present = request.values(name);
            if (name.startsWith(beginning) && present != null) {
                all.add(name);
                all.addAll(present);
            }
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }

    List<String> names() {
        return names;
    }

    List<String> codings() {
        return codings;
    }

    /** Shows the leader's headers by which the response was chosen, those that it had. */
    void forEachChoice(BiConsumer<? super String, ? super List<String>> action) {
        Map<String, Optional<List<@Nullable String>>> all = new LinkedHashMap<>(values);
        all.put(ACCEPT_ENCODING, acceptEncoding);
        all.forEach((name, present) -> present.ifPresent(chosen -> action.accept(name, chosen)));
    }

    /** Whether a request has the same values as the leader, absent equal only to absent, and can read the codings. */
    boolean includes(HttpFields request) {
        return valuesOf(request).equals(values) && canRead(request);
    }

    /** A request with the leader's {@code Accept-Encoding} can read the leader's response. */
    private boolean canRead(HttpFields request) {
        return codings.isEmpty()
                || acceptEncoding.equals(Optional.ofNullable(request.values(ACCEPT_ENCODING)))
                || new AcceptEncoding(request).allows(codings);
    }

    /** What a follower that is not included has in common with those it may regroup with; with value equality. */
    Object regroupBy(HttpFields request) {
        if (codings.isEmpty()) {
            return valuesOf(request);
        }
        Map<String, Optional<List<@Nullable String>>> common = new LinkedHashMap<>(valuesOf(request));
        common.put(ACCEPT_ENCODING, Optional.ofNullable(request.values(ACCEPT_ENCODING)));
        return common;
    }
}
