package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a handler has said about the head of its response. A filter in front may hold that until the response is committed, as SiteMesh holds a date,
 * and show it to nobody: what is said counts, whether it is shown or not.
 *
 * <p>Mutable, confined to the handler.
 */
final class SaidHead {

    /** As containers write it. */
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private int status = -1;
    private @Nullable String type;

    static String date(long date) {
        return DATE.format(Instant.ofEpochMilli(date));
    }

    /** A header is set, or taken back by a null. */
    void set(String name, @Nullable String value) {
        headers.put(name, value == null ? List.of() : List.of(value));
    }

    void add(String name, @Nullable String value) {
        List<String> values = new ArrayList<>(headers.getOrDefault(name, List.of()));
        if (value != null) {
            values.add(value);
        }
        headers.put(name, values);
    }

    void status(int said) {
        status = said;
    }

    void type(@Nullable String said) {
        type = said;
    }

    void clear() {
        headers.clear();
        status = -1;
        type = null;
    }

    /** Whether anything was said of a header. */
    boolean has(String name) {
        return headers.containsKey(name);
    }

    /** Adds the headers of which something was said to those that have changed: what a response shows, maybe as a filter in front has said before, and what it does not. */
    void addTo(Map<String, List<String>> changed, HttpServletResponse response) {
        headers.forEach((name, values) -> {
            List<String> shown = List.copyOf(response.getHeaders(name));
            List<String> all = new ArrayList<>(changed.getOrDefault(name, shown));
            values.stream().filter(value -> !shown.contains(value)).forEach(all::add);
            if (!all.isEmpty()) {
                changed.put(name, all);
            }
        });
    }

    /** Whether a response shows another status than was said. */
    boolean isHiddenStatus(int shown) {
        return status >= 0 && status != shown;
    }

    /** The type that a response shows, or else what was said. */
    @Nullable String typeOr(@Nullable String shown) {
        return shown == null ? type : shown;
    }
}
