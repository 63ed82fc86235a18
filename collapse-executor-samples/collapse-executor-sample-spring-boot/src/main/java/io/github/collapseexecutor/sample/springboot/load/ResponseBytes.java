package io.github.collapseexecutor.sample.springboot.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The bytes of one response as they arrive, until it is complete: a body of a stated length, or in chunks (RFC 9112). */
final class ResponseBytes {

    private static final int MOST = 16 * 1024;
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final String END_OF_LINE = "\r\n";

    /**
     * A response.
     *
     * @param status its status
     * @param body its body
     */
    record Complete(int status, String body) {}

    // mutable, confined to the load generator's thread
    private final byte[] bytes = new byte[MOST];
    private int length;

    /** Takes what has arrived; returns the response when that was the last of it. */
    @Nullable Complete add(ByteBuffer arrived) {
        int count = arrived.remaining();
        if (length + count > MOST) {
            throw new IllegalStateException("A response is larger than " + MOST + " bytes");
        }
        arrived.get(bytes, length, count);
        length += count;
        String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        int end = text.indexOf(END_OF_HEAD);
        if (end < 0) {
            return null;
        }
        String body =
                body(text.substring(0, end + 2).toLowerCase(Locale.ROOT), text.substring(end + END_OF_HEAD.length()));
        if (body == null) {
            return null;
        }
        length = 0;
        return new Complete(Integer.parseInt(text.substring("HTTP/1.1 ".length(), "HTTP/1.1 ".length() + 3)), body);
    }

    /** How many bytes of a response that is not complete have arrived. */
    int length() {
        return length;
    }

    private static @Nullable String body(String head, String rest) {
        String stated = field(head, "content-length");
        if (stated != null) {
            int size = Integer.parseInt(stated);
            return rest.length() < size ? null : ended(rest, size, rest.substring(0, size));
        }
        if ("chunked".equals(field(head, "transfer-encoding"))) {
            return chunked(rest);
        }
        throw new IllegalStateException("A response says neither Content-Length nor Transfer-Encoding: chunked");
    }

    /** One request is on its way at a time: bytes behind its answer are those of an answer to another connection. */
    private static String ended(String rest, int end, String body) {
        if (rest.length() > end) {
            throw new IllegalStateException("Behind an answer came: " + rest.substring(end));
        }
        return body;
    }

    private static @Nullable String field(String head, String name) {
        int at = head.indexOf(END_OF_LINE + name + ":");
        if (at < 0) {
            return null;
        }
        int from = at + END_OF_LINE.length() + name.length() + 1;
        return head.substring(from, head.indexOf(END_OF_LINE, from)).strip();
    }

    private static @Nullable String chunked(String rest) {
        StringBuilder body = new StringBuilder();
        int at = 0;
        while (true) {
            int line = rest.indexOf(END_OF_LINE, at);
            if (line < 0) {
                return null;
            }
            int size = Integer.parseInt(rest.substring(at, line), 16);
            int from = line + END_OF_LINE.length();
            int next = from + size + END_OF_LINE.length();
            if (rest.length() < next) {
                return null;
            }
            if (size == 0) {
                return ended(rest, next, body.toString());
            }
            body.append(rest, from, from + size);
            at = next;
        }
    }
}
