package io.github.collapseexecutor.http;

/** What one segment of a {@link UriPattern} matches, compiled once: most are plain text, which is told in a moment. */
final class SegmentPattern {

    static final String ANY_NUMBER = "**";
    static final String ANY = "*";

    private enum Kind {
        /** Any number of segments, also none. */
        ANY_NUMBER,
        /** One segment that is not empty. */
        ANY,
        /** One segment with wildcards in it. */
        WILD,
        /** One segment. */
        TEXT
    }

    // immutable
    private final String text;
    private final Kind kind;

    SegmentPattern(String text) {
        this.text = text;
        this.kind = kindOf(text);
    }

    private static Kind kindOf(String text) {
        return switch (text) {
            case ANY_NUMBER -> Kind.ANY_NUMBER;
            case ANY -> Kind.ANY;
            default -> text.indexOf('*') >= 0 || text.indexOf('?') >= 0 ? Kind.WILD : Kind.TEXT;
        };
    }

    boolean isAnyNumber() {
        return kind == Kind.ANY_NUMBER;
    }

    boolean isText() {
        return kind == Kind.TEXT;
    }

    /** Tells whether it matches one segment; meaningless where it stands for any number. */
    boolean matches(String segment) {
        return switch (kind) {
            case TEXT -> text.equals(segment);
            case WILD -> matchesWildly(segment);
            case ANY, ANY_NUMBER -> !segment.isEmpty();
        };
    }

    /** Tells whether it matches all that another one matches; false if the texts do not tell. */
    boolean covers(SegmentPattern other) {
        return switch (other.kind) {
            case TEXT -> matches(other.text);
            case WILD -> kind == Kind.ANY || text.equals(other.text);
            case ANY -> kind == Kind.ANY;
            case ANY_NUMBER -> false;
        };
    }

    /** A wildcard match that returns to the last {@code *} only: what stands before it cannot match better elsewhere. */
    private boolean matchesWildly(String segment) {
        int p = 0;
        int s = 0;
        int lastStar = -1;
        int resume = 0;
        while (s < segment.length()) {
            char expected = p < text.length() ? text.charAt(p) : '\0';
            if (expected == '*') {
                lastStar = p++;
                resume = s;
            } else if (expected == '?') {
                p++;
                s += Character.charCount(segment.codePointAt(s));
            } else if (expected == segment.charAt(s)) {
                p++;
                s++;
            } else if (lastStar >= 0) {
                p = lastStar + 1;
                s = ++resume;
            } else {
                return false;
            }
        }
        while (p < text.length() && text.charAt(p) == '*') {
            p++;
        }
        return p == text.length();
    }

    @Override
    public String toString() {
        return text;
    }
}
