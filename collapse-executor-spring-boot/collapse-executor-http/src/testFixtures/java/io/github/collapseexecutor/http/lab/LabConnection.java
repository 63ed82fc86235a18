package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.servlet.mvc.RawReply;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A caller of a server: a connection, or one after another. */
final class LabConnection implements LabCaller {

    static final int TIME_OUT_MILLIS = Integer.getInteger("http.lab.timeout", 10_000);

    // immutable
    private final int port;
    private final String application;
    private final boolean isKept;
    private final UnaryOperator<RawReply> seenAs;

    // mutable, confined to the thread that drives
    private Socket socket;
    private RawReply.Reader reader;
    private final List<RawReply> replies = new ArrayList<>();
    private boolean left;

    /**
     * Connects.
     *
     * @param isKept whether the connection is used again
     * @param seenAs leaves out of a response what may differ
     */
    LabConnection(int port, String application, boolean isKept, UnaryOperator<RawReply> seenAs) {
        this.port = port;
        this.application = application;
        this.isKept = isKept;
        this.seenAs = seenAs;
        try {
            socket = connected();
            reader = new RawReply.Reader(new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Socket connected() throws IOException {
        Socket fresh = new Socket(InetAddress.getLoopbackAddress(), port);
        fresh.setTcpNoDelay(true);
        fresh.setSoTimeout(TIME_OUT_MILLIS);
        return fresh;
    }

    @Override
    public void send(LabCall call, String meeting, int round, boolean last) {
        if (left) {
            return;
        }
        try {
            if (round > 0 && !isKept) {
                socket.close();
                socket = connected();
                reader = new RawReply.Reader(new BufferedInputStream(socket.getInputStream()));
            }
            socket.getOutputStream().write(call.bytes("/" + round, application, meeting, last || !isKept));
        } catch (SocketException e) {
            left = true; // the server has ended the connection with its response
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void receive(LabCall call) {
        if (left) {
            return;
        }
        try {
            if (call.leaves()) {
                left = true;
                socket.close();
                return;
            }
            RawReply reply = seenAs.apply(reader.read(call.isHead()).reply());
            replies.add(reply);
            left = reply.framing().equals(RawReply.GARBLED); // where it ends, nobody knows
        } catch (SocketTimeoutException e) {
            left = true;
            replies.add(new RawReply("", "", "no response in " + TIME_OUT_MILLIS + " ms", List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public boolean hasLeft() {
        return left;
    }

    /** Says that no request follows, and reads whatever the server has sent beyond its responses. */
    @Override
    public List<RawReply> end() {
        if (left) {
            return replies;
        }
        try {
            socket.shutdownOutput();
            String rest = reader.rest();
            if (!rest.isEmpty()) {
                replies.add(new RawReply("", rest, "more bytes than the response has", List.of()));
            }
        } catch (SocketException e) {
            // the server has ended the connection
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return replies;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
