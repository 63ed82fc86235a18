package io.github.collapseexecutor.sample.springboot.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Requests at a rate: they are sent when they are due, and what waits for those before is counted with its wait. */
class OpenLoadRunTests {

    private static LoadResult load(int connections, int perSecond, long serviceMillis) throws IOException {
        AtomicLong number = new AtomicLong();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), connections);
        ExecutorService threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try {
                TimeUnit.MILLISECONDS.sleep(serviceMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            byte[] body = Long.toString(number.incrementAndGet()).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            return LoadGenerator.run(
                    server.getAddress(),
                    new Load(any -> "/", false, connections, perSecond, Duration.ZERO, Duration.ofSeconds(1)));
        } finally {
            server.stop(0);
            threads.shutdownNow();
        }
    }

    @Test
    void asManyAreSentAsAreDueThoughConnectionsWouldBearMore() throws IOException {
        LoadResult result = load(4, 50, 0);
        assertThat(result.all()).isEqualTo(50);
        assertThat(result.answers()).isEqualTo(50);
        assertThat(result.failed()).isZero();
    }

    @Test
    void theWaitForThoseBeforeCounts() throws IOException {
        LoadResult result =
                load(1, 20, 100); // it bears 10 a second: the last is due after 0.95 s, and answered after 2 s
        assertThat(result.all()).isEqualTo(20);
        assertThat(result.millis(0)).isBetween(100.0, 500.0);
        assertThat(result.millis(100)).isGreaterThanOrEqualTo(1_000);
    }

    @Test
    void argumentsAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OpenLoadRun(1, List.of(5, 0)))
                .withMessage("seconds is 1.0 and rates are [5, 0]: all must be positive, and there must be a rate");
    }
}
