package io.github.collapseexecutor.http.webflux;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.Callers.AsyncCall;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.ErrorResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A reactive server whose handler asks the scripted origin, so that the suites for clients hold for it: a run of the handler is a
 * request at the origin.
 */
final class ReactiveGateway implements AutoCloseable {

    /** Headers of the browser do not tell requests apart; these say which test client and which of its calls it is. */
    private static final String CLIENT = "Sec-Test-Client";

    private static final String CALL = "Sec-Test-Call";

    private static final Set<String> OF_CONNECTION = Set.of("connection", "keep-alive", "x-hop", "transfer-encoding");

    // immutable
    private final ReactiveServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "origin-call");
        thread.setDaemon(true);
        return thread;
    });
    private final Scheduler origin = Schedulers.fromExecutorService(threads);

    // mutable, thread-safe
    private final Map<String, CollapseWebFilter> filters = new ConcurrentHashMap<>();
    private final Map<String, AsyncCall> calls = new ConcurrentHashMap<>();
    private final AtomicInteger names = new AtomicInteger();

    private ReactiveGateway(ReactiveServer.Make make) {
        HttpHandler handler = WebHttpHandlerBuilder.webHandler(this::handle)
                .filter(this::filter)
                .exceptionHandler((exchange, failure) -> error(exchange, failure))
                .build();
        this.server = make.start(handler);
    }

    static ReactiveGateway on(ReactiveServer.Make make) {
        return new ReactiveGateway(make);
    }

    @Override
    public void close() {
        server.close();
        threads.shutdownNow();
    }

    TestClient client(HttpCollapseOptions http, CollapseOptions core) {
        String client = Integer.toString(names.incrementAndGet());
        filters.put(client, new CollapseWebFilter(http, core));
        return request -> {
            String name = Integer.toString(names.incrementAndGet());
            try (AsyncCall call = AsyncCall.begin()) {
                calls.put(name, call);
                return RawClient.call(
                        server.port(), request.with(CLIENT, client).with(CALL, name));
            } finally {
                calls.remove(name);
            }
        };
    }

    private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        String client = exchange.getRequest().getHeaders().getFirst(CLIENT);
        Mono<Void> filtered = filters.get(client).filter(exchange, chain);
        return Mono.from(subscriber -> {
            filtered.subscribe(subscriber);
            AsyncCall call = callOf(exchange.getRequest());
            if (call != null) {
                call.submitted();
            }
        });
    }

    /** As Spring answers a failed handler, but without a line in the log for each. */
    private static Mono<Void> error(ServerWebExchange exchange, Throwable failure) {
        boolean open = exchange.getResponse()
                .setStatusCode(
                        failure instanceof ErrorResponse error
                                ? error.getStatusCode()
                                : HttpStatus.INTERNAL_SERVER_ERROR);
        return open ? exchange.getResponse().setComplete() : Mono.error(failure);
    }

    private AsyncCall callOf(ServerHttpRequest request) {
        String name = request.getHeaders().getFirst(CALL);
        return name == null ? null : calls.get(name);
    }

    private Mono<Void> handle(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        AsyncCall call = callOf(request);
        if (call != null) {
            call.sent();
        }
        TestClient.Request asked = TestClient.Request.of(
                request.getMethod().name(), URI.create(request.getURI().toString()));
        for (Map.Entry<String, List<String>> header : request.getHeaders().headerSet()) {
            String name = header.getKey();
            if (!name.equalsIgnoreCase("Host") && !name.equalsIgnoreCase("Content-Length")) {
                for (String value : header.getValue()) {
                    asked = asked.with(name, value);
                }
            }
        }
        TestClient.Request toOrigin = asked;
        return Mono.fromCallable(() -> answerOfOrigin(toOrigin))
                .subscribeOn(origin)
                .flatMap(answer -> write(answer, exchange.getResponse()));
    }

    private static Mono<Void> write(TestClient.Response answer, ServerHttpResponse response) {
        response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
        answer.headers().forEach((name, values) -> {
            if (!OF_CONNECTION.contains(name)) {
                values.forEach(value -> response.getHeaders().add(name, value));
            }
        });
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        if (body.length > 0) {
            response.getHeaders().setContentLength(body.length); // as Spring's own writers do
        }
        return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
    }

    private static TestClient.Response answerOfOrigin(TestClient.Request asked) {
        try {
            return RawClient.call(asked.uri().getPort(), asked);
        } catch (IOException e) {
            throw new OriginFailedException(e);
        }
    }

    /** What a handler fails with when its origin fails it; without a stack trace, because servers log it each time. */
    private static final class OriginFailedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        OriginFailedException(IOException failure) {
            super("The origin failed", failure, false, false);
        }
    }
}
