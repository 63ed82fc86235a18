package io.github.collapseexecutor.foreign.client;

import io.github.collapseexecutor.foreign.client.Question.Reading;
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
import org.jspecify.annotations.Nullable;

/** The reply that a caller gets: a status, the headers that are the origin's, as much of the body as it reads, and an end or a failure. */
final class Reply {

    /** The failure of a caller that gives up while it reads. */
    static final class GivenUpException extends RuntimeException {
        private static final long serialVersionUID = 1;

        GivenUpException() {
            super("the caller gives up");
        }
    }

    private static final Set<String> COMPARED =
            Set.of("content-type", "etag", "cache-control", "set-cookie", "x-for", "spans");
    private static final int MOST_CAUSES = 10;
    private static final int HALF = 1_000;

    // immutable
    private final Question question;

    // mutable, confined to one event after another
    private final Map<String, String> headers = new TreeMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;
    private String trace = "";

    Reply(Question question) {
        this.question = question;
    }

    Question question() {
        return question;
    }

    void status(int code) {
        status = code;
    }

    void header(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.equals("x-trace")) {
            trace = value;
        }
        if (COMPARED.contains(lower)) {
            headers.merge(lower, value, (one, two) -> one + " | " + two);
        }
    }

    /** The trace headers of the request that got the response; empty where there were none. */
    String trace() {
        return trace;
    }

    void text(@Nullable String text) {
        body.writeBytes(String.valueOf(text).getBytes(StandardCharsets.UTF_8));
    }

    void bytes(byte[] bytes) {
        body.writeBytes(bytes);
    }

    /** Whether the caller has what it wants; {@link GivenUpException} if it gives up now. */
    boolean hasEnough() {
        Reading reading = question.reading();
        if (reading == Reading.FAILS_AFTER_HALF && body.size() >= HALF) {
            throw new GivenUpException();
        }
        return reading == Reading.HEAD || (reading == Reading.HALF && body.size() >= HALF);
    }

    /** Reads as much as the caller wants. */
    void read(@Nullable InputStream in) throws IOException {
        if (in == null) {
            return;
        }
        byte[] buffer = new byte[HALF];
        while (!hasEnough()) {
            int count = in.read(buffer, 0, HALF - (question.reading() == Reading.WHOLE ? 0 : body.size() % HALF));
            if (count < 0) {
                return;
            }
            body.write(buffer, 0, count);
        }
    }

    String ended() {
        byte[] all = body.toByteArray();
        // how many bytes are at hand at once is a matter of time
        int shown = question.reading() == Reading.HALF ? Math.min(all.length, HALF) : all.length;
        String text = new String(all, 0, shown, StandardCharsets.ISO_8859_1);
        return status + " " + headers + " " + shown + " bytes " + text.hashCode() + " "
                + text.substring(0, Math.min(text.length(), 40));
    }

    /** How much arrives before a failure is a matter of time. */
    String failed(Throwable failure) {
        List<String> classes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && classes.size() < MOST_CAUSES; cause = cause.getCause()) {
            classes.add(cause.getClass().getName());
        }
        return "failed " + (status == 0 ? "" : status + " " + headers + " ") + classes;
    }
}
