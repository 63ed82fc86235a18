package io.github.collapseexecutor.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;

/** What processes call over HTTP: a register, and calls that the test ends when it likes. */
final class ClusterBackend implements AutoCloseable {

    private final HttpServer server;
    private final LocalRegister register;
    private final Map<Long, CompletableFuture<String>> held = new ConcurrentHashMap<>();
    private final BlockingQueue<Long> arrivals = new LinkedBlockingQueue<>();
    private volatile int failingPercent;

    /** A read takes a time between these two. */
    ClusterBackend(int leastMillis, int mostMillis) throws IOException {
        register = new LocalRegister(leastMillis, mostMillis);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", -1);
        String answer;
        int status = path[1].equals("read") && ThreadLocalRandom.current().nextInt(100) < failingPercent ? 500 : 200;
        try {
            answer = switch (path[1]) {
                case "read" -> Long.toString(register.read());
                case "ended" -> Long.toString(register.ended());
                case "hold" -> hold(Long.parseLong(path[2]));
                default -> {
                    register.write();
                    yield "";
                }
            };
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private String hold(long pid) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        held.put(pid, answer);
        arrivals.add(pid);
        return answer.join();
    }

    /** Has so many of a hundred reads fail. */
    void failing(int percent) {
        failingPercent = percent;
    }

    /** Which processes made a held call, in order. */
    BlockingQueue<Long> arrivals() {
        return arrivals;
    }

    void release(long pid, String answer) {
        held.get(pid).complete(answer);
    }

    int reads() {
        return register.reads();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        held.values().forEach(answer -> answer.complete("the test is over"));
        server.stop(0);
    }

    /** A read has failed, as the test wanted it. */
    static final class BrokenException extends IOException {

        private static final long serialVersionUID = 1L;

        BrokenException() {
            super("The backend is broken");
        }
    }

    /** The other side, in a process. */
    static final class Client implements Register {

        private final HttpClient client = HttpClient.newHttpClient();
        private final String url;

        Client(String url) {
            this.url = url;
        }

        String get(String path) throws IOException, InterruptedException {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new BrokenException();
            }
            return response.body();
        }

        @Override
        public long read() throws Exception {
            return Long.parseLong(get("/read"));
        }

        @Override
        public void write() throws Exception {
            get("/write");
        }

        @Override
        public long ended() throws Exception {
            return Long.parseLong(get("/ended"));
        }
    }
}
