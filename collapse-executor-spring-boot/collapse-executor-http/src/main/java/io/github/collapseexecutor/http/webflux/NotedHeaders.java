package io.github.collapseexecutor.http.webflux;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.util.MultiValueMapAdapter;

/**
 * The headers of a handler's response, which notice what the handler writes: a handler that says again what a filter in front has said
 * changes nothing, and has said it all the same.
 */
final class NotedHeaders extends MultiValueMapAdapter<String, String> {

    private static final long serialVersionUID = 1L;

    // mutable, confined to the handler's signals until the head is final
    private final TreeSet<String> written = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    /** Creates headers of which nothing is written. */
    NotedHeaders() {
        super(new LinkedCaseInsensitiveMap<>(8, Locale.ROOT));
    }

    /** Puts what is there before the handler begins. */
    void begin(Map<String, ? extends Collection<String>> before) {
        before.forEach((name, values) -> super.put(name, new ArrayList<>(values)));
        written.clear();
    }

    /** Shows the headers in Spring's own form. */
    HttpHeaders shown() {
        return new HttpHeaders(this);
    }

    /** The names that the handler has written, whether or not that has changed anything. */
    Set<String> written() {
        return written;
    }

    @Override
    public void add(String name, @Nullable String value) {
        super.add(name, value);
        written.add(name);
    }

    @Override
    public void addAll(String name, List<? extends String> values) {
        super.addAll(name, values);
        written.add(name);
    }

    @Override
    public void set(String name, @Nullable String value) {
        super.set(name, value);
        written.add(name);
    }

    @Override
    public @Nullable List<String> put(String name, List<String> values) {
        List<String> before = super.put(name, values);
        written.add(name);
        return before;
    }

    @Override
    public void putAll(Map<? extends String, ? extends List<String>> all) {
        all.forEach(this::put);
    }
}
