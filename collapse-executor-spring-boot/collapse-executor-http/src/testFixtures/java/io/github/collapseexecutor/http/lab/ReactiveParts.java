package io.github.collapseexecutor.http.lab;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.DigestUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The filters of the lab on Spring's reactive server. */
final class ReactiveParts {

    private ReactiveParts() {}

    /** A filter that does something to an exchange when it comes. */
    private interface Front {

        void before(ServerWebExchange exchange, String user);
    }

    private static WebFilter front(Front front) {
        return (exchange, chain) -> {
            front.before(exchange, exchange.getRequest().getHeaders().getFirst("X-User"));
            return chain.filter(exchange);
        };
    }

    static WebFilter of(LabFilter filter) {
        return switch (filter) {
            case NAMES_THE_USER ->
                front((exchange, user) -> {
                    exchange.getResponse().getHeaders().add("X-Front", user);
                    exchange.getResponse().getHeaders().add("Vary", "X-Front-Vary");
                });
            case CACHE_CONTROL ->
                front((exchange, user) ->
                        exchange.getResponse().getHeaders().set("Cache-Control", "no-cache, no-store"));
            case COOKIE ->
                front((exchange, user) -> exchange.getResponse()
                        .addCookie(ResponseCookie.from("front", user).build()));
            case READS_THE_FORM ->
                (exchange, chain) -> exchange.getFormData().flatMap(form -> {
                    exchange.getResponse().getHeaders().add("X-Form", String.valueOf(form.getFirst("form")));
                    return chain.filter(exchange);
                });
            case CHARSET, CONTENT_TYPE ->
                front((exchange, user) -> exchange.getResponse()
                        .getHeaders()
                        .setContentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.ISO_8859_1)));
            case CHANGES_THE_REQUEST ->
                (exchange, chain) -> chain.filter(exchange.mutate()
                        .request(request -> request.header(
                                ServletParts.ADDED,
                                "added-" + exchange.getRequest().getHeaders().getFirst("X-User")))
                        .build());
            case ATTRIBUTE -> front((exchange, user) -> exchange.getAttributes().put(ServletParts.ATTRIBUTE, user));
            case TRANSLATES_FAILURES ->
                (exchange, chain) -> chain.filter(exchange).onErrorResume(LabFailure.class, failure -> {
                    if (!exchange.getResponse().setStatusCode(HttpStatusCode.valueOf(422))) {
                        return Mono.error(failure);
                    }
                    return exchange.getResponse().setComplete();
                });
            case LATE_HEADER ->
                front((exchange, user) -> exchange.getResponse().beforeCommit(() -> {
                    exchange.getResponse().getHeaders().add("X-Late", user);
                    return Mono.empty();
                }));
            case ETAG ->
                changing((response, body) -> {
                    response.getHeaders().setETag('"' + DigestUtils.md5DigestAsHex(body) + '"');
                    return body;
                });
            case HOLDS_THE_BODY -> changing((response, body) -> body);
            case BEGINS_WHEN_ASKED, BEGINS_EACH_TIME, GZIP_WHEN_ASKED -> beginning();
            case WRITES_TEXT_FIRST, WRITES_BYTES_FIRST, WRAPS, FORWARDS, FORWARDS_BY_NAME, INCLUDES, INCLUDES_BY_NAME ->
                throw new IllegalArgumentException(filter + " is of the Servlet API");
            case GZIP, UPPER_CASE ->
                changing((response, body) -> {
                    byte[] changed = new String(body, StandardCharsets.UTF_8)
                            .toUpperCase(Locale.ROOT)
                            .getBytes(StandardCharsets.UTF_8);
                    response.getHeaders().setContentLength(changed.length);
                    return changed;
                });
        };
    }

    /** Writes something of its own as soon as a body begins. */
    private static WebFilter beginning() {
        return (exchange, chain) -> {
            ServerHttpResponse own = exchange.getResponse();
            Mono<DataBuffer> first =
                    Mono.fromSupplier(() -> own.bufferFactory().wrap("<".getBytes(StandardCharsets.UTF_8)));
            return chain.filter(exchange.mutate()
                    .response(new ServerHttpResponseDecorator(own) {
                        @Override
                        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
                            return super.writeWith(Flux.concat(first, body));
                        }

                        @Override
                        public Mono<Void> writeAndFlushWith(
                                Publisher<? extends Publisher<? extends DataBuffer>> parts) {
                            return super.writeAndFlushWith(Flux.concat(Mono.just(first), parts));
                        }
                    })
                    .build());
        };
    }

    /** Changes a body that it holds back. */
    private interface Change {

        byte[] of(ServerHttpResponse response, byte[] body);
    }

    private static WebFilter changing(Change change) {
        return (exchange, chain) -> {
            ServerHttpResponse own = exchange.getResponse();
            return chain.filter(exchange.mutate()
                    .response(new ServerHttpResponseDecorator(own) {
                        @Override
                        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
                            return super.writeWith(DataBufferUtils.join(Flux.from(body))
                                    .map(joined -> {
                                        byte[] bytes = new byte[joined.readableByteCount()];
                                        joined.read(bytes);
                                        DataBufferUtils.release(joined);
                                        return own.bufferFactory().wrap(change.of(own, bytes));
                                    }));
                        }

                        @Override
                        public Mono<Void> writeAndFlushWith(
                                Publisher<? extends Publisher<? extends DataBuffer>> parts) {
                            return writeWith(Flux.from(parts).concatMap(part -> part));
                        }
                    })
                    .build());
        };
    }
}
