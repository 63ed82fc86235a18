package io.github.collapseexecutor.sample.springboot.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoadGeneratorTests {

    private static final int CONNECTIONS = 5;
    private static final Duration SHORT = Duration.ofMillis(200);

    private final AtomicLong requests = new AtomicLong();
    private final Set<String> queries = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private @Nullable HttpServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(0);
        }
        threads.shutdownNow();
    }

    private LoadResult load(boolean mustRise, Function<Long, String> body) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), CONNECTIONS);
        server.setExecutor(threads);
        server.createContext("/number", exchange -> {
            queries.add(exchange.getRequestURI().getQuery());
            byte[] bytes = body.apply(requests.incrementAndGet()).getBytes(StandardCharsets.US_ASCII);
            if (bytes.length == 0) {
                throw new IOException("breaks off");
            }
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return LoadGenerator.run(
                server.getAddress(),
                Load.closed(number -> "/number?number=" + number, mustRise, CONNECTIONS, SHORT, SHORT));
    }

    @Test
    void everyRequestHasANumberOfItsOwnIsAnsweredAndCounted() throws IOException {
        LoadResult result = load(true, number -> Long.toString(number));
        assertThat(result.all()).isEqualTo(requests.get());
        assertThat(queries).hasSize((int) result.all());
        assertThat(result.answers()).isPositive().isLessThan(result.all());
        assertThat(result.perSecond()).isEqualTo(result.answers() * 5.0);
        assertThat(result.millis(50)).isPositive().isLessThanOrEqualTo(result.millis(99));
        assertThat(result.wrong()).isZero();
        assertThat(result.failed()).isZero();
    }

    @Test
    void anAnswerThatIsNoYoungerThanTheOneBeforeIsWrongWhereItMustBe() throws IOException {
        LoadResult result = load(true, number -> "7");
        assertThat(result.wrong()).isEqualTo(result.all() - CONNECTIONS);
    }

    @Test
    void anAnswerMayBeOldWhereCallsInFlightAreJoined() throws IOException {
        assertThat(load(false, number -> "7").wrong()).isZero();
    }

    @Test
    void anAnswerThatIsNoNumberIsWrong() throws IOException {
        LoadResult result = load(false, number -> "seven");
        assertThat(result.wrong()).isEqualTo(result.all()).isPositive();
    }

    @Test
    void anAnswerThatIsNotFoundIsWrong() throws IOException {
        load(true, number -> Long.toString(number));
        LoadResult result =
                LoadGenerator.run(server.getAddress(), Load.closed(number -> "/other", true, 1, SHORT, SHORT));
        assertThat(result.wrong()).isEqualTo(result.all()).isPositive();
    }

    @Test
    void requestsThatAreNotAnsweredHaveFailedAndWhatCameOfTheirAnswersIsSaid() throws Exception {
        String part = "HTTP/1.1 200 OK\r\nContent-Le";
        CountDownLatch over = new CountDownLatch(1);
        try (ServerSocket halfAnswering = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress())) {
            Future<?> answering = threads.submit(() -> {
                try (Socket socket = halfAnswering.accept()) {
                    socket.getOutputStream().write(part.getBytes(StandardCharsets.US_ASCII));
                    over.await();
                }
                return null;
            });
            LoadResult result = LoadGenerator.run(
                    (InetSocketAddress) halfAnswering.getLocalSocketAddress(),
                    Load.closed(number -> "/", false, 1, SHORT, SHORT),
                    () -> {},
                    Duration.ofSeconds(2));
            over.countDown();
            answering.get();
            assertThat(result.failed()).isEqualTo(1);
            assertThat(result.counts())
                    .contains(
                            "not answered within 2 s of the end: one asked for ",
                            "of which " + part.length() + " bytes");
        }
    }

    @Test
    void answerToAConnectionThatHasAskedForNothingIsAFailure() throws Exception {
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n7";
        try (ServerSocket answeringAll = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress())) {
            Future<?> answering = threads.submit(() -> {
                try (Socket one = answeringAll.accept();
                        Socket other = answeringAll.accept()) {
                    while (one.getInputStream().available()
                                    + other.getInputStream().available()
                            == 0) {
                        Thread.onSpinWait();
                    }
                    boolean oneAsks = one.getInputStream().available() > 0;
                    Socket asking = oneAsks ? one : other;
                    Socket idle = oneAsks ? other : one;
                    idle.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                    assertThat(idle.getInputStream().read()).as("it is closed").isNegative();
                    asking.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                    asking.getInputStream().readAllBytes();
                }
                return null;
            });
            LoadResult result = LoadGenerator.run(
                    (InetSocketAddress) answeringAll.getLocalSocketAddress(),
                    new Load(number -> "/", false, 2, 1, Duration.ZERO, SHORT));
            answering.get();
            assertThat(result.counts())
                    .isEqualTo(
                            "0 wrong, 1 failed (first: a connection got an answer that it had not asked for), 1 answers");
        }
    }

    @Test
    void connectionsThatBreakHaveFailed() throws IOException {
        LoadResult result = load(true, number -> number <= 3 ? "" : Long.toString(number));
        assertThat(result.failed()).isEqualTo(3);
        assertThat(result.counts())
                .contains(" 3 failed (first: the server closed a connection without an answer)", "0 wrong");
        assertThat(result.answers()).isPositive();
    }
}
