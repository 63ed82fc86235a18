package io.github.collapseexecutor.http.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
        (MAY_CHANGE ? settled(headers) : copyOf(headers)).forEach(action);
    }

    private static Map<String, List<String>> settled(HttpHeaders headers) {
        @Nullable Map<String, List<String>> before = null;
        @Nullable RuntimeException failure = null;
        for (int read = 0; read < MOST_READS; read++) {
            try {
                Map<String, List<String>> now = copyOf(headers);
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

    private static Map<String, List<String>> copyOf(HttpHeaders headers) {
        Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> copy.putIfAbsent(name, new ArrayList<>(values)));
        return copy;
    }
}
