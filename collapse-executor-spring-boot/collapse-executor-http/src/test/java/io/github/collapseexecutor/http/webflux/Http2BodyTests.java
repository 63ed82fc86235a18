package io.github.collapseexecutor.http.webflux;

import static io.github.collapseexecutor.http.fixture.Http2Client.ANN;
import static io.github.collapseexecutor.http.fixture.Http2Client.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.Http2Client;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;

/** Over HTTP/2, nothing in the head of a request says whether a body of unknown length follows; Netty alone tells. */
class Http2BodyTests {

    private static final WebHandler SEARCH =
            exchange -> DataBufferUtils.join(exchange.getRequest().getBody())
                    .map(query -> "found " + query.toString(StandardCharsets.UTF_8))
                    .defaultIfEmpty("found nothing")
                    .flatMap(found -> HeldHandler.write(exchange, found));

    private static HeldHandler start() {
        WebFilter first =
                (exchange, chain) -> exchange.getRequest().getPath().value().equals("/first")
                        ? exchange.getResponse().setComplete()
                        : chain.filter(exchange);
        return new Setting().speakingHttp2().behind(first).start(SEARCH);
    }

    @Test
    void H09_aBodyThatIsAnnouncedByItsTypeKeepsItsRequestApart() throws Exception {
        try (HeldHandler server = start()) {
            Http2Client client = new Http2Client(server.port());
            CompletableFuture<String> ann = client.get("/query", ANN, "Content-Type", "application/json");
            CompletableFuture<String> bob = client.get("/query", BOB, "Content-Type", "application/json");
            HeldHandler.await(() -> server.runs.get() == 2);
            assertOwnAnswers(server, ann, bob);
        }
    }

    @Test
    void H09_aBodyThatNothingAnnouncesIsAnsweredForItself() throws Exception {
        try (HeldHandler server = start()) {
            Http2Client client = new Http2Client(server.port());
            CompletableFuture<String> ann = client.get("/query", ANN);
            CompletableFuture<String> bob = client.get("/query", BOB);
            HeldHandler.await(() -> server.callers() == 2);
            assertOwnAnswers(server, ann, bob);
        }
    }

    private static void assertOwnAnswers(
            HeldHandler server, CompletableFuture<String> ann, CompletableFuture<String> bob) throws Exception {
        server.release();
        assertThat(ann.get(30, TimeUnit.SECONDS)).isEqualTo("found " + ANN);
        assertThat(bob.get(30, TimeUnit.SECONDS)).isEqualTo("found " + BOB);
    }
}
