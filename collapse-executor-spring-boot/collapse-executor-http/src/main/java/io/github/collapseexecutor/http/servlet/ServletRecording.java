package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a handler has done to its response, in the order in which it did it, so that the same can be done to another: the filters in
 * front of both, and the container, then make the same bytes of it.
 *
 * <p>Immutable, but for the attributes' values, which are the handler's.
 *
 * @param acts what was done
 * @param body the bytes that the acts of type {@link Wrote} take their part of, one after another
 * @param left what the handler left in the request
 * @param thrown what the handler threw in the end, or null
 */
record ServletRecording(
        List<Act> acts,
        Bytes body,
        ServletHandlerHead.LeftAttributes left,
        @Nullable Throwable thrown) {

    /** Something that a handler does to a response. */
    sealed interface Act {}

    /**
     * A change of the head.
     *
     * @param header the name of the header that is changed, in lower case; empty if it is not a header
     * @param change does the same to another response
     */
    record Changed(String header, Change change) implements Act {}

    /** The response is ended by an error or a redirect, of which the container makes the body. */
    record Ended(Change change) implements Act {}

    /** The body is opened as a stream of bytes, or as a writer of characters. */
    record Opened(boolean asWriter) implements Act {}

    /** So many bytes were written. */
    record Wrote(int length) implements Act {}

    /** What was written was flushed. */
    record Flushed(Of what) implements Act {

        /** By which method: a wrapper of the response may treat the two differently. */
        enum Of {
            /** That of the stream or the writer. */
            BODY,
            /** That of the response. */
            RESPONSE
        }
    }

    /** The body was ended. */
    record Closed() implements Act {}

    /** Does something to the head of a response. */
    @FunctionalInterface
    interface Change {

        void applyTo(HttpServletResponse response) throws IOException;
    }

    /** A body; a class of its own because arrays are compared by identity. */
    static final class Bytes {

        // immutable by agreement
        private final byte[] bytes;

        Bytes(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** Headers that are for the leader's client alone. */
    private static final Set<String> PERSONAL = Set.of("set-cookie", "set-cookie2");

    ServletRecording {
        acts = List.copyOf(acts);
    }

    /**
     * Does the same to a follower's response.
     *
     * @param beforeBody what else is to be done to the response, before its head may be sent
     * @throws IOException if its client is gone, or as the handler threw it
     * @throws ServletException as the handler threw it
     */
    void replayTo(HttpServletResponse response, Consumer<HttpServletResponse> beforeBody)
            throws IOException, ServletException {
        ClientBody client = new ClientBody(response);
        boolean headIsDone = false;
        int from = 0;
        for (Act act : acts) {
            if (!headIsDone && !(act instanceof Changed) && !(act instanceof Opened)) {
                headIsDone = true;
                beforeBody.accept(response);
            }
            if (act instanceof Changed changed) {
                if (!PERSONAL.contains(changed.header())) {
                    changed.change().applyTo(response);
                }
            } else if (act instanceof Ended ended) {
                ended.change().applyTo(response);
            } else if (act instanceof Opened opened) {
                client.open(opened.asWriter());
            } else if (act instanceof Wrote wrote) {
                client.write(body.bytes, from, wrote.length());
                from += wrote.length();
            } else if (act instanceof Flushed flushed) {
                client.flush(flushed.what());
            } else if (act instanceof Closed) {
                client.close();
            }
        }
        if (!headIsDone) {
            beforeBody.accept(response);
        }
        if (thrown != null) {
            ServletHandlerRun.rethrow(thrown);
        }
    }

    /** Whether the handler has said how its response is cached. */
    boolean saysHowToCache() {
        return acts.stream()
                .anyMatch(act -> act instanceof Changed changed && CachingHeaders.contain(changed.header()));
    }

    /** The name of a header as acts have it. */
    static String nameOf(String header) {
        return header.toLowerCase(Locale.ROOT);
    }
}
