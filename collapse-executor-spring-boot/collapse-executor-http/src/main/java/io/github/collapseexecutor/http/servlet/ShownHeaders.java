package io.github.collapseexecutor.http.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Which headers of its request a handler has looked at and written into its response, although they are not part of the key. Others would get them:
 * an attacker who sends many requests, to be the leader, would have a text of his own in the pages of others.
 *
 * <p>A handler that only looks, as for a log, shows nothing. A value is found in the body as it stands, or as HTML, JSON or a URL write it. A page that
 * depends on a header in another way, as on the language of a browser, is not found; {@code Vary} says that.
 */
final class ShownHeaders {

    /** Shorter values are in every page. */
    private static final int SHORTEST = 3;

    /** A few bytes may be zipped of as many as nobody could hold. */
    private static final int LARGEST_UNZIPPED = 8 * 1024 * 1024;

    /** Characters that HTML or JSON write otherwise. */
    private static final String ESCAPED = "[&<>\"'\\\\]+";

    /** Values that browsers give headers of their own, and that no attacker needs. */
    private static final Set<String> OF_BROWSERS = Set.of(
            "cors",
            "no-cors",
            "navigate",
            "same-origin",
            "same-site",
            "cross-site",
            "none",
            "document",
            "empty",
            "image",
            "script",
            "style",
            "font",
            "iframe");

    // immutable
    private final HttpServletRequest request;
    private final Predicate<String> counts;

    // mutable, thread-safe; a handler that goes on asynchronously may look from any thread
    private final Set<String> lookedAt = ConcurrentHashMap.newKeySet();
    private final Set<String> askedFor = ConcurrentHashMap.newKeySet();

    /**
     * Creates a record of what a handler looks at.
     *
     * @param request as the handler gets it
     * @param counts whether a header, in lower case, counts if it is shown
     */
    ShownHeaders(HttpServletRequest request, Predicate<String> counts) {
        this.request = request;
        this.counts = counts;
    }

    /**
     * The handler looks at a header.
     *
     * @param byName whether it asks for that one, and does not walk through all
     */
    void lookAt(String name, boolean byName) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (counts.test(lower)) {
            lookedAt.add(lower);
            if (byName) {
                askedFor.add(lower);
            }
        }
    }

    /** Whether the handler has looked at any header that counts. */
    boolean isEmpty() {
        return lookedAt.isEmpty();
    }

    /**
     * The names of the headers whose values are in a response, in lower case. In a body that cannot be read, because it is encoded in another way than
     * gzip or its characters are not ASCII's, all are taken to be that the handler asked for. A framework asks for none that copies all.
     *
     * @param headers of the response, by name
     * @param body as far as it has been written
     * @param charset of the body
     */
    Set<String> in(Map<String, List<String>> headers, byte[] body, String charset) {
        if (lookedAt.isEmpty()) {
            return Set.of();
        }
        byte[] plain = isLikeAscii(charset) ? plain(headers, body) : null;
        if (plain == null) {
            return Set.copyOf(askedFor);
        }
        String text = new String(plain, Charset.forName(charset));
        Set<String> shown = new TreeSet<>();
        for (String name : lookedAt) {
            boolean isShown = Collections.list(request.getHeaders(name)).stream()
                    .anyMatch(value -> isIn(value, text, headers.values()));
            if (isShown) {
                shown.add(name);
            }
        }
        return shown;
    }

    /** The body without its encoding, as far as it has been written; null if it cannot be told. */
    private static byte @Nullable [] plain(Map<String, List<String>> headers, byte[] body) {
        List<String> codings = headers.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase("Content-Encoding"))
                .flatMap(header -> header.getValue().stream())
                .map(coding -> coding.trim().toLowerCase(Locale.ROOT))
                .filter(coding -> !coding.equals("identity"))
                .toList();
        if (codings.isEmpty()) {
            return body;
        }
        boolean zipped = codings.equals(List.of("gzip")) || codings.equals(List.of("x-gzip"));
        return zipped ? unzipped(body) : null;
    }

    private static byte @Nullable [] unzipped(byte[] body) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            byte[] part = new byte[8 * 1024];
            for (int length = in.read(part); length >= 0; length = in.read(part)) {
                plain.write(part, 0, length);
                if (plain.size() > LARGEST_UNZIPPED) {
                    return null;
                }
            }
        } catch (EOFException e) {
            // the rest has not been written yet
        } catch (IOException e) {
            return null; // it is not what it says
        }
        return plain.toByteArray();
    }

    private static boolean isLikeAscii(String charset) {
        try {
            return "<a>".getBytes(Charset.forName(charset)).length == 3;
        } catch (IllegalArgumentException e) {
            return false; // no charset of this JVM
        }
    }

    private static boolean isIn(String value, String body, Collection<List<String>> headers) {
        String plain = Arrays.stream(value.split(ESCAPED, -1))
                .map(String::trim)
                .max(Comparator.comparingInt(String::length))
                .orElse("");
        if (plain.length() < SHORTEST || OF_BROWSERS.contains(value)) {
            return false;
        }
        String inUrl = URLEncoder.encode(value, UTF_8);
        return body.contains(plain)
                || body.contains(inUrl)
                || headers.stream()
                        .flatMap(List::stream)
                        .anyMatch(header -> header.contains(plain) || header.contains(inUrl));
    }
}
