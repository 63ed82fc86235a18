package io.github.collapseexecutor.http.servlet.mvc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a response, without what differs between any two responses: the date, generated ids, the time in Spring Boot's
 * error page.
 *
 * @param head the status lines and header lines, in order
 * @param body the body, without the lines between its chunks, or its digest if it is long
 * @param framing how the end of the body is told, and whether the connection ended before it
 * @param chunks the sizes of the chunks; empty if there are none
 */
public record RawReply(String head, String body, String framing, List<Integer> chunks) {

    /** The {@linkplain #framing} of something that has no status line, or a chunk no size: two threads of a server may write one response. */
    public static final String GARBLED = "garbled";

    private static final int LONGEST_SHOWN = 4_000;

    private static final Pattern DATE = Pattern.compile("(?im)^(date: ).*$");
    private static final Pattern SESSION_ID = Pattern.compile("(?i)(\\b(?:jsessionid|session)=)[^;\\s]+");
    private static final Pattern TIMESTAMP = Pattern.compile("(\"timestamp\":)\"[^\"]*\"");
    private static final Pattern CREATED = Pattern.compile("(<div id='created'>)[^<]*");
    private static final Pattern COOKIE = Pattern.compile("(?im)^set-cookie: *([^;\r\n]+)");
    private static final Pattern LENGTH = Pattern.compile("(?im)^content-length: *(\\d+)");
    private static final Pattern CHUNKED = Pattern.compile("(?im)^transfer-encoding: *chunked");
    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 (\\d{3})( .*)?");
    private static final Pattern SIZE = Pattern.compile("\\p{XDigit}{1,7}");
    private static final Pattern BOUNDARY = Pattern.compile("(?i)boundary=\"?([^\";\\s]+)");

    /**
     * What a client gives its caller.
     *
     * @param framing how it ended
     */
    public static RawReply of(String head, byte[] body, String framing) {
        return normalised(head, body, framing, List.of());
    }

    /** Without the sizes of its chunks. */
    public RawReply anyChunks() {
        return new RawReply(head, body, framing, List.of());
    }

    /** If this is the same response with neighbouring chunks joined, that response; else this one. */
    public RawReply unlessJoined(RawReply finer) {
        boolean joined = equals(new RawReply(finer.head, finer.body, finer.framing, chunks))
                && ends(finer.chunks).containsAll(ends(chunks));
        return joined ? finer : this;
    }

    /** Where in the body chunks end. */
    private static Set<Integer> ends(List<Integer> chunks) {
        Set<Integer> ends = new HashSet<>();
        int end = 0;
        for (int size : chunks) {
            end += size;
            ends.add(end);
        }
        return ends;
    }

    /**
     * Leaves out what differs between any two responses.
     *
     * @param head the status lines and header lines as they were read
     * @param body the body as it was read
     */
    private static RawReply normalised(String head, byte[] body, String framing, List<Integer> chunks) {
        String shownHead = DATE.matcher(head).replaceAll("$1(now)");
        shownHead = SESSION_ID.matcher(shownHead).replaceAll("$1(id)");
        Matcher boundary = BOUNDARY.matcher(head);
        if (boundary.find()) {
            shownHead = shownHead.replace(boundary.group(1), "(boundary)");
            String text = new String(body, StandardCharsets.ISO_8859_1).replace(boundary.group(1), "(boundary)");
            return new RawReply(shownHead, shown(text.getBytes(StandardCharsets.ISO_8859_1)), framing, chunks);
        }
        return new RawReply(shownHead, shown(body), framing, chunks);
    }

    private static String shown(byte[] bytes) {
        if (bytes.length > LONGEST_SHOWN) {
            return digest(bytes);
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        text = TIMESTAMP.matcher(text).replaceAll("$1(now)");
        return CREATED.matcher(text).replaceAll("$1(now)");
    }

    /** A checksum that is quick without the optimizing compiler, too. */
    private static String digest(byte[] bytes) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        return bytes.length + " bytes, " + Long.toHexString(checksum.getValue());
    }

    /**
     * What the client read.
     *
     * @param reply the response
     * @param cookie the name and the value of the first cookie that it sets, or nothing
     */
    public record Read(RawReply reply, String cookie) {

        private static Read of(String head, byte[] body, String framing, List<Integer> chunks) {
            Matcher cookie = COOKIE.matcher(head);
            return new Read(normalised(head, body, framing, chunks), cookie.find() ? cookie.group(1) : "");
        }
    }

    /** Reads responses from a connection. */
    public static final class Reader {

        // immutable
        private final InputStream in;

        public Reader(InputStream in) {
            this.in = in;
        }

        public Read read(boolean headOnly) throws IOException {
            StringBuilder head = new StringBuilder();
            int status;
            do {
                String line = line();
                if (line == null) {
                    return Read.of(head.toString(), new byte[0], "the connection ended before a response", List.of());
                }
                Matcher statusLine = STATUS_LINE.matcher(line);
                if (!statusLine.matches()) {
                    return Read.of(head.append(line).toString(), new byte[0], GARBLED, List.of());
                }
                status = Integer.parseInt(statusLine.group(1));
                for (; line != null && !line.isEmpty(); line = line()) {
                    head.append(line).append('\n');
                }
            } while (status / 100 == 1);
            if (headOnly || status == 204 || status == 304) {
                return Read.of(head.toString(), new byte[0], "no body", List.of());
            }
            return body(head.toString());
        }

        private Read body(String head) throws IOException {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            List<Integer> chunks = new ArrayList<>();
            Matcher length = LENGTH.matcher(head);
            String framing;
            if (CHUNKED.matcher(head).find()) {
                framing = chunked(body, chunks);
            } else if (length.find()) {
                int missing = copy(body, Integer.parseInt(length.group(1)));
                framing = missing == 0 ? "whole" : "cut off";
            } else {
                int unusedMissing = copy(body, Integer.MAX_VALUE);
                framing = "until the connection ends";
            }
            return Read.of(head, body.toByteArray(), framing, chunks);
        }

        private String chunked(ByteArrayOutputStream body, List<Integer> chunks) throws IOException {
            while (true) {
                String line = line();
                if (line == null || line.isEmpty()) {
                    return "chunked, cut off";
                }
                if (!SIZE.matcher(line).matches()) {
                    return GARBLED;
                }
                int size = Integer.parseInt(line, 16);
                if (size == 0) {
                    return "chunked" + trailers();
                }
                chunks.add(size);
                if (copy(body, size) > 0) {
                    return "chunked, cut off";
                }
                String unusedEnd = line();
            }
        }

        private String trailers() throws IOException {
            StringBuilder trailers = new StringBuilder();
            for (String line = line(); line != null && !line.isEmpty(); line = line()) {
                trailers.append(", ").append(line);
            }
            return trailers.toString();
        }

        /** Reads to the end; a server has nothing more to say. */
        public String rest() throws IOException {
            ByteArrayOutputStream rest = new ByteArrayOutputStream();
            int unusedMissing = copy(rest, Integer.MAX_VALUE);
            return rest.toString(StandardCharsets.ISO_8859_1);
        }

        private int copy(ByteArrayOutputStream to, int count) throws IOException {
            byte[] buffer = new byte[Math.min(count, 65_536)];
            int missing = count;
            while (missing > 0) {
                int read = readOrEnd(buffer, Math.min(missing, buffer.length));
                if (read < 0) {
                    return missing;
                }
                to.write(buffer, 0, read);
                missing -= read;
            }
            return missing;
        }

        private int readOrEnd(byte[] buffer, int count) throws IOException {
            try {
                return in.read(buffer, 0, count);
            } catch (SocketException e) {
                return -1; // the server has reset the connection, which it may or may not do at an end
            }
        }

        private @Nullable String line() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            byte[] one = new byte[1];
            while (readOrEnd(one, 1) > 0) {
                if (one[0] == '\n') {
                    return line.toString(StandardCharsets.ISO_8859_1);
                } else if (one[0] != '\r') {
                    line.write(one[0]);
                }
            }
            return null;
        }
    }
}
