package io.github.collapseexecutor.sample.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** What the instances call over HTTP. It takes its time, and answers with the time at which it was asked. */
final class Backend implements AutoCloseable {

    static final int MILLIS = 50;

    private static final int BACKLOG = 2000;

    static {
        // The server of the JDK closes what is idle beyond 200, at the moment when a client may send its next call.
        System.setProperty("sun.net.httpserver.maxIdleConnections", String.valueOf(BACKLOG));
    }

    // immutable
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    // mutable, thread-safe
    private final LongAdder calls = new LongAdder();

    Backend() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] body = Long.toString(System.currentTimeMillis()).getBytes(StandardCharsets.US_ASCII);
        calls.increment();
        try {
            Thread.sleep(MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Returns how often it was called. */
    long calls() {
        return calls.sum();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
