package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.lab.LabCall.Reading;
import io.github.collapseexecutor.http.reactive.CollapseClientHttpConnector;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import java.util.Objects;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Spring's reactive client, which collapses by a filter or by its connector. */
final class WebClientAsking {

    private WebClientAsking() {}

    static LabClients.ClientsOfLibrary over(ClientHttpConnector transport) {
        return (setup, collapses) -> {
            WebClient.Builder builder = WebClient.builder()
                    .clientConnector(transport)
                    .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(-1));
            if (collapses && setup.client().otherPlace()) {
                builder.clientConnector(
                        new CollapseClientHttpConnector(transport, LabOptions.http(setup), LabOptions.core(setup)));
            } else if (collapses) {
                builder.filter(new CollapseExchangeFilterFunction(LabOptions.http(setup), LabOptions.core(setup)));
            }
            WebClient client = builder.build();
            return (uri, call, arrives) -> {
                ClientReply reply = new ClientReply(call);
                WebClient.RequestBodySpec spec =
                        client.method(HttpMethod.valueOf(call.method())).uri(uri);
                call.headers().forEach(header -> spec.header(header.getKey(), header.getValue()));
                if (!call.body().isEmpty()) {
                    spec.bodyValue(call.body());
                }
                Mono<Void> asked = call.reading() == Reading.TEXT
                        ? text(spec, reply)
                        : spec.exchangeToMono(response -> read(response, call, reply));
                var ended = asked.then(Mono.fromCallable(reply::ended))
                        .onErrorResume(failure -> Mono.just(reply.failed(failure)))
                        .toFuture();
                arrives.run();
                return ended;
            };
        };
    }

    private static Mono<Void> text(WebClient.RequestBodySpec spec, ClientReply reply) {
        return spec.retrieve()
                .toEntity(String.class)
                .doOnNext(response -> {
                    reply.status(response.getStatusCode().value(), "");
                    headers(response.getHeaders(), reply);
                    reply.text(Objects.toString(response.getBody()));
                })
                .doOnError(WebClientResponseException.class, e -> {
                    reply.status(e.getStatusCode().value(), e.getStatusText());
                    headers(e.getHeaders(), reply);
                    reply.text(e.getResponseBodyAsString());
                })
                .then();
    }

    private static Mono<Void> read(ClientResponse response, LabCall call, ClientReply reply) {
        reply.status(response.statusCode().value(), "");
        headers(response.headers().asHttpHeaders(), reply);
        if (call.reading() == Reading.HEAD) {
            return response.releaseBody();
        }
        Flux<DataBuffer> body = response.bodyToFlux(DataBuffer.class);
        return (call.reading() == Reading.BEGINNING ? body.take(1) : body)
                .doOnNext(buffer -> {
                    byte[] bytes = new byte[call.reading() == Reading.BEGINNING ? 1 : buffer.readableByteCount()];
                    buffer.read(bytes);
                    reply.bytes(bytes);
                    DataBufferUtils.release(buffer);
                })
                .then();
    }

    private static void headers(HttpHeaders headers, ClientReply reply) {
        reply.headers(headers::forEach);
    }
}
