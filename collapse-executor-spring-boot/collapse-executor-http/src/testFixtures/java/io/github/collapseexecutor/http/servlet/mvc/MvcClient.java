package io.github.collapseexecutor.http.servlet.mvc;

import io.github.collapseexecutor.http.servlet.mvc.MvcCase.Step;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One connection to a server, which sends the steps of a case. */
final class MvcClient implements AutoCloseable {

    // immutable
    private final Socket socket;
    private final RawReply.Reader reader;

    // mutable, confined to the test's thread
    private String cookie = "";
    private final List<RawReply> replies = new ArrayList<>();

    private MvcClient(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        this.reader = new RawReply.Reader(new BufferedInputStream(socket.getInputStream()));
    }

    /** Makes the requests of a case alone. */
    static List<RawReply> alone(MvcCase row, int port) throws IOException {
        try (MvcClient client = new MvcClient(port)) {
            for (Step step : row.steps()) {
                client.send(step, List.of());
                client.receive(step);
            }
            return client.end();
        }
    }

    /**
     * What a burst gave.
     *
     * @param replies of each client the responses to the steps
     * @param runs how many requests of the last step ran their handlers
     */
    record Result(List<List<RawReply>> replies, int runs) {}

    /** Makes the requests of a case from several connections at once, step by step. */
    static Result burst(MvcCase row, int port, int size) throws IOException {
        List<MvcClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < size; i++) {
                clients.add(new MvcClient(port));
            }
            int runs = 0;
            for (Step step : row.steps()) {
                try (Burst burst = Burst.of(size)) {
                    for (int i = 0; i < size; i++) {
                        clients.get(i).send(step, List.of(Map.entry(Burst.HEADER, burst.headerOf(i))));
                    }
                    burst.releaseOnceGathered();
                    for (MvcClient client : clients) {
                        client.receive(step);
                    }
                    runs = burst.runs();
                }
            }
            List<List<RawReply>> replies = new ArrayList<>();
            for (MvcClient client : clients) {
                replies.add(client.end());
            }
            return new Result(replies, runs);
        } finally {
            for (MvcClient client : clients) {
                client.close();
            }
        }
    }

    private void send(Step step, List<Map.Entry<String, String>> more) throws IOException {
        socket.getOutputStream().write(step.withCookie(cookie).bytes(more));
    }

    private void receive(Step step) throws IOException {
        RawReply.Read read = reader.read(step.isHead());
        cookie = read.cookie();
        replies.add(read.reply());
    }

    /** Says that no request follows, and reads whatever the server has sent beyond its responses. */
    private List<RawReply> end() throws IOException {
        socket.shutdownOutput();
        String rest = reader.rest();
        if (!rest.isEmpty()) {
            replies.add(new RawReply("", rest, "more bytes than the response has", List.of()));
        }
        return replies;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
