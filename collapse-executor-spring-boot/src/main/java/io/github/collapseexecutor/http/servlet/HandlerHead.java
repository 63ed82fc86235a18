package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.HttpResponseView;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a handler, and nobody before it, has said about a response: the difference between the headers before and after.
 *
 * @param status the status code
 * @param headers by name, in order
 * @param extras what HTTP does not say
 * @param forLeaderOnly whether nobody else may have the response, whatever its headers say
 */
record HandlerHead(int status, Map<String, List<String>> headers, Extras extras, boolean forLeaderOnly)
        implements HttpResponseView {

    /**
     * What a follower's response needs beyond status, headers and body.
     *
     * @param added names, in lower case, of headers to which the handler added values; it set the others
     * @param reset whether the handler cleared what filters before it had set
     * @param locale the response's locale where the handler set one
     * @param ending how the handler ended the response, other than by a body
     * @param left what the handler left in the request
     */
    record Extras(
            Set<String> added,
            boolean reset,
            @Nullable Locale locale,
            @Nullable Ending ending,
            LeftAttributes left) {}

    /**
     * Attributes of the leader's request that matter to what comes after the handler, by name.
     *
     * @param failures exceptions, which an error page tells of
     * @param route where Spring dispatched the request to, which metrics and traces tell of
     */
    record LeftAttributes(Map<String, Object> failures, Map<String, Object> route) {

        private static final String ROUTE = "org.springframework.web.servlet.HandlerMapping.";

        static LeftAttributes in(HttpServletRequest request) {
            Map<String, Object> failures = new LinkedHashMap<>();
            Map<String, Object> route = new LinkedHashMap<>();
            for (Iterator<String> names = request.getAttributeNames().asIterator(); names.hasNext(); ) {
                String name = names.next();
                Object value = request.getAttribute(name);
                if (value instanceof Throwable) {
                    failures.put(name, value);
                } else if (value != null && name.startsWith(ROUTE)) {
                    route.put(name, value);
                }
            }
            return new LeftAttributes(failures, route);
        }

        /** Leaves the same in another request. */
        void leaveIn(HttpServletRequest request) {
            failures.forEach(request::setAttribute);
            route.forEach(request::setAttribute);
        }
    }

    /** How a response ends for which the container is to write the body. */
    sealed interface Ending permits ErrorSent, RedirectSent, Thrown {}

    /**
     * {@code sendError}.
     *
     * @param message null if there was none
     */
    record ErrorSent(int status, @Nullable String message) implements Ending {}

    /** {@code sendRedirect}, to where the handler said. */
    record RedirectSent(String location) implements Ending {}

    /** An exception that the handler let out. */
    record Thrown(Throwable failure) implements Ending {}

    /** The headers of a response, but for those about its body. */
    static Map<String, List<String>> headersOf(HttpServletResponse response) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : response.getHeaderNames()) {
            if (!name.equalsIgnoreCase("Content-Type") && !name.equalsIgnoreCase("Content-Length")) {
                headers.put(name, new ArrayList<>(response.getHeaders(name)));
            }
        }
        return headers;
    }

    /** What was added to, or put in the place of, the headers before; names of the former go to {@code added}. */
    static Map<String, List<String>> difference(
            Map<String, List<String>> before, Map<String, List<String>> after, Set<String> added) {
        Map<String, List<String>> difference = new LinkedHashMap<>();
        after.forEach((name, values) -> {
            List<String> previous = before.getOrDefault(name, List.of());
            if (values.equals(previous)) {
                return;
            }
            boolean begins = values.size() > previous.size()
                    && values.subList(0, previous.size()).equals(previous);
            if (begins && !previous.isEmpty()) {
                added.add(name.toLowerCase(Locale.ROOT));
                difference.put(name, List.copyOf(values.subList(previous.size(), values.size())));
            } else {
                difference.put(name, List.copyOf(values));
            }
        });
        return difference;
    }

    /** The head of a response that nobody but the leader's client gets, whatever it says. */
    static HandlerHead ofClientOnly() {
        return new HandlerHead(
                HttpServletResponse.SC_OK,
                Map.of(),
                new Extras(Set.of(), false, null, null, new LeftAttributes(Map.of(), Map.of())),
                true);
    }

    static Set<String> names() {
        return new HashSet<>();
    }

    @Override
    public String reason() {
        return "";
    }

    @Override
    public void forEachHeader(BiConsumer<? super String, ? super List<String>> action) {
        headers.forEach(action);
    }

    @Override
    public boolean isForLeaderOnly() {
        return forLeaderOnly;
    }
}
