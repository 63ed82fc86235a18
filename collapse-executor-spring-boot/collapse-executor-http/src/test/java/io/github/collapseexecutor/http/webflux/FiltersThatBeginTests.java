package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Filters in front that write something of their own as soon as a body begins. */
@OnEachLine
class FiltersThatBeginTests {

    private static final int STREAMS = 20;

    private static final String LARGE = "x".repeat(8_192);

    /** A filter that changes the body. */
    private interface Change {

        Publisher<? extends DataBuffer> of(Publisher<? extends DataBuffer> body, ServerHttpResponse response);
    }

    private static WebFilter changing(Change change) {
        return (exchange, chain) -> {
            ServerHttpResponse own = exchange.getResponse();
            return chain.filter(exchange.mutate()
                    .response(new ServerHttpResponseDecorator(own) {
                        @Override
                        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
                            return super.writeWith(change.of(body, own));
                        }

                        @Override
                        public Mono<Void> writeAndFlushWith(
                                Publisher<? extends Publisher<? extends DataBuffer>> parts) {
                            Flux<Publisher<? extends DataBuffer>> begun =
                                    Flux.concat(Mono.just(change.of(Flux.empty(), own)), parts);
                            return super.writeAndFlushWith(begun);
                        }
                    })
                    .build());
        };
    }

    private static final WebFilter BEGINNING = changing((body, response) -> Flux.concat(
            Mono.fromSupplier(() -> response.bufferFactory().wrap("<".getBytes(StandardCharsets.UTF_8))), body));

    private static final WebFilter JOINING = changing((body, response) -> DataBufferUtils.join(Flux.from(body)));

    private static WebHandler writing(int parts) {
        return exchange -> {
            Flux<DataBuffer> body = Flux.range(0, parts).map(part -> HeldHandler.buffer(exchange, "0123456789"));
            return exchange.getResponse().writeWith(parts == 1 ? body.next() : body);
        };
    }

    @ParameterizedTest
    @EnumSource
    void H37_aFilterJoinsItsOwnBufferWithThoseOfASharedBody(ReactiveServer.Make make) throws Exception {
        for (int parts : new int[] {1, 3}) {
            try (HeldHandler server =
                    new Setting().on(make).behind(JOINING, BEGINNING).start(writing(parts))) {
                List<Response> responses = server.assertShared(HeldHandler.get());
                assertThat(responses.get(0).body()).isEqualTo("<" + "0123456789".repeat(parts));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void H37_aFilterJoinsItsOwnBufferWithThoseOfABodyOverTheLimit(ReactiveServer.Make make) throws Exception {
        for (int parts : new int[] {1, 3}) {
            try (HeldHandler server = new Setting()
                    .on(make)
                    .sharing(HttpCollapseOptions.builder().maxBodySize(5))
                    .behind(JOINING, BEGINNING)
                    .start(writing(parts))) {
                assertThat(server.assertForwarded(HeldHandler.get()))
                        .allMatch(response -> response.body().equals("<" + "0123456789".repeat(parts)));
            }
        }
    }

    /** A server is busy with what the filter has written when the handler's only part comes. */
    @ParameterizedTest
    @EnumSource
    void H38_theOnlyPartOfAStreamComesWhenTheServerAsksForIt(ReactiveServer.Make make) throws Exception {
        try (HeldHandler server = new Setting()
                .on(make)
                .behind(BEGINNING)
                .start(exchange -> exchange.getResponse()
                        .writeAndFlushWith(
                                Flux.just(Flux.defer(() -> Flux.just(HeldHandler.buffer(exchange, LARGE))))))) {
            server.release();
            for (int i = 0; i < STREAMS; i++) {
                Response response = server.send(HeldHandler.get("/" + i)).response("GET");
                assertThat(response.status()).isEqualTo(200);
                assertThat(response.body()).isEqualTo("<" + LARGE);
            }
        }
    }
}
