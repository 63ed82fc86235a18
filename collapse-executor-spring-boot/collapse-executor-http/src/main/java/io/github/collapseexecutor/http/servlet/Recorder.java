package io.github.collapseexecutor.http.servlet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records what a handler does to its response.
 *
 * <p>Mutable, confined to the handler's side of {@link ResponseBuffer}, which hands it to the deciding side when the handler has
 * ended.
 */
final class Recorder {

    /** Writes smaller than this are joined, so that a handler that writes byte by byte does not fill the memory with acts. */
    private static final int SMALL = 512;

    private static final int JOINED = 8 * 1024;

    /** A handler that asks for its stream before each byte does not fill it either. */
    private static final int MOST_LATER = 1_000;

    private final List<ServletRecording.Act> acts = new ArrayList<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private ServletRecording.@Nullable Opened opened;
    private int later;

    void changed(String header, ServletRecording.Change change) {
        acts.add(new ServletRecording.Changed(ServletRecording.nameOf(header), change));
    }

    /** The container makes a body instead of what was written, which has been {@linkplain #clearBody cleared}. */
    void ended(ServletRecording.Change change) {
        acts.add(new ServletRecording.Ended(change));
    }

    void opened(boolean asWriter) {
        ServletRecording.Opened opening = new ServletRecording.Opened(asWriter);
        acts.add(opening);
        opened = opening;
    }

    /** The body is opened again, in its turn; that is recorded for a number of times. */
    void openedLater(boolean asWriter) {
        if (later < MOST_LATER) {
            opened(asWriter);
            later++;
        }
    }

    /** Whether anything was written, flushed or closed. */
    boolean hasBegun() {
        return acts.stream().anyMatch(Recorder::begins);
    }

    void wrote(byte[] from, int offset, int length) {
        bytes.write(from, offset, length);
        int last = acts.size() - 1;
        if (length < SMALL
                && last >= 0
                && acts.get(last) instanceof ServletRecording.Wrote before
                && before.length() < JOINED) {
            acts.set(last, new ServletRecording.Wrote(before.length() + length));
        } else {
            acts.add(new ServletRecording.Wrote(length));
        }
    }

    void flushed(ServletRecording.Flushed.Of what) {
        acts.add(new ServletRecording.Flushed(what));
    }

    void closed() {
        acts.add(new ServletRecording.Closed());
    }

    /** How many bytes were written and not cleared. */
    int size() {
        return bytes.size();
    }

    /** How many bytes were written to a stream, or characters to a writer, and not cleared. */
    int count() {
        if (opened == null || !opened.asWriter()) {
            return size();
        }
        int count = 0;
        for (byte part : body()) {
            if ((part & 0xC0) != 0x80) { // the first byte of a character in UTF-8
                count++;
            }
        }
        return count;
    }

    byte[] body() {
        return bytes.toByteArray();
    }

    /** What was written does not count any more. */
    void clearBody() {
        bytes.reset();
        acts.removeIf(act -> act instanceof ServletRecording.Wrote);
    }

    private static boolean begins(ServletRecording.Act act) {
        return act instanceof ServletRecording.Wrote
                || act instanceof ServletRecording.Flushed
                || act instanceof ServletRecording.Closed;
    }

    /** Everything was cleared; but containers keep some of the head in spite of a reset, and a handler may keep its writer, as Spring MVC does. */
    void clear(ServletRecording.Change change) {
        bytes.reset();
        acts.removeIf(act -> !(act instanceof ServletRecording.Changed) && !(act instanceof ServletRecording.Opened));
        changed("", change);
    }

    /**
     * What was recorded until the end of the handler.
     *
     * @param body what {@link #body()} returned; kept, not copied
     */
    ServletRecording end(byte[] body, ServletHandlerHead.LeftAttributes left, @Nullable Throwable thrown) {
        return new ServletRecording(acts, new ServletRecording.Bytes(body), left, thrown);
    }

    /** Passes what was written on to the client of the handler itself, whose head has been changed already, and forgets it. */
    void passTo(ClientBody client) throws IOException {
        byte[] written = body();
        List<ServletRecording.Act> done = List.copyOf(acts);
        bytes.reset();
        acts.clear();
        boolean inTurn = false; // what was opened before the first part was opened at once
        int from = 0;
        for (ServletRecording.Act act : done) {
            inTurn |= begins(act);
            if (inTurn && act instanceof ServletRecording.Opened again) {
                client.open(again.asWriter());
            } else if (act instanceof ServletRecording.Wrote wrote) {
                client.write(written, from, wrote.length());
                from += wrote.length();
            } else if (act instanceof ServletRecording.Flushed flushed) {
                client.flush(flushed.what());
            } else if (act instanceof ServletRecording.Closed) {
                client.close();
            }
        }
    }
}
