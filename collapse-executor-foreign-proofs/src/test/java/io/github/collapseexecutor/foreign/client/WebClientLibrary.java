package io.github.collapseexecutor.foreign.client;

import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.github.resilience4j.reactor.circuitbreaker.operator.CircuitBreakerOperator;
import io.github.resilience4j.reactor.retry.RetryOperator;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFilterFunctions;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import org.zalando.logbook.spring.webflux.LogbookExchangeFilterFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.util.context.Context;
import reactor.util.retry.Retry;

/** WebClient and HTTP interfaces, over each connector, with filters on both sides of the adapter. */
final class WebClientLibrary implements Library {

    /** An HTTP interface, with return types of every kind. */
    interface Texts {

        @GetExchange
        Mono<ResponseEntity<Flux<DataBuffer>>> buffers(URI uri, @RequestHeader("Authorization") String user);

        @GetExchange
        Mono<ResponseEntity<String>> text(URI uri, @RequestHeader("Authorization") String user);

        @GetExchange
        Mono<ResponseEntity<Void>> nothing(URI uri, @RequestHeader("Authorization") String user);

        @GetExchange
        Mono<HttpHeaders> headers(URI uri, @RequestHeader("Authorization") String user);
    }

    /** Jetty's connector is not among them: it loses a connection that is reset, with collapsing or without. */
    private enum Transport {
        NETTY,
        NETTY_COMPRESSED,
        JDK
    }

    private enum Form {
        EXCHANGE,
        RETRIEVE,
        INTERFACE
    }

    private static final int CONNECTIONS = 100;
    private static final Duration LONG = Duration.ofSeconds(60);

    private static final List<Layer<WebClient.Builder>> LAYERS = List.of(
            filter("logbook", new LogbookExchangeFilterFunction(Logs.withBodies())),
            filter(
                    "breaker of resilience4j",
                    (request, next) ->
                            next.exchange(request).transformDeferred(CircuitBreakerOperator.of(Resilience.closed()))),
            filter(
                    "retry of resilience4j",
                    (request, next) -> next.exchange(request).transformDeferred(RetryOperator.of(Resilience.retry()))),
            filter(
                    "retry of Reactor",
                    (request, next) -> next.exchange(request)
                            .retryWhen(Retry.max(1)
                                    .filter(java.io.IOException.class::isInstance)
                                    .onRetryExhaustedThrow((all, signal) -> signal.failure()))),
            filter(
                    "time-out of Reactor",
                    (request, next) -> next.exchange(request).timeout(LONG)),
            filter("limited", ExchangeFilterFunctions.limitResponseSize(1_000_000)),
            filter(
                    "user of the context",
                    (request, next) -> Mono.deferContextual(context -> next.exchange(ClientRequest.from(request)
                            .headers(headers -> headers.setBearerAuth(context.get("user")))
                            .build()))));

    private static Layer<WebClient.Builder> filter(String name, ExchangeFilterFunction filter) {
        return new Layer<>(name, builder -> builder.filter(filter));
    }

    @Override
    public Asker make(Draw draw) {
        Closing closing = new Closing();
        ClientHttpConnector connector = connector(draw.pick(List.of(Transport.values())), closing);
        Form form = draw.pick(List.of(Form.values()));
        boolean below = draw.oneOf(2, "connector");
        Traces traces = draw.oneOf(3, "traced") ? new Traces(draw.pick(List.of(Traces.Bridge.values()))) : null;
        CollapseExchangeFilterFunction ours = new CollapseExchangeFilterFunction(draw.http(), draw.core());
        WebClient.Builder builder = WebClient.builder();
        builder.clientConnector(draw.collapses() && below ? ours.around(connector) : connector);
        builder.codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(-1));
        draw.layers("in front", LAYERS).forEach(layer -> layer.add().accept(builder));
        if (draw.collapses() && !below) {
            builder.filter(ours);
        }
        if (draw.oneOf(3, "something behind")) {
            draw.layers("behind", LAYERS).forEach(layer -> layer.add().accept(builder));
        }
        if (traces != null) {
            builder.observationRegistry(traces.registry());
        }
        WebClient client = builder.build();
        Texts texts = HttpServiceProxyFactory.builderFor(WebClientAdapter.create(client))
                .build()
                .createClient(Texts.class);
        return new OfWebClient(client, texts, form, traces, closing);
    }

    private static ClientHttpConnector connector(Transport transport, Closing closing) {
        return switch (transport) {
            case NETTY, NETTY_COMPRESSED -> {
                Connections counts = new Connections();
                ConnectionProvider connections = ConnectionProvider.builder("foreign")
                        .maxConnections(CONNECTIONS)
                        .pendingAcquireMaxCount(-1)
                        .metrics(true, () -> counts)
                        .build();
                closing.add(connections::dispose);
                closing.counting(counts::inUse);
                yield new ReactorClientHttpConnector(
                        HttpClient.create(connections).compress(transport == Transport.NETTY_COMPRESSED));
            }
            case JDK -> new JdkClientHttpConnector(JdkLibrary.http1());
        };
    }

    /** Netty's pool, which tells how many connections are in use. */
    private static final class Connections implements ConnectionProvider.MeterRegistrar {

        // mutable, thread-safe
        private final List<reactor.netty.resources.ConnectionPoolMetrics> pools =
                new java.util.concurrent.CopyOnWriteArrayList<>();

        int inUse() {
            return pools.stream()
                    .mapToInt(reactor.netty.resources.ConnectionPoolMetrics::acquiredSize)
                    .sum();
        }

        @Override
        public void registerMetrics(
                String poolName,
                String id,
                java.net.SocketAddress remoteAddress,
                reactor.netty.resources.ConnectionPoolMetrics metrics) {
            pools.add(metrics);
        }

        @Override
        public void deRegisterMetrics(String poolName, String id, java.net.SocketAddress remoteAddress) {}
    }

    private record OfWebClient(
            WebClient client,
            Texts texts,
            Form form,
            @Nullable Traces traces,
            Closing closing) implements Asker {

        @Override
        public void ask(URI uri, Reply reply) throws Exception {
            if (traces == null) {
                ask(uri, reply, Context.empty());
            } else {
                traces.ask(reply, caller -> ask(uri, reply, Context.of(ObservationThreadLocalAccessor.KEY, caller)));
            }
        }

        private void ask(URI uri, Reply reply, Context context) {
            String user = reply.question().user();
            Mono<Void> asked = switch (form) {
                case EXCHANGE ->
                    client.get()
                            .uri(uri)
                            .header("Authorization", "Bearer " + user)
                            .exchangeToMono(response -> read(response, reply));
                case RETRIEVE -> retrieved(uri, user, reply);
                case INTERFACE -> byInterface(uri, "Bearer " + user, reply);
            };
            try {
                asked.contextWrite(context.put("user", user)).block(LONG);
            } catch (WebClientResponseException e) {
                told(e, reply);
            }
        }

        private static void told(WebClientResponseException e, Reply reply) {
            reply.status(e.getStatusCode().value());
            e.getHeaders().forEach((name, values) -> reply.header(name, values.toString()));
            reply.text(e.getResponseBodyAsString());
        }

        private Mono<Void> retrieved(URI uri, String user, Reply reply) {
            WebClient.ResponseSpec spec = client.get()
                    .uri(uri)
                    .header("Authorization", "Bearer " + user)
                    .retrieve();
            return switch (reply.question().reading()) {
                case TEXT ->
                    spec.toEntity(String.class)
                            .doOnNext(entity -> text(entity, reply))
                            .then();
                case HEAD ->
                    spec.toBodilessEntity()
                            .doOnNext(entity -> head(entity, reply))
                            .then();
                case WHOLE ->
                    spec.toEntity(byte[].class)
                            .doOnNext(entity -> {
                                head(entity, reply);
                                reply.bytes(entity.getBody() == null ? new byte[0] : entity.getBody());
                            })
                            .then();
                default -> spec.toEntityFlux(DataBuffer.class).flatMap(entity -> flux(entity, reply));
            };
        }

        private Mono<Void> byInterface(URI uri, String user, Reply reply) {
            return switch (reply.question().reading()) {
                case TEXT ->
                    texts.text(uri, user)
                            .doOnNext(entity -> text(entity, reply))
                            .then();
                case HEAD ->
                    texts.nothing(uri, user)
                            .doOnNext(entity -> head(entity, reply))
                            .then();
                default -> texts.buffers(uri, user).flatMap(entity -> flux(entity, reply));
            };
        }

        private static void head(ResponseEntity<?> entity, Reply reply) {
            reply.status(entity.getStatusCode().value());
            entity.getHeaders().forEach((name, values) -> reply.header(name, values.toString()));
        }

        private static void text(ResponseEntity<String> entity, Reply reply) {
            head(entity, reply);
            reply.text(entity.getBody());
        }

        private static Mono<Void> flux(ResponseEntity<Flux<DataBuffer>> entity, Reply reply) {
            head(entity, reply);
            Flux<DataBuffer> body = entity.getBody();
            return body == null ? Mono.empty() : buffers(body, reply);
        }

        private static Mono<Void> read(ClientResponse response, Reply reply) {
            reply.status(response.statusCode().value());
            response.headers().asHttpHeaders().forEach((name, values) -> reply.header(name, values.toString()));
            return switch (reply.question().reading()) {
                case HEAD -> Mono.empty();
                case TEXT ->
                    response.bodyToMono(String.class).doOnNext(reply::text).then();
                default -> buffers(response.bodyToFlux(DataBuffer.class), reply);
            };
        }

        private static Mono<Void> buffers(Flux<DataBuffer> body, Reply reply) {
            return body.takeUntil(buffer -> {
                        byte[] bytes = new byte[buffer.readableByteCount()];
                        buffer.read(bytes);
                        DataBufferUtils.release(buffer);
                        reply.bytes(bytes);
                        return reply.hasEnough();
                    })
                    .then();
        }

        @Override
        public int connectionsInUse() {
            return closing.inUse();
        }

        @Override
        public void close() {
            closing.close();
        }
    }
}
