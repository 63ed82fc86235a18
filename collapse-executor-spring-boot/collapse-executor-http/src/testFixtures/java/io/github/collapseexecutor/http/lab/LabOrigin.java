package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** Listens for the requests of clients: a socket that breaks where it likes, or a server of HTTP/2 without TLS. */
interface LabOrigin extends AutoCloseable {

    /** Answers a request, maybe later; with null if nobody is left who might want an answer. */
    @FunctionalInterface
    interface Script {
        CompletableFuture<@Nullable OriginResponse> answer(OriginRequest request);
    }

    int port();

    @Override
    void close();

    default URI uri(String host, String target) {
        return URI.create("http://" + host + ":" + port() + target);
    }

    static LabOrigin ofHttp1(Script script) {
        try {
            ScriptedOrigin origin = ScriptedOrigin.start();
            origin.forgetRequests();
            origin.answer(request -> {
                OriginResponse response = script.answer(request).join();
                return response == null ? OriginReply.reset() : response.reply(request);
            });
            return new LabOrigin() {
                @Override
                public int port() {
                    return origin.uri("").getPort();
                }

                @Override
                public void close() {
                    try {
                        origin.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static LabOrigin ofHttp2(Script script) {
        DisposableServer server = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .protocol(HttpProtocol.H2C, HttpProtocol.HTTP11)
                .handle((request, response) -> {
                    OriginRequest arrived = arrived(request);
                    return request.receive()
                            .then(Mono.fromFuture(() -> script.answer(arrived)))
                            .flatMap(answer -> write(arrived, answer, response))
                            .then();
                })
                .bindNow();
        return new LabOrigin() {
            @Override
            public int port() {
                return server.port();
            }

            @Override
            public void close() {
                server.disposeNow();
            }
        };
    }

    private static OriginRequest arrived(HttpServerRequest request) {
        Map<String, List<String>> headers = new TreeMap<>();
        request.requestHeaders()
                .forEach(header -> headers.computeIfAbsent(
                                header.getKey().toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                        .add(header.getValue()));
        return new OriginRequest(request.method().name(), request.uri(), request.hostPort(), headers);
    }

    /** A stream that breaks off is reset. */
    private static Mono<Void> write(OriginRequest request, OriginResponse answer, HttpServerResponse response) {
        Mono<Void> reset = Mono.fromRunnable(() -> response.withConnection(connection -> {
            ChannelFuture unused = connection.channel().close();
        }));
        if (answer.breaksBeforeTheHead()) {
            return reset;
        }
        List<byte[]> bodies = answer.bodies(request);
        response.status(answer.status);
        answer.headers.forEach(header -> response.addHeader(header.getKey(), header.getValue()));
        if (request.method().equals("HEAD") || answer.isBodiless()) {
            return response.send();
        }
        Mono<Void> sent = response.send(Flux.fromIterable(bodies).map(Unpooled::wrappedBuffer), part -> true)
                .then();
        return answer.breaks() ? sent.then(reset) : sent;
    }
}
