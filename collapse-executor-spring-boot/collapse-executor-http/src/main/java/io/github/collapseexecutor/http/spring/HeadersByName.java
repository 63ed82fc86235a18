package io.github.collapseexecutor.http.spring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.util.ClassUtils;

/**
 * Shows each of Spring's headers once. Over Reactor Netty, a header whose lines differ in case is listed by each of its names, and each time with
 * the values of all. Public for other packages of the library only.
 *
 * <p>Jetty's client takes headers out of a response that it has handed over, as soon as it decodes the body, on another thread. A reader may be
 * shown all but one then, which could be the one that forbids to share. Where there is that client, headers are read until they stay the same.
 */
public final class HeadersByName {

    private static final boolean MAY_CHANGE =
            ClassUtils.isPresent("org.eclipse.jetty.client.HttpClient", HeadersByName.class.getClassLoader());

    private static final int MOST_READS = 10;

    private HeadersByName() {}

    /**
     * Shows headers.
     *
     * @throws IllegalStateException if they change all the time
     */
    public static void show(HttpHeaders headers, BiConsumer<? super String, ? super List<String>> action) {
        if (MAY_CHANGE) {
            settled(headers).forEach(action);
        } else {
            showOnce(headers, action);
        }
    }

    private static void showOnce(HttpHeaders headers, BiConsumer<? super String, ? super List<String>> action) {
        Set<String> shown = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> {
            if (shown.add(name)) {
                action.accept(name, values);
            }
        });
    }

    private static Map<String, List<String>> settled(HttpHeaders headers) {
        @Nullable Map<String, List<String>> before = null;
        @Nullable RuntimeException failure = null;
        for (int read = 0; read < MOST_READS; read++) {
            try {
                Map<String, List<String>> now = new LinkedHashMap<>();
                showOnce(headers, (name, values) -> now.put(name, new ArrayList<>(values)));
                if (now.equals(before)) {
                    return now;
                }
                before = now;
            } catch (RuntimeException taken) { // what was about to be read
                failure = taken;
            }
        }
        throw new IllegalStateException("The headers of a response change while they are read", failure);
    }
}
