package io.github.collapseexecutor.http.lab;

import io.github.collapseexecutor.http.lab.LabHandler.Kind;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Does what a handler of the lab does, on Spring's reactive server: first what it says of the head, then it gives its body in parts. */
final class ReactiveHandler {

    // immutable
    private final LabHandler handler;

    ReactiveHandler(LabHandler handler) {
        this.handler = handler;
    }

    private static LabStep.Values valuesOf(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        return name -> switch (name) {
            case "user" -> shown(request.getHeaders().getFirst("X-User"));
            case "query" -> shown(request.getURI().getRawQuery());
            case "q" -> shown(request.getQueryParams().getFirst("q"));
            case "language" -> shown(request.getHeaders().getFirst("Accept-Language"));
            case "token" -> shown(request.getHeaders().getFirst("Authorization"));
            case "added" -> shown(request.getHeaders().getFirst(ServletParts.ADDED));
            case "attribute" -> shown(exchange.getAttributes().get(ServletParts.ATTRIBUTE));
            case "method" -> request.getMethod().name();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String shown(Object value) {
        return Objects.toString(value, "none").replaceAll("[^\\w=&;-]", ".");
    }

    Mono<Void> handle(ServerWebExchange exchange, CompletableFuture<Void> gathered) {
        Mono<Void> start = Mono.fromFuture(gathered, true);
        if (handler.kind() == Kind.LATER) {
            start = start.publishOn(Schedulers.parallel());
        }
        return start.then(Mono.defer(() -> {
            LabPauses.maybe();
            return run(exchange);
        }));
    }

    private Mono<Void> run(ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        List<List<String>> parts = new ArrayList<>(List.of(new ArrayList<>()));
        boolean flushes = false;
        boolean reads = false;
        RuntimeException failure = null;
        LabStep.Values values = valuesOf(exchange);
        for (LabStep step : handler.steps()) {
            String text = step.textFor(values);
            switch (step.what()) {
                case WRITE_TEXT, WRITE_BYTES -> parts.get(parts.size() - 1).add(text);
                case FLUSH, FLUSH_BODY -> {
                    flushes = true;
                    parts.add(new ArrayList<>());
                }
                case READ_BODY -> reads = true;
                case RESET, RESET_BUFFER -> {
                    parts.clear();
                    parts.add(new ArrayList<>());
                }
                case CLOSE, CLOSE_WRITER -> {
                    return response.setComplete();
                }
                case REDIRECT -> {
                    response.setStatusCode(HttpStatusCode.valueOf(302));
                    response.getHeaders().setLocation(URI.create(text));
                    return response.setComplete();
                }
                case SEND_ERROR -> failure = new ResponseStatusException(HttpStatusCode.valueOf(step.number()));
                case THROW_CHECKED -> throw new LabFailure(text);
                case THROW_UNCHECKED -> failure = new LabFailure(text);
                case SESSION -> {
                    return exchange.getSession()
                            .doOnNext(session -> session.getAttributes().put("lab", text))
                            .then(Mono.defer(response::setComplete));
                }
                case VALIDATE -> {
                    if (exchange.checkNotModified(step.text())) {
                        return response.setComplete();
                    }
                }
                default -> head(step, text, response);
            }
        }
        Body body = new Body(parts, flushes, failure);
        return reads
                ? exchange.getRequest()
                        .getBody()
                        .doOnNext(DataBufferUtils::release)
                        .then(Mono.defer(() -> write(response, body)))
                : write(response, body);
    }

    /**
     * What a handler gives after the head.
     *
     * @param parts the texts between two flushes each
     * @param flushes whether it says when to flush
     * @param failure what comes in place of the end, or null
     */
    private record Body(
            List<List<String>> parts,
            boolean flushes,
            @Nullable RuntimeException failure) {}

    private Mono<Void> write(ServerHttpResponse response, Body body) {
        List<List<String>> parts = body.parts();
        RuntimeException failure = body.failure();
        if (failure == null && parts.stream().allMatch(List::isEmpty)) {
            return response.setComplete();
        }
        boolean slow = handler.kind() == Kind.IN_TWO_PARTS;
        List<Flux<DataBuffer>> bodies = new ArrayList<>();
        for (List<String> texts : parts) {
            Flux<DataBuffer> part = Flux.fromIterable(texts).map(text -> {
                LabPauses.maybe();
                return response.bufferFactory().wrap(text.getBytes(StandardCharsets.UTF_8));
            });
            bodies.add(slow ? part.publishOn(Schedulers.parallel()) : part);
        }
        if (failure != null) {
            bodies.add(Flux.error(failure));
        }
        if (body.flushes()) {
            return response.writeAndFlushWith(Flux.fromIterable(bodies));
        }
        Flux<DataBuffer> joined = Flux.concat(bodies);
        boolean single = failure == null && parts.size() == 1 && parts.get(0).size() == 1;
        return response.writeWith(single ? joined.next() : joined);
    }

    private static void head(LabStep step, String text, ServerHttpResponse response) {
        switch (step.what()) {
            case STATUS -> response.setStatusCode(HttpStatusCode.valueOf(step.number()));
            case SET_HEADER -> response.getHeaders().set(step.name(), text);
            case ADD_HEADER -> response.getHeaders().add(step.name(), text);
            case CONTENT_TYPE -> response.getHeaders().set("Content-Type", text);
            case CHARSET ->
                response.getHeaders().setContentType(new MediaType(MediaType.TEXT_PLAIN, Charset.forName(text)));
            case LOCALE -> response.getHeaders().setContentLanguage(Locale.forLanguageTag(text));
            case LENGTH, BUFFER_SIZE -> {
                // a length that is wrong breaks the connection, and there is no buffer
            }
            case COOKIE ->
                response.addCookie(ResponseCookie.from(step.name(), text).build());
            default -> throw new AssertionError(step);
        }
    }
}
