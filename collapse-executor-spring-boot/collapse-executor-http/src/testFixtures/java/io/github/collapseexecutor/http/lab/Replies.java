package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the limits ask about two responses to one call. */
final class Replies {

    static final String NO_RESPONSE = "the connection ended before a response";

    private static final Pattern STATUS_LINE = Pattern.compile("(?m)^HTTP/\\S+ (\\d+)");

    /** As {@link RawReply} shows long bodies. */
    private static final Pattern DIGEST = Pattern.compile("\\d+ bytes, [0-9a-f]+");

    private Replies() {}

    static boolean bodyMayBreak(LabSetup setup) {
        return setup.handler().steps().stream()
                .anyMatch(step -> step.what() == LabStep.What.THROW_CHECKED || step.declaresLength());
    }

    /** Whether a caller without collapsing has not read so far that it would have seen the body break off. */
    static boolean endsEarly(LabCall call, RawReply plain) {
        return switch (call.reading()) {
            case HEAD, BEGINNING -> plain.framing().equals("ended");
            case TEXT -> plain.framing().equals("failed: [java.nio.charset.UnsupportedCharsetException]");
            case WHOLE -> false;
        };
    }

    /** Whether one body is the beginning of the other; of long ones, nobody knows. */
    static boolean isPartOf(RawReply one, RawReply other) {
        return one.body().startsWith(other.body())
                || other.body().startsWith(one.body())
                || DIGEST.matcher(one.body()).matches()
                || DIGEST.matcher(other.body()).matches();
    }

    /** Jetty's client fails a response with status 401 that names no way to log in, while its body arrives. */
    static boolean isRefusedByJettysClient(RawReply reply) {
        return reply.framing().endsWith("[org.eclipse.jetty.client.HttpResponseException]");
    }

    /** Those of an exception and its causes; of two ways in which a transport fails by luck, always the same. */
    static String classes(LabMake make, RawReply reply) {
        String all = reply.framing().replaceAll(".*: ", "");
        return switch (make) {
            case WEB_CLIENT_OVER_APACHE ->
                all.replace("java.io.InterruptedIOException", "org.apache.hc.core5.http.ConnectionClosedException");
            case SPRING_OVER_JETTY, WEB_CLIENT_OVER_JETTY ->
                all.replace("java.io.IOException, java.io.EOFException", "java.io.EOFException");
            default -> all;
        };
    }

    /** Whether filters have begun a body that begins otherwise without collapsing; to a HEAD request, its length alone tells. */
    static boolean isBegunByFilters(LabCall call, String beginning, RawReply plain, RawReply collapsed) {
        boolean begun = call.method().equals("HEAD")
                ? withoutLength(plain).equals(withoutLength(collapsed))
                : unbegun(plain).contains(beginning) && unbegun(collapsed).equals(unbegun(plain));
        return begun && status(plain).equals(status(collapsed));
    }

    private static String unbegun(RawReply reply) {
        return text(reply).replace("<", "");
    }

    /** The body without the other half of the characters of UTF-16. */
    static String text(RawReply reply) {
        return reply.body().replace("\0", "");
    }

    static String withoutLength(RawReply reply) {
        return reply.head().replaceAll("(?im)^content-length:.*\\n?", "").strip();
    }

    static String status(RawReply reply) {
        Matcher line = STATUS_LINE.matcher(reply.head());
        return line.find() ? line.group(1) : "";
    }
}
