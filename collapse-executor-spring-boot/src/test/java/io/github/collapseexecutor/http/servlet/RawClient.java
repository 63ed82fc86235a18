package io.github.collapseexecutor.http.servlet;

import io.github.collapseexecutor.http.fixture.TestClient;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A connection of its own for one request, whose bytes are exactly what a test says. */
final class RawClient implements AutoCloseable {

    // immutable
    private final Socket socket;
    private final InputStream in;

    private RawClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Sends a request to a port of this machine, whatever host the request names. */
    static RawClient send(int port, TestClient.Request request) throws IOException {
        // unlike one without a channel, it is closed when the thread that reads it is interrupted
        Socket socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        StringBuilder head = new StringBuilder();
        String query = request.uri().getRawQuery();
        head.append(request.method()).append(' ').append(request.uri().getRawPath());
        head.append(query == null ? "" : "?" + query).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(request.uri().getRawAuthority()).append("\r\n");
        for (Map.Entry<String, String> header : request.headers()) {
            head.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
        }
        byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
        if (body.length > 0 || List.of("POST", "PUT").contains(request.method())) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        head.append("\r\n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(body);
        socket.getOutputStream().write(bytes.toByteArray());
        return new RawClient(socket);
    }

    static TestClient.Response call(int port, TestClient.Request request) throws IOException {
        try (RawClient client = send(port, request)) {
            return client.response(request.method());
        }
    }

    TestClient.Response response(String method) throws IOException {
        TestClient.Response head = head();
        while (head.status() / 100 == 1) {
            head = head();
        }
        boolean bodiless = method.equals("HEAD") || head.status() == 204 || head.status() == 304;
        byte[] body = bodiless ? new byte[0] : body(head);
        return new TestClient.Response(
                head.status(), head.reason(), head.headers(), new String(body, StandardCharsets.UTF_8));
    }

    /** The status line and the headers; what follows is read by {@link #read(int)}. */
    TestClient.Response head() throws IOException {
        String[] status = line().split(" ", 3);
        Map<String, List<String>> headers = TestClient.Response.newHeaders();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        return new TestClient.Response(Integer.parseInt(status[1]), status.length > 2 ? status[2] : "", headers, "");
    }

    /** The next bytes, as soon as there are so many. */
    String read(int count) throws IOException {
        return new String(exactly(count), StandardCharsets.UTF_8);
    }

    String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("The connection ended in a line");
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private byte[] body(TestClient.Response head) throws IOException {
        if (!head.header("Transfer-Encoding").isEmpty()) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (int size = chunkSize(); size > 0; size = chunkSize()) {
                body.writeBytes(exactly(size));
                line();
            }
            line();
            return body.toByteArray();
        }
        List<String> length = head.header("Content-Length");
        return length.isEmpty() ? in.readAllBytes() : exactly(Integer.parseInt(length.get(0)));
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private byte[] exactly(int count) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("The connection ended in a body");
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
