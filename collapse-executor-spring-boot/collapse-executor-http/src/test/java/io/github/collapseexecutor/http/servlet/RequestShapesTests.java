package io.github.collapseexecutor.http.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests as an attacker or an old client shapes them, byte by byte: each gets what the same server answers without collapsing, while others
 * of every shape are on their way.
 */
class RequestShapesTests {

    private static final int THREADS = 200;
    private static final int EACH = 3;

    /** They do not count, as the version of the protocol does not: clients that offer HTTP/2 send them with their first request alone. */
    private static final Set<String> OF_THE_CONNECTION = Set.of("connection", "upgrade", "http2-settings");

    /** What is sent on one connection; the server closes it at the end, or after what it refuses. */
    private static final List<String> SHAPES = List.of(
            get("/p", ""),
            get("/p?", ""),
            get("/p?a=1", ""),
            get("/p?a=1&a=1", ""),
            get("/p?a=1#f", ""),
            get("/P", ""),
            get("/p/", ""),
            get("//p", ""),
            get("/p;v=1", ""),
            get("/p;jsessionid=1", ""),
            get("/./p", ""),
            get("/x/../p", ""),
            get("/%70", ""),
            get("/p%2f", ""),
            get("/p%2e", ""),
            get("/%2e%2e/p", ""),
            get("/p%00", ""),
            get("/p%e9", ""),
            get("/p?a=%e9", ""),
            get("/p?a=\u00e9", ""),
            get("/p?a[]=1|2", ""),
            get("http://h/p", ""),
            get("http://other/p", ""),
            get("/p", "Host: other\r\n"),
            get("/p", "X-A: 1\r\n"),
            get("/p", "X-A: 1\r\nX-A: 2\r\n"),
            get("/p", "X-A: 1, 2\r\n"),
            get("/p", "X-A:1\r\n"),
            get("/p", "X-A : 1\r\n"),
            get("/p", "X-A: 1\r\n 2\r\n"),
            get("/p", "X-A:\r\n"),
            get("/p", "x-a: 1\r\n"),
            get("/p", "X-A: \u00e9\r\n"),
            get("/p", "X-A: a\u0000b\r\n"),
            get("/p", "Accept: text/plain\r\n"),
            get("/p", "Cookie: a=1\r\n"),
            get("/p", "Cookie: a=1\r\nCookie: b=2\r\n"),
            get("/p", "Authorization: Basic YTpi\r\n"),
            get("/p", "Range: bytes=0-3\r\n"),
            get("/p", "If-None-Match: \"1\"\r\n"),
            get("/p", "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"),
            get("/p", "Content-Length: 0\r\n"),
            get("/p", "Content-Length: 5\r\n") + "hello",
            get("/p", "Content-Length: 5\r\n") + "world",
            get("/p", "Content-Length: 5\r\nContent-Length: 5\r\n") + "hello",
            get("/p", "Content-Length: 5\r\nContent-Length: 6\r\n") + "hello!",
            get("/p", "Content-Length: +5\r\n") + "hello",
            get("/p", "Content-Length: 5, 5\r\n") + "hello",
            get("/p", "Transfer-Encoding: chunked\r\n") + "5\r\nhello\r\n0\r\n\r\n",
            get("/p", "Transfer-Encoding: chunked\r\n") + "0\r\n\r\n",
            get("/p", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n") + "0\r\n\r\n",
            get("/p", "Transfer-Encoding: xchunked\r\n") + "0\r\n\r\n",
            get("/p", "Transfer-Encoding: identity, chunked\r\n") + "0\r\n\r\n",
            get("/p", "Content-Length: 42\r\n") + "GET /secret HTTP/1.1\r\nHost: h\r\nX-Secret: 1\r\n\r\n",
            keep("/p", "") + get("/p?second", ""),
            keep("/p", "Content-Length: 5\r\n") + "hello" + get("/p", ""),
            keep("/p", "Transfer-Encoding: chunked\r\n") + "5\r\nhello\r\n0\r\nX-A: trailer\r\n\r\n" + get("/p", ""),
            keep("/p", "Content-Length: 0\r\n") + get("/p", "X-A: 1\r\n"),
            keep("/p", "X-Unread: 1\r\nContent-Length: 5\r\n") + "hello" + get("/p", ""),
            "GET /p HTTP/1.0\r\n\r\n",
            "GET /p HTTP/1.0\r\nHost: h\r\n\r\n",
            "GET /p HTTP/1.1\r\nConnection: close\r\n\r\n",
            "GET  /p HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "get /p HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "HEAD /p HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "HEAD /p HTTP/1.1\r\nHost: h\r\n\r\n" + get("/p", ""),
            "OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
            "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
            "POST /p HTTP/1.1\r\nHost: h\r\nX-HTTP-Method-Override: GET\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            "\r\n" + get("/p", ""));

    private static String get(String target, String headers) {
        return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + headers + "Connection: close\r\n\r\n";
    }

    private static String keep(String target, String headers) {
        return "GET " + target + " HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n";
    }

    static Stream<Arguments> servers() {
        return Stream.of(ServletServer.Make.values())
                .filter(ServersOfThisLine::include)
                .flatMap(make ->
                        Stream.of(FollowerWaiting.BLOCK, FollowerWaiting.ASYNC).map(way -> Arguments.of(make, way)));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void eachShapeGetsWhatItGetsWithoutCollapsing(ServletServer.Make make, FollowerWaiting waiting) throws Exception {
        Map<String, String> plain = new LinkedHashMap<>();
        int expected = 0;
        Front front = new Front();
        try (ServletServer server = make.start(THREADS, List.of(front), new Echo(front))) {
            for (String shape : SHAPES) {
                plain.put(shape, answer(server, shape));
            }
            expected = front.arrived.get() * EACH;
        }
        Front gate = new Front();
        gate.expected = expected;
        CollapseServletFilter filter = CollapseServletFilter.builder(HttpCollapseOptions.builder()
                        .rules(List.of(CollapseRule.of(CollapsePolicy.strict(), "/**")))
                        .build())
                .waiting(waiting)
                .build();
        Echo echo = new Echo(gate);
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            sent.addAll(SHAPES);
        }
        long seed = System.nanoTime();
        Collections.shuffle(sent, new Random(seed));
        List<String> differences = new ArrayList<>();
        ExecutorService clients = Executors.newFixedThreadPool(sent.size());
        try (ServletServer server = make.start(THREADS, List.of(gate, filter), echo)) {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<String>> answers = new ArrayList<>();
            for (String shape : sent) {
                answers.add(clients.submit(() -> {
                    start.await();
                    return answer(server, shape);
                }));
            }
            start.countDown();
            for (int i = 0; i < sent.size(); i++) {
                String answer = answers.get(i).get(1, TimeUnit.MINUTES);
                if (!answer.equals(plain.get(sent.get(i)))) {
                    differences.add("seed " + seed + "\n" + sent.get(i) + "\n-- got\n" + answer + "\n-- not\n"
                            + plain.get(sent.get(i)));
                }
            }
        } finally {
            clients.shutdownNow();
        }
        assertThat(differences).isEmpty();
        assertThat(echo.runs)
                .as("runs of the handler for %d requests", expected)
                .hasValueLessThan(expected);
    }

    private static String answer(ServletServer server, String shape) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(shape.getBytes(ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            return answer.replaceAll("(?m)^(Date|Server): .*\r\n", "");
        }
    }

    /** Counts the requests that come. */
    private static final class Front implements Filter {

        private final AtomicInteger arrived = new AtomicInteger();
        private volatile int expected;

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if (request.getDispatcherType() == DispatcherType.REQUEST) {
                synchronized (this) {
                    arrived.incrementAndGet();
                    notifyAll();
                }
            }
            chain.doFilter(request, response);
        }

        /** Waits until all have come that are expected; a second request of a connection comes when the first has its answer. */
        private synchronized void await() throws InterruptedException {
            int before = -1;
            while (arrived.get() < expected && arrived.get() != before) {
                before = arrived.get();
                wait(100);
            }
        }
    }

    /** Says all that the container told it of a request, but what does not count. */
    private static final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial") // a servlet of a test is never serialized
        private final Front front;

        private final AtomicInteger runs = new AtomicInteger();

        Echo(Front front) {
            this.front = front;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            runs.incrementAndGet();
            try {
                front.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            StringBuilder said = new StringBuilder();
            said.append(request.getMethod()).append(' ').append(request.getRequestURI());
            said.append('?').append(request.getQueryString()).append(" at ").append(request.getServerName());
            Set<String> names = new TreeSet<>();
            Collections.list(request.getHeaderNames()).forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
            for (String name : names) {
                if (!OF_THE_CONNECTION.contains(name)) {
                    said.append('\n').append(name).append(": ").append(Collections.list(request.getHeaders(name)));
                }
            }
            if (request.getHeader("X-Unread") == null) {
                said.append('\n').append(new String(request.getInputStream().readAllBytes(), ISO_8859_1));
            }
            byte[] body = said.toString().getBytes(ISO_8859_1);
            response.setContentType("text/plain;charset=ISO-8859-1");
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }
}
