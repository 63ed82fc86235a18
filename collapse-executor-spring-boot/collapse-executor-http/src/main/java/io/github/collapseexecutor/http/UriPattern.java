package io.github.collapseexecutor.http;

import io.github.collapseexecutor.http.message.NormalizedPath;
import io.github.collapseexecutor.http.message.PercentEncoding;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of paths, at all hosts or at one, compiled once.
 *
 * <pre>{@code
 * UriPattern.parse("/user/*").matches("/user/2"); // true
 * UriPattern.parse("//users.example/user/*").matches(URI.create("https://users.example/user/2")); // true
 * }</pre>
 *
 * <ul>
 *   <li>{@code ?} one character within a segment
 *   <li>{@code *} any number of characters within a segment; alone between two slashes, at least one
 *   <li>{@code **}, alone between two slashes, any number of segments, also none
 *   <li>{@code {name}}, alone between two slashes, one segment
 *   <li>{@code //host} or {@code //host:port} in front of the path: only at this host, and only at this port if there is one; {@code ?} and
 *       {@code *} stay within a label, as in {@code //*.example/**}
 *   <li>{@code regex:} and a {@linkplain Pattern regular expression} that matches the whole path
 * </ul>
 *
 * <p>A pattern sees the path decoded, without {@code ;params} and with {@code .} and {@code ..} resolved, and is
 * case-sensitive. A path that servers read differently (an encoded slash or dot segment, an empty segment, a second layer
 * of encoding) matches no pattern. A slash at the end counts: {@code /user/*} does not match {@code /user/2/}, but
 * {@code /user/**} does. Hosts are compared without regard to case. A port that an address leaves out is that of its scheme.
 *
 * <p>Immutable. Matching takes time linear in the path for each {@code *}; a regular expression takes what it takes.
 */
public final class UriPattern {

    private static final String REGEX_PREFIX = "regex:";
    private static final String HOST_PREFIX = "//";
    private static final String ALLOWED =
            "; allowed are '?' (one character), '*' (within a segment), '**' and '{name}' (alone"
                    + " between two slashes), '//host' or '//host:port' in front, or 'regex:' and a regular expression of"
                    + " the whole path";

    // immutable
    private final String source;
    private final @Nullable HostPattern host;
    private final List<SegmentPattern> segments;
    private final @Nullable Pattern regex;

    private UriPattern(
            String source, @Nullable HostPattern host, List<SegmentPattern> segments, @Nullable Pattern regex) {
        this.source = source;
        this.host = host;
        this.segments = segments;
        this.regex = regex;
    }

    /**
     * Compiles a pattern.
     *
     * @param pattern the text of the pattern: {@code /} and segments, perhaps with {@code //host} in front, or {@code regex:} and a
     *     regular expression
     * @return the pattern
     * @throws IllegalArgumentException if it cannot be parsed, or could never match; the message names the place and what is
     *     allowed
     */
    public static UriPattern parse(String pattern) {
        if (pattern.startsWith(REGEX_PREFIX)) {
            return new UriPattern(pattern, null, List.of(), compile(pattern));
        }
        if (!pattern.startsWith("/")) {
            throw error(pattern, 0, "a pattern of paths starts with '/'");
        }
        boolean namesHost = pattern.startsWith(HOST_PREFIX);
        int path = namesHost ? pattern.indexOf('/', HOST_PREFIX.length()) : 0;
        if (path < 0) {
            throw error(pattern, pattern.length(), "the path is missing behind the host; '/**' is every path");
        }
        HostPattern host = namesHost ? host(pattern, path) : null;
        List<SegmentPattern> segments = new ArrayList<>();
        int start = path + 1;
        while (start <= pattern.length()) {
            int slash = pattern.indexOf('/', start);
            int end = slash < 0 ? pattern.length() : slash;
            segments.add(new SegmentPattern(segment(pattern, start, end)));
            start = end + 1;
        }
        return new UriPattern(pattern, host, List.copyOf(segments), null);
    }

    private static HostPattern host(String pattern, int end) {
        try {
            return HostPattern.parse(pattern.substring(HOST_PREFIX.length(), end));
        } catch (IllegalArgumentException e) {
            IllegalArgumentException error = error(pattern, HOST_PREFIX.length(), String.valueOf(e.getMessage()));
            error.initCause(e);
            throw error;
        }
    }

    private static Pattern compile(String pattern) {
        String expression = pattern.substring(REGEX_PREFIX.length());
        if (expression.isEmpty()) {
            throw error(pattern, REGEX_PREFIX.length(), "the regular expression is missing");
        }
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            IllegalArgumentException error =
                    error(pattern, REGEX_PREFIX.length() + Math.max(0, e.getIndex()), e.getDescription());
            error.initCause(e);
            throw error;
        }
    }

    private static String segment(String pattern, int start, int end) {
        String segment = pattern.substring(start, end);
        if (segment.isEmpty() && end < pattern.length()) {
            throw error(pattern, start, "an empty segment matches nothing");
        }
        if (segment.equals(".") || segment.equals("..")) {
            throw error(pattern, start, "'" + segment + "' matches nothing, it is resolved before paths are matched");
        }
        if (segment.startsWith("{")) {
            return variable(pattern, start, segment);
        }
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (c == '{' || c == '}') {
                throw error(pattern, start + i, "a '{name}' stands alone between two slashes");
            }
            if (c == '\\' || Character.isISOControl(c)) {
                throw error(pattern, start + i, "a backslash or control character matches nothing");
            }
            if (c == ';') {
                throw error(pattern, start + i, "';' and what follows is cut off before paths are matched");
            }
            if (c == '%' && PercentEncoding.isEncodedByte(segment, i)) {
                throw error(
                        pattern, start + i, "paths are decoded before they are matched; write the character itself");
            }
        }
        int stars = segment.indexOf(SegmentPattern.ANY_NUMBER);
        if (stars >= 0 && !segment.equals(SegmentPattern.ANY_NUMBER)) {
            throw error(pattern, start + stars, "'**' stands alone between two slashes");
        }
        return segment;
    }

    private static String variable(String pattern, int start, String segment) {
        int close = segment.indexOf('}');
        if (close < 0) {
            throw error(pattern, start, "'{' is not closed");
        }
        if (close < segment.length() - 1) {
            throw error(pattern, start + close + 1, "a '{name}' stands alone between two slashes");
        }
        for (int i = 1; i < close; i++) {
            if (!Character.isJavaIdentifierPart(segment.charAt(i)) && segment.charAt(i) != '-') {
                throw error(pattern, start + i, "the name in '{name}' holds letters, digits, '_' and '-' only");
            }
        }
        if (close == 1) {
            throw error(pattern, start, "the name in '{name}' is missing");
        }
        return SegmentPattern.ANY;
    }

    private static IllegalArgumentException error(String pattern, int index, String problem) {
        return new IllegalArgumentException(
                "'" + pattern + "' is not a URI pattern: at index " + index + ", " + problem + ALLOWED);
    }

    /**
     * Tells whether a path matches, whatever the host.
     *
     * @param rawPath the path of a request as it is sent, still encoded, without the query
     * @return true if the normalised path matches as a whole; false if the pattern names a host
     */
    public boolean matches(String rawPath) {
        NormalizedPath path = NormalizedPath.of(rawPath);
        return path != null && host == null && matches(path);
    }

    /**
     * Tells whether an address matches.
     *
     * @param uri an absolute address as it is sent, still encoded
     * @return true if the normalised path matches as a whole, and the host is the one that the pattern names, if it names one
     */
    public boolean matches(URI uri) {
        NormalizedPath path = NormalizedPath.of(uri.getRawPath());
        return path != null && matches(path, uri);
    }

    /**
     * Tells whether every address that another pattern matches matches this one, too. Regular expressions are compared as texts.
     *
     * @param other the other pattern
     * @return true if so; false if not, or if it cannot be told from the two texts
     */
    public boolean covers(UriPattern other) {
        return source.equals(other.source)
                || (regex == null && other.regex == null && coversHost(other) && covers(0, other.segments, 0));
    }

    private boolean coversHost(UriPattern other) {
        return host == null || (other.host != null && host.covers(other.host));
    }

    private boolean covers(int p, List<SegmentPattern> other, int s) {
        if (p == segments.size()) {
            return s == other.size();
        }
        if (segments.get(p).isAnyNumber()) {
            return covers(p + 1, other, s) || (s < other.size() && covers(p, other, s + 1));
        }
        return s < other.size() && segments.get(p).covers(other.get(s)) && covers(p + 1, other, s + 1);
    }

    /** The segments of plain text that a path has to begin with to match; none of a regular expression. */
    List<String> plainPrefix() {
        return segments.stream()
                .takeWhile(SegmentPattern::isText)
                .map(SegmentPattern::toString)
                .toList();
    }

    /**
     * Tells whether a request matches.
     *
     * @param path the path that counts, which may be another than that of the address
     * @param uri the address, whose host counts
     */
    boolean matches(NormalizedPath path, URI uri) {
        return (host == null || host.matches(uri)) && matches(path);
    }

    /** Tells whether a path matches, whatever the host. */
    boolean matches(NormalizedPath path) {
        return regex != null ? regex.matcher(path.joined()).matches() : matchesSegments(path.segments());
    }

    /** A wildcard match that returns to the last {@code **} only: what stands before it cannot match better elsewhere. */
    private boolean matchesSegments(List<String> path) {
        int p = 0;
        int s = 0;
        int lastAny = -1;
        int resume = 0;
        while (s < path.size()) {
            if (p < segments.size() && segments.get(p).isAnyNumber()) {
                lastAny = p++;
                resume = s;
            } else if (p < segments.size() && segments.get(p).matches(path.get(s))) {
                p++;
                s++;
            } else if (lastAny >= 0) {
                p = lastAny + 1;
                s = ++resume;
            } else {
                return false;
            }
        }
        while (p < segments.size() && segments.get(p).isAnyNumber()) {
            p++;
        }
        return p == segments.size();
    }

    /** {@return the text that was parsed} */
    @Override
    public String toString() {
        return source;
    }
}
