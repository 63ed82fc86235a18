package io.github.collapseexecutor.foreign.annotation;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.LazyInitializationException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;

/**
 * What came of a call, without what differs each time.
 *
 * @param text the answer or the failure, and what is left on the thread
 * @param written the version of the row when it was asked for
 * @param read the version that the answer shows; the one that was written if it shows none
 */
record Reply(String text, long written, long read) {

    private static final Pattern VERSION = Pattern.compile("@(\\d+)");
    private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]{5,8}\\b");

    static Reply of(String text, long written) {
        Matcher versions = VERSION.matcher(text);
        long read = versions.find() ? Long.parseLong(versions.group(1)) : written;
        String plain = versions.reset().replaceAll("@");
        return new Reply(IDENTITY.matcher(plain).replaceAll(""), written, read);
    }

    boolean isStale() {
        return read < written;
    }

    static String failed(Throwable failure) {
        return "fails: " + failure.getClass().getName() + " " + failure.getMessage();
    }

    /** The beginning of what the innermost cause says. */
    static String rootOf(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage());
        return cause.getClass().getSimpleName() + " " + message.substring(0, Math.min(100, message.length()));
    }

    /** Shows all that a caller can find out about a value. */
    static String shown(@Nullable Object value) {
        if (value instanceof Item item) {
            String parts;
            try {
                parts = String.valueOf(item.countParts());
            } catch (LazyInitializationException detached) {
                parts = "not to be had";
            }
            return "item " + item.text() + " with parts " + parts;
        } else if (value instanceof List<?> list) {
            return list.stream().map(Reply::shown).collect(joining(", ", "list [", "]"));
        } else if (value instanceof Map<?, ?> map) {
            return "map " + new TreeMap<>(map);
        } else if (value instanceof ResponseEntity<?> response) {
            return response.getStatusCode() + " " + response.getHeaders().getFirst("kind") + " "
                    + shown(response.getBody());
        } else {
            return String.valueOf(value);
        }
    }
}
