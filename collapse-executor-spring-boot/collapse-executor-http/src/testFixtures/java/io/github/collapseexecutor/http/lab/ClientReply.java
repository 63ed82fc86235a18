package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What a client gives its caller, bit by bit: first the head, then the body, and an end or a failure. */
final class ClientReply {

    private static final Set<String> OF_THE_CONNECTION =
            Set.of("connection", "keep-alive", "transfer-encoding", "x-http2-stream-id");
    private static final int MOST_CAUSES = 10;

    // immutable
    private final LabCall call;

    // mutable, confined to one event after another
    private final StringBuilder head = new StringBuilder();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private String length = "";

    ClientReply(LabCall call) {
        this.call = call;
    }

    void status(int status, String reason) {
        head.append(status).append(' ').append(reason).append('\n');
    }

    /** Something else that the library shows, such as the address that has answered. */
    void shows(String what, Object value) {
        head.append(what).append(" = ").append(value).append('\n');
    }

    /** A header, unless it belongs to the connection, or says of a body how long it is, which the body says as well. */
    void header(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals("content-length") && !call.isHead()) {
            length = value;
        } else if (!OF_THE_CONNECTION.contains(lower)) {
            head.append(name).append(": ").append(value).append('\n');
        }
    }

    /**
     * Headers with their values, in the order of their names. Spring lists one whose lines differ in case by all its names, each time with all values,
     * or by any of them, at any place.
     */
    void headers(Consumer<BiConsumer<String, List<String>>> all) {
        Map<String, List<String>> shown = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.accept(
                (name, values) -> shown.putIfAbsent(values.size() > 1 ? name.toLowerCase(Locale.ROOT) : name, values));
        shown.forEach((name, values) -> values.forEach(value -> header(name, value)));
    }

    /** Reads what the caller wants of a body, but text. */
    void read(InputStream in) throws IOException {
        switch (call.reading()) {
            case HEAD -> {}
            case BEGINNING -> {
                int first = in.read();
                if (first >= 0) {
                    body.write(first);
                }
            }
            default -> {
                byte[] buffer = new byte[8_192];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    body.write(buffer, 0, count);
                }
            }
        }
    }

    void bytes(byte[] bytes) {
        body.writeBytes(bytes);
    }

    void text(String text) {
        bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    RawReply ended() {
        return reply("ended");
    }

    /** How much of a body arrives before it breaks off is a matter of time. */
    RawReply failed(Throwable failure) {
        List<String> classes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && classes.size() < MOST_CAUSES; cause = cause.getCause()) {
            classes.add(cause.getClass().getName());
        }
        return reply((body.size() > 0 ? "cut off: " : "failed: ") + classes);
    }

    private RawReply reply(String end) {
        boolean says = call.reading() == LabCall.Reading.WHOLE
                && !length.isEmpty()
                && !length.equals(String.valueOf(body.size()));
        return RawReply.of(head + (says ? "content-length: " + length + "\n" : ""), body.toByteArray(), end);
    }
}
