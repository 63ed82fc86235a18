package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.rules.HttpResponseView;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * What a handler, and nobody before it, has said about a response: the difference between the headers before and after.
 *
 * @param status the status code
 * @param headers by name, in order
 * @param forLeaderOnly whether nobody else may have the response, whatever its headers say
 * @param shown headers of the request, not part of its key, that the response shows
 */
record ServletHandlerHead(int status, Map<String, List<String>> headers, boolean forLeaderOnly, Set<String> shown)
        implements HttpResponseView {

    /**
     * Attributes of the leader's request that matter to what comes after the handler.
     *
     * @param byName exceptions, which an error page tells of, and where Spring dispatched the request to, which metrics and traces tell of
     */
    record LeftAttributes(Map<String, Object> byName) {

        private static final String ROUTE = "org.springframework.web.servlet.HandlerMapping.";

        static LeftAttributes in(HttpServletRequest request) {
            Map<String, Object> left = new LinkedHashMap<>();
            for (Iterator<String> names = request.getAttributeNames().asIterator(); names.hasNext(); ) {
                String name = names.next();
                Object value = request.getAttribute(name);
                if (value instanceof Throwable || (value != null && name.startsWith(ROUTE))) {
                    left.put(name, value);
                }
            }
            return new LeftAttributes(left);
        }

        /** Leaves the same in another request. */
        void leaveIn(HttpServletRequest request) {
            byName.forEach(request::setAttribute);
        }
    }

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

    /** What was added to, or put in the place of, the headers before. */
    static Map<String, List<String>> difference(Map<String, List<String>> before, Map<String, List<String>> after) {
        Map<String, List<String>> difference = new LinkedHashMap<>();
        after.forEach((name, values) -> {
            List<String> previous = before.getOrDefault(name, List.of());
            if (values.equals(previous)) {
                return;
            }
            boolean added = values.size() > previous.size()
                    && values.subList(0, previous.size()).equals(previous);
            difference.put(name, List.copyOf(added ? values.subList(previous.size(), values.size()) : values));
        });
        return difference;
    }

    /** The head of a response that only the leader's client gets, whatever the head says. */
    static ServletHandlerHead ofClientOnly() {
        return new ServletHandlerHead(HttpServletResponse.SC_OK, Map.of(), true, Set.of());
    }

    /** The same of a response that shows these headers of its request. */
    ServletHandlerHead showing(Set<String> names) {
        return new ServletHandlerHead(status, headers, forLeaderOnly, Set.copyOf(names));
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
