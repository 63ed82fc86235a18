package io.github.collapseexecutor.http.spring;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.springframework.http.HttpHeaders;

/**
 * Shows each of Spring's headers once. Over Reactor Netty, a header whose lines differ in case is listed by each of its names, and each time with
 * the values of all. Public for other packages of the library only.
 */
public final class HeadersByName {

    private HeadersByName() {}

    public static void show(HttpHeaders headers, BiConsumer<? super String, ? super List<String>> action) {
        Set<String> shown = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> {
            if (shown.add(name)) {
                action.accept(name, values);
            }
        });
    }
}
