package io.github.collapseexecutor.http.message;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request as patterns see it (H13): decoded once, without {@code ;params}, with {@code .} and {@code ..}
 * resolved.
 *
 * <p>A path that two servers could read differently (an encoded or parameterised dot segment, an encoded slash, a
 * backslash, an empty segment, a second layer of encoding, malformed encoding, a control character, more {@code ..} than
 * segments) has no normal form here and so belongs to no group: it is forwarded, which is right under every reading.
 * Public for other packages of the library only.
 */
public final class NormalizedPath {

    // immutable
    private final List<String> segments;
    private @Nullable String
            joined; // mutable; a cache of one value computed from immutable state, safe to compute twice

    private NormalizedPath(List<String> segments) {
        this.segments = segments;
    }

    public static @Nullable NormalizedPath of(@Nullable String rawPath) {
        if (rawPath == null || rawPath.isEmpty()) {
            return rawPath == null ? null : new NormalizedPath(List.of(""));
        }
        if (rawPath.charAt(0) != '/') {
            return null;
        }
        List<String> segments = new ArrayList<>();
        int start = 1;
        while (start <= rawPath.length()) {
            int slash = rawPath.indexOf('/', start);
            int end = slash < 0 ? rawPath.length() : slash;
            boolean last = slash < 0;
            if (!append(segments, rawPath.substring(start, end), last)) {
                return null;
            }
            start = end + 1;
        }
        return new NormalizedPath(segments);
    }

    /**
     * Returns the normal form of a path that a server has decoded and normalised already; null where it could be read in
     * another way, as it could if a container left something to decode.
     */
    public static @Nullable NormalizedPath ofDecoded(String path) {
        if (!path.startsWith("/")) {
            return null;
        }
        List<String> segments = List.of(path.substring(1).split("/", -1));
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            boolean empty = segment.isEmpty() && i < segments.size() - 1;
            if (empty || segment.equals(".") || segment.equals("..") || !isPlain(segment)) {
                return null;
            }
        }
        return new NormalizedPath(segments);
    }

    private static boolean append(List<String> segments, String raw, boolean last) {
        if (raw.equals(".") || raw.equals("..")) {
            if (raw.equals("..")) {
                if (segments.isEmpty()) {
                    return false;
                }
                segments.remove(segments.size() - 1);
            }
            if (last) {
                segments.add("");
            }
            return true;
        }
        int params = raw.indexOf(';');
        String decoded = PercentEncoding.decode(params < 0 ? raw : raw.substring(0, params));
        if (decoded == null || decoded.equals(".") || decoded.equals("..") || !isPlain(decoded)) {
            return false;
        }
        if (decoded.isEmpty() && (!last || params >= 0)) {
            return false;
        }
        return segments.add(decoded);
    }

    private static boolean isPlain(String decoded) {
        for (int i = 0; i < decoded.length(); i++) {
            char c = decoded.charAt(i);
            if (c == '/'
                    || c == '\\'
                    || Character.isISOControl(c)
                    || (c == '%' && PercentEncoding.isEncodedByte(decoded, i))) {
                return false;
            }
        }
        return true;
    }

    /** The decoded segments between the slashes; the last is empty where the path ends in a slash. */
    public List<String> segments() {
        return segments;
    }

    /** The whole path; unambiguous, because no segment holds a slash. */
    public String joined() {
        String path = joined;
        if (path == null) {
            path = "/" + String.join("/", segments);
            joined = path;
        }
        return path;
    }
}
