package io.github.collapseexecutor.http.webflux;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.LinkedCaseInsensitiveMap;

/**
 * What a handler, and no filter in front of it, has said about a response: the difference between the heads before and after. The
 * same difference can be made to the head of another response.
 *
 * <p>Immutable.
 *
 * @param status the status that the handler has set; null if it has left it
 * @param added values that were added behind those before, by name of the header
 * @param replaced values that were put in the place of those before; no value where the header was removed
 * @param cookies the cookies that were added, which are for one client only
 */
record HeadDifference(
        @Nullable HttpStatusCode status,
        Map<String, List<String>> added,
        Map<String, List<String>> replaced,
        List<ResponseCookie> cookies) {

    /** Headers that are for the leader's client alone. */
    private static final Set<String> PERSONAL = Set.of("set-cookie", "set-cookie2");

    /** A head at one moment. */
    record Head(@Nullable HttpStatusCode status, Map<String, List<String>> headers, List<ResponseCookie> cookies) {

        static Head of(ServerHttpResponse response) {
            return new Head(response.getStatusCode(), headersOf(response), cookiesOf(response));
        }

        static Map<String, List<String>> headersOf(ServerHttpResponse response) {
            Map<String, List<String>> headers =
                    new LinkedCaseInsensitiveMap<>(8, Locale.ROOT); // in the handler's order
            response.getHeaders().forEach((name, values) -> headers.put(name, copy(values)));
            return headers;
        }

        /** A header of Spring's may have a value that is null. */
        private static List<String> copy(List<String> values) {
            return Collections.unmodifiableList(new ArrayList<>(values));
        }

        static List<ResponseCookie> cookiesOf(ServerHttpResponse response) {
            List<ResponseCookie> cookies = new ArrayList<>();
            response.getCookies().forEach((name, values) -> cookies.addAll(values));
            return cookies;
        }
    }

    /**
     * Compares two heads.
     *
     * @param written names of headers that the handler has written, maybe with the values that were there before
     */
    static HeadDifference between(Head before, Head after, Set<String> written) {
        Map<String, List<String>> added = new LinkedHashMap<>();
        Map<String, List<String>> replaced = new LinkedHashMap<>();
        after.headers().forEach((name, values) -> {
            List<String> previous = before.headers().getOrDefault(name, List.of());
            boolean extended = values.size() > previous.size()
                    && values.subList(0, previous.size()).equals(previous);
            if (extended) {
                added.put(name, values.subList(previous.size(), values.size()));
            } else if (!values.equals(previous) || written.contains(name)) {
                replaced.put(name, values);
            }
        });
        before.headers().keySet().stream()
                .filter(name -> !after.headers().containsKey(name))
                .forEach(name -> replaced.put(name, List.of()));
        List<ResponseCookie> cookies = new ArrayList<>(after.cookies());
        cookies.removeAll(before.cookies());
        HttpStatusCode status = after.status();
        return new HeadDifference(
                status != null && status.equals(before.status()) ? null : status,
                added,
                replaced,
                List.copyOf(cookies));
    }

    /** Makes the same change to the response of the handler's own client, unless its head has gone. */
    void applyToOwn(ServerHttpResponse response) {
        if (!response.isCommitted()) {
            apply(response, Set.of());
            cookies.forEach(response::addCookie);
        }
    }

    /** Makes the same change to the response of another client, but for what is personal. */
    void applyToOther(ServerHttpResponse response) {
        if (!response.isCommitted()) {
            apply(response, PERSONAL);
        }
    }

    private void apply(ServerHttpResponse response, Set<String> without) {
        if (status != null) {
            boolean unused = response.setStatusCode(status);
        }
        HttpHeaders headers = response.getHeaders();
        added.forEach((name, values) -> {
            if (!without.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> headers.add(name, value));
            }
        });
        replaced.forEach((name, values) -> {
            if (without.contains(name.toLowerCase(Locale.ROOT))) {
                return;
            }
            if (values.isEmpty()) {
                boolean unused =
                        headers.headerSet().removeIf(header -> header.getKey().equalsIgnoreCase(name));
            } else {
                headers.put(name, new ArrayList<>(values));
            }
        });
    }
}
