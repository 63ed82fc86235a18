package io.github.collapseexecutor.http.webflux;

import static io.github.collapseexecutor.http.fixture.Callers.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.reactivestreams.Subscriber;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import org.springframework.web.server.handler.ResponseStatusExceptionHandler;
import reactor.core.publisher.Mono;

/** A reactive server whose handler is held until a test releases it, behind a collapsing filter or without one. */
final class HeldHandler implements AutoCloseable {

    static final int FOLLOWERS = 8;

    /** What to start; each test changes what it is about. */
    static final class Setting {

        private ReactiveServer.Make make = ReactiveServer.Make.NETTY;
        private CollapsePolicy policy = CollapsePolicy.strict();
        private CollapseOptions core = IN_FLIGHT;
        private HttpCollapseOptions.Builder http = HttpCollapseOptions.builder();
        private List<WebFilter> front = List.of();
        private UnaryOperator<WebHttpHandlerBuilder> server = builder -> builder;
        private boolean collapses = true;
        private boolean http2;
        private String[] paths = {"/**"};

        Setting on(ReactiveServer.Make newMake) {
            make = newMake;
            return this;
        }

        Setting by(CollapsePolicy newPolicy) {
            policy = newPolicy;
            return this;
        }

        Setting gathering(CollapseOptions newCore) {
            core = newCore;
            return this;
        }

        Setting sharing(HttpCollapseOptions.Builder newHttp) {
            http = newHttp;
            return this;
        }

        Setting behind(WebFilter... filters) {
            front = List.of(filters);
            return this;
        }

        Setting server(UnaryOperator<WebHttpHandlerBuilder> change) {
            server = change;
            return this;
        }

        Setting withoutCollapsing() {
            collapses = false;
            return this;
        }

        /** On a Tomcat that also speaks HTTP/2. */
        Setting speakingHttp2() {
            http2 = true;
            return this;
        }

        Setting of(String... newPaths) {
            paths = newPaths;
            return this;
        }

        HeldHandler start(WebHandler handler) {
            return new HeldHandler(this, handler);
        }
    }

    // immutable
    private final ReactiveServer server;
    private final HttpCollapseControl control = new HttpCollapseControl();
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    // mutable, thread-safe
    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    /** Requests that have got to the handler or to another's, or have been refused before. */
    final AtomicInteger arrivals = new AtomicInteger();

    final AtomicInteger left = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger submitted = new AtomicInteger();
    private final List<RawClient> clients = new ArrayList<>();

    private HeldHandler(Setting setting, WebHandler handler) {
        WebHttpHandlerBuilder builder = WebHttpHandlerBuilder.webHandler(exchange -> held(handler, exchange));
        builder.exceptionHandler(new ResponseStatusExceptionHandler());
        builder.filter((exchange, chain) -> submitting(chain.filter(exchange), arrivals));
        setting.front.forEach(builder::filter);
        if (setting.collapses) {
            HttpCollapseOptions http = setting.http
                    .control(control)
                    .rules(List.of(CollapseRule.of(setting.policy, setting.paths)))
                    .build();
            CollapseWebFilter filter = new CollapseWebFilter(http, setting.core);
            builder.filter((exchange, chain) -> counted(filter.filter(exchange, chain)));
        } else {
            builder.filter((exchange, chain) -> counted(chain.filter(exchange)));
        }
        HttpHandler built = setting.server.apply(builder).build();
        this.server = setting.http2 ? ReactiveServer.http2(built) : setting.make.start(built);
    }

    private Mono<Void> counted(Mono<Void> filtered) {
        return submitting(filtered.doOnCancel(left::incrementAndGet).doOnTerminate(ended::incrementAndGet), submitted);
    }

    /** Counts when the rest of the chain has been asked, and so the request has got to the handler or to another's. */
    static Mono<Void> submitting(Mono<Void> filtered, AtomicInteger counter) {
        return Mono.from((Subscriber<? super Void> subscriber) -> {
            filtered.subscribe(subscriber);
            counter.incrementAndGet();
        });
    }

    private Mono<Void> held(WebHandler handler, ServerWebExchange exchange) {
        runs.incrementAndGet();
        return Mono.fromFuture(released, true)
                .doOnCancel(cancelled::incrementAndGet)
                .then(Mono.defer(() -> handler.handle(exchange)));
    }

    /** Requests that are gathered or wait for a handler, their own or another's. */
    int callers() {
        return control.counts().callers();
    }

    int port() {
        return server.port();
    }

    static Request get() {
        return get("/a");
    }

    static Request get(String path) {
        return Request.get(URI.create("http://localhost" + path));
    }

    /** Writes a body whose length is known. */
    static Mono<Void> write(ServerWebExchange exchange, String text) {
        ServerHttpResponse response = exchange.getResponse();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        response.getHeaders().setContentLength(bytes.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(bytes)));
    }

    /** Returns a buffer of the server that holds this text, for handlers that write more than one. */
    static DataBuffer buffer(ServerWebExchange exchange, String text) {
        DataBuffer buffer = exchange.getResponse().bufferFactory().allocateBuffer(64);
        return buffer.write(text.getBytes(StandardCharsets.UTF_8));
    }

    static void await(BooleanSupplier condition) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition::getAsBoolean);
    }

    RawClient send(Request request) throws IOException {
        RawClient client = RawClient.send(server.port(), request);
        clients.add(client);
        return client;
    }

    /** Sends a request, and returns when it waits for the handler, be it its own or another's. */
    RawClient arrived(Request request) throws IOException {
        int before = submitted.get();
        RawClient client = send(request);
        await(() -> submitted.get() > before);
        return client;
    }

    /** A leader whose handler is held, and followers. */
    List<RawClient> gathered(Request request) throws IOException {
        List<RawClient> all = new ArrayList<>();
        for (int i = 0; i <= FOLLOWERS; i++) {
            all.add(arrived(request));
        }
        return all;
    }

    /** Lets this and every later run of the handler go on. */
    void release() {
        released.complete(null);
    }

    List<Response> responses(Request request, List<RawClient> all) throws IOException {
        release();
        List<Response> responses = new ArrayList<>();
        for (RawClient client : all) {
            responses.add(client.response(request.method()));
        }
        return responses;
    }

    /** All get what one run of the handler wrote. */
    List<Response> assertShared(Request request) throws IOException {
        List<Response> responses = responses(request, gathered(request));
        assertThat(runs).hasValue(1);
        assertThat(responses)
                .extracting(response -> response.status() + response.body())
                .containsOnly(responses.get(0).status() + responses.get(0).body());
        return responses;
    }

    /** Each request runs the handler, when it is known that the response of the first one is for that one only. */
    List<Response> assertForwarded(Request request) throws IOException {
        List<RawClient> all = gathered(request);
        assertThat(runs).as("requests that run the handler at once").hasValue(1);
        List<Response> responses = responses(request, all);
        assertThat(runs).hasValue(1 + FOLLOWERS);
        return responses;
    }

    /** Each request runs the handler at once. */
    List<Response> assertApart(Request... requests) throws IOException {
        List<RawClient> all = new ArrayList<>();
        for (Request request : requests) {
            all.add(arrived(request));
        }
        assertThat(runs).hasValue(requests.length);
        return responses(requests[0], all);
    }

    @Override
    public void close() throws IOException {
        release();
        for (RawClient client : clients) {
            client.close();
        }
        server.close();
    }
}
