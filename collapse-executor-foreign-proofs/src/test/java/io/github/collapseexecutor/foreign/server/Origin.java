package io.github.collapseexecutor.foreign.server;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that gateways stand before; it shows the user that a request names. */
final class Origin implements AutoCloseable {

    // immutable
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    Origin(Backend backend, String guest) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String shown = backend.read(guest, exchange.getRequestURI()) + " for "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " in "
                    + exchange.getRequestHeaders().getFirst("Accept-Language") + " at "
                    + exchange.getRequestHeaders().getFirst("X-Forwarded-Host");
            byte[] body = (path.endsWith("large") ? shown.repeat(500) : shown).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain;charset=UTF-8");
            exchange.getResponseHeaders().set("ETag", "\"origin\"");
            if (path.endsWith("old")) {
                exchange.getResponseHeaders().set("Location", "x");
            }
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(
                    path.endsWith("old") ? 301 : 200, head ? -1 : path.endsWith("slow") ? 0 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
            exchange.close();
        });
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
