package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.PooledDataBuffer;
import org.springframework.http.MediaType;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** When a body is collected and when it passes by as it is written, and that its buffers are released. */
@OnEachLine
class PassedBodyTests {

    @Test
    void H38_aLoneRequestIsAnsweredAsItsHandlerWrites() throws Exception {
        Sinks.Many<String> parts = Sinks.many().unicast().onBackpressureBuffer();
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getResponse()
                        .writeAndFlushWith(
                                parts.asFlux().map(part -> Mono.just(HeldHandler.buffer(exchange, part)))))) {
            server.release();
            RawClient client = server.send(HeldHandler.get());
            HeldHandler.await(() -> parts.tryEmitNext("first").isSuccess());
            client.head();
            client.line();
            assertThat(client.read(5)).isEqualTo("first");
            parts.tryEmitComplete();
        }
    }

    @Test
    void H38_theBodyOfALoneRequestIsNotCollected() throws Exception {
        Sinks.Many<String> parts = Sinks.many().unicast().onBackpressureBuffer();
        CollapseOptions lone =
                CollapseOptions.builder().joinMode(JoinMode.FRESH).build();
        try (HeldHandler server = new Setting()
                .gathering(lone)
                .start(exchange -> exchange.getResponse()
                        .writeWith(parts.asFlux().map(part -> HeldHandler.buffer(exchange, part))))) {
            server.release();
            RawClient client = server.send(HeldHandler.get());
            HeldHandler.await(() -> parts.tryEmitNext("first").isSuccess());
            client.head();
            client.line();
            assertThat(client.read(5)).isEqualTo("first");
            parts.tryEmitComplete();
        }
    }

    @Test
    void H29_aHeadTellsTheLengthOfABodyInOnePartOverTheLimit() throws Exception {
        try (HeldHandler server = new Setting()
                .on(ReactiveServer.Make.TOMCAT)
                .sharing(HttpCollapseOptions.builder().maxBodySize(10))
                .start(exchange ->
                        exchange.getResponse().writeWith(Mono.just(HeldHandler.buffer(exchange, "x".repeat(100)))))) {
            server.release();
            Request head = Request.of("HEAD", HeldHandler.get().uri());
            assertThat(server.send(head).response("HEAD").header("Content-Length"))
                    .containsExactly("100");
        }
    }

    @Test
    void H23_aStreamPassesByAndFollowersRunTheHandler() throws Exception {
        for (MediaType type : List.of(MediaType.TEXT_EVENT_STREAM, MediaType.TEXT_PLAIN)) {
            try (HeldHandler server = new Setting().start(exchange -> {
                exchange.getResponse().getHeaders().setContentType(type);
                return exchange.getResponse()
                        .writeAndFlushWith(
                                Flux.just("a", "b").map(part -> Mono.just(HeldHandler.buffer(exchange, part))));
            })) {
                assertThat(server.assertForwarded(HeldHandler.get()))
                        .allMatch(response -> response.body().equals("ab"));
            }
        }
    }

    @Test
    void H27_aBodyOverTheLimitReachesAllWhole() throws Exception {
        try (HeldHandler server = new Setting()
                .sharing(HttpCollapseOptions.builder().maxBodySize(10))
                .start(exchange -> exchange.getResponse()
                        .writeWith(Flux.range(0, 100).map(part -> HeldHandler.buffer(exchange, "0123456789"))))) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .allMatch(response -> response.body().equals("0123456789".repeat(100)));
        }
    }

    @Test
    void everyBufferOfAHandlerIsReleased() throws Exception {
        Queue<DataBuffer> buffers = new ConcurrentLinkedQueue<>();
        try (HeldHandler server = new Setting()
                .sharing(HttpCollapseOptions.builder().maxBodySize(50))
                .start(exchange -> exchange.getResponse()
                        .writeWith(Flux.range(
                                        0,
                                        exchange.getRequest().getPath().value().equals("/small") ? 5 : 50)
                                .map(part -> HeldHandler.buffer(exchange, "0123456789"))
                                .doOnNext(buffers::add)))) {
            server.release();
            for (String path : List.of("/small", "/large")) {
                server.responses(HeldHandler.get(path), server.gathered(HeldHandler.get(path)));
            }
            assertThat(buffers).isNotEmpty().allMatch(PooledDataBuffer.class::isInstance);
            HeldHandler.await(() -> buffers.stream().noneMatch(buffer -> ((PooledDataBuffer) buffer).isAllocated()));
        }
    }

    @Test
    void filesThatTheServerSendsAreSharedUpToTheLimit(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "0123456789".repeat(10));
        for (int limit : new int[] {100, 99}) {
            try (HeldHandler server = new Setting()
                    .sharing(HttpCollapseOptions.builder().maxBodySize(limit))
                    .start(exchange -> ((ZeroCopyHttpOutputMessage) exchange.getResponse()).writeWith(file, 0, 100))) {
                List<Response> responses = limit == 100
                        ? server.assertShared(HeldHandler.get())
                        : server.assertForwarded(HeldHandler.get());
                assertThat(responses).allMatch(response -> response.body().equals("0123456789".repeat(10)));
            }
        }
    }

    /** The server does not ask for a body that it does not send. */
    @Test
    void aStreamThatAHeadRequestAsksForIsReleased() throws Exception {
        Queue<DataBuffer> written = new ConcurrentLinkedQueue<>();
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getResponse()
                        .writeAndFlushWith(Flux.range(0, 3).map(part -> {
                            DataBuffer buffer = HeldHandler.buffer(exchange, "part " + part);
                            written.add(buffer);
                            return Flux.just(buffer);
                        })))) {
            Request head = Request.of("HEAD", URI.create("http://localhost/a"));
            RawClient client = server.arrived(head);
            server.release();
            assertThat(client.response("HEAD").status()).isEqualTo(200);
            HeldHandler.await(() -> written.stream().noneMatch(buffer -> ((PooledDataBuffer) buffer).isAllocated()));
        }
    }
}
