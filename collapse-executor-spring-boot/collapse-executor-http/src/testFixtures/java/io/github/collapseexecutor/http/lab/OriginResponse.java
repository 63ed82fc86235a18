package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;

/** A response as it is made, and how much of it has been sent. */
final class OriginResponse {

    // mutable, confined to one request
    final List<Map.Entry<String, String>> headers = new ArrayList<>();
    private final List<ByteArrayOutputStream> parts = new ArrayList<>(List.of(new ByteArrayOutputStream()));
    int status = 200;
    private int length = -1;
    private boolean encodes;
    private boolean breaks;
    private boolean endsWithConnection;

    void add(String name, String value) {
        headers.add(Map.entry(name, value));
    }

    private void set(String name, String value) {
        headers.removeIf(header -> header.getKey().equalsIgnoreCase(name));
        add(name, value);
    }

    /** Returns whether the origin goes on. */
    boolean take(LabStep step, String text, OriginRequest request) {
        switch (step.what()) {
            case STATUS -> status = step.number();
            case SET_HEADER -> set(step.name(), text);
            case ADD_HEADER -> add(step.name(), text);
            case CONTENT_TYPE -> set("Content-Type", text);
            case CHARSET -> set("Content-Type", "text/plain;charset=" + text);
            case COOKIE -> add("Set-Cookie", step.name() + "=" + text);
            case LENGTH -> length = step.number();
            case WRITE_TEXT -> parts.get(parts.size() - 1).writeBytes(text.getBytes(StandardCharsets.UTF_8));
            case FLUSH -> parts.add(new ByteArrayOutputStream());
            case ENCODE -> encodes = true;
            case CLOSE -> endsWithConnection = true;
            case THROW_CHECKED -> breaks = true;
            case VALIDATE -> {
                set("ETag", text);
                if (List.of(text, "*").contains(Objects.toString(request.header("If-None-Match")))) {
                    status = 304;
                    return false;
                }
            }
            case REDIRECT -> {}
            default -> throw new AssertionError(step);
        }
        return !breaks && !endsWithConnection;
    }

    /** Whether it says so, with a policy that does not take cookies out. */
    boolean isForOneOnly(LabPolicy policy) {
        return headers.stream()
                .anyMatch(header -> (header.getKey().equals("Set-Cookie") && policy != LabPolicy.STRIPPED)
                        || header.getValue().contains("no-store"));
    }

    boolean isBodiless() {
        return status == 204 || status == 304;
    }

    boolean breaks() {
        return breaks;
    }

    boolean breaksBeforeTheHead() {
        return breaks && parts.size() == 1;
    }

    /** What is written, part by part, in the coding that it goes over the wire with. */
    List<byte[]> bodies(OriginRequest request) {
        List<byte[]> bodies = parts.stream()
                .map(ByteArrayOutputStream::toByteArray)
                .filter(part -> part.length > 0)
                .toList();
        if (!encodes) {
            return bodies;
        }
        add("Vary", "Accept-Encoding");
        if (!Objects.toString(request.header("Accept-Encoding")).contains("gzip")) {
            return bodies;
        }
        add("Content-Encoding", "gzip");
        return compressed(bodies);
    }

    /** The response as HTTP/1.1 has it. */
    OriginReply reply(OriginRequest request) {
        if (breaksBeforeTheHead()) {
            return OriginReply.reset();
        }
        List<byte[]> bodies = bodies(request);
        boolean bodiless = isBodiless();
        List<byte[]> written = new ArrayList<>();
        if (bodiless) {
            bodies = List.of();
        } else if (length >= 0) {
            bodies = cut(bodies);
            add("Content-Length", String.valueOf(length));
        } else if (breaks || (parts.size() > 1 && !endsWithConnection)) {
            add("Transfer-Encoding", "chunked");
            bodies = chunks(bodies);
        } else if (!endsWithConnection) {
            add("Content-Length", String.valueOf(sizeOf(bodies)));
        }
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Said\r\n");
        headers.forEach(header -> head.append(header.getKey())
                .append(": ")
                .append(header.getValue())
                .append("\r\n"));
        if (endsWithConnection) {
            head.append("Connection: close\r\n");
        }
        written.add(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        if (request.method().equals("HEAD")) {
            return OriginReply.bytes(written, endsWithConnection);
        }
        written.addAll(bodies);
        return OriginReply.bytes(written, breaks || endsWithConnection || (!bodiless && length > sizeOf(bodies)));
    }

    private static int sizeOf(List<byte[]> bodies) {
        return bodies.stream().mapToInt(body -> body.length).sum();
    }

    /** No more than announced: a client may take what follows for its next response. */
    private List<byte[]> cut(List<byte[]> bodies) {
        List<byte[]> cut = new ArrayList<>();
        int left = length;
        for (byte[] body : bodies) {
            cut.add(Arrays.copyOf(body, Math.min(left, body.length)));
            left -= Math.min(left, body.length);
        }
        return cut;
    }

    private List<byte[]> chunks(List<byte[]> bodies) {
        List<byte[]> chunks = new ArrayList<>();
        for (byte[] body : bodies) {
            ByteArrayOutputStream chunk = new ByteArrayOutputStream();
            chunk.writeBytes((Integer.toHexString(body.length) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            chunk.writeBytes(body);
            chunk.writeBytes("\r\n".getBytes(StandardCharsets.ISO_8859_1));
            chunks.add(chunk.toByteArray());
        }
        if (!breaks) {
            chunks.add("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
        return chunks;
    }

    private static List<byte[]> compressed(List<byte[]> bodies) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            for (byte[] body : bodies) {
                gzip.write(body);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        byte[] all = compressed.toByteArray();
        int half = all.length / 2;
        return List.of(Arrays.copyOf(all, half), Arrays.copyOfRange(all, half, all.length));
    }
}
