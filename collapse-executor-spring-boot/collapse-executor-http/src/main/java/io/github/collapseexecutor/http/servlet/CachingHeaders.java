package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The caching headers of a response before its request leaves the filters in front without an answer. Filters that complete such headers, as
 * Spring Security's does, find none then and write their own. If the answer has some, those of the filters are taken back: they would
 * not have written them.
 */
record CachingHeaders(Map<String, List<String>> before) {

    private static final Set<String> NAMES = Set.of("cache-control", "expires", "pragma");

    /** Looks at a response. */
    static CachingHeaders of(HttpServletResponse response) {
        return new CachingHeaders(in(response));
    }

    private static Map<String, List<String>> in(HttpServletResponse response) {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (String name : NAMES) {
            headers.put(name, List.copyOf(response.getHeaders(name)));
        }
        return headers;
    }

    /** Whether a header, in lower case, says how a response is cached. */
    static boolean contain(String header) {
        return NAMES.contains(header);
    }

    /**
     * Takes back what was written since. Servlet 6.0 removes a header only with all others and the body, so the others are put back. Where a
     * filter in front has begun the body, all headers stay.
     */
    void restoreIn(HttpServletResponse response) {
        if (response.isCommitted() || in(response).equals(before) || hasBody(response)) {
            return;
        }
        Map<String, List<String>> others = new LinkedHashMap<>();
        for (String name : response.getHeaderNames()) {
            if (!NAMES.contains(ServletRecording.nameOf(name))) {
                others.put(name, new ArrayList<>(response.getHeaders(name)));
            }
        }
        int status = response.getStatus();
        String type = response.getContentType();
        String encoding = response.getCharacterEncoding();
        Locale locale = response.getLocale();
        response.reset();
        response.setStatus(status);
        if (type != null) {
            response.setContentType(type);
        }
        if (encoding != null && !encoding.equals(response.getCharacterEncoding())) {
            response.setCharacterEncoding(encoding);
        }
        if (!locale.equals(response.getLocale())) {
            response.setLocale(locale);
        }
        others.putAll(before);
        others.forEach((name, values) -> {
            if (!response.containsHeader(name)) { // some containers keep cookies
                values.forEach(value -> response.addHeader(name, value));
            }
        });
    }

    /** Whether something of the body was written, which a response shows only by refusing another buffer. */
    private static boolean hasBody(HttpServletResponse response) {
        try {
            response.setBufferSize(response.getBufferSize());
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
