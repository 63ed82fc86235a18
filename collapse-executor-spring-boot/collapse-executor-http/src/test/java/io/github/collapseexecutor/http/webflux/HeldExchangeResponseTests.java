package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A filter in front may decorate a response, and hold what a handler says by a single method until the body begins, or show it to nobody. Callers get
 * what they get without collapsing, and what a handler says of privacy counts. Every method of Spring's API that runs is tried, or is left out for a
 * reason.
 */
@OnEachLine
class HeldExchangeResponseTests {

    private static final int CALLERS = 3;

    private static final Map<String, Set<String>> LEFT_OUT = Map.of(
            "they begin the body",
            Set.of("writeWith", "writeAndFlushWith", "setComplete"),
            "another method tells the same",
            Set.of("getRawStatusCode"));

    /** A response of which some methods are held until the body begins, or show nothing. */
    private static final class Held extends ServerHttpResponseDecorator {

        // immutable
        private final Predicate<String> methods;
        private final HttpHeaders ownHeaders = new HttpHeaders();
        private final MultiValueMap<String, ResponseCookie> ownCookies = new LinkedMultiValueMap<>();

        // mutable, confined to the handler's signals
        private final List<Runnable> held = new ArrayList<>();

        Held(ServerHttpResponse response, Predicate<String> methods) {
            super(response);
            this.methods = methods;
        }

        private boolean holds(String name, Runnable later) {
            boolean holds = methods.test(name);
            if (holds) {
                held.add(later);
            }
            return holds;
        }

        private void release() {
            if (super.isCommitted()) {
                return;
            }
            List<Runnable> all = List.copyOf(held);
            held.clear();
            all.forEach(Runnable::run);
            super.beforeCommit(() -> Mono.fromRunnable(this::show)); // behind what the handler does then
        }

        private void show() {
            ownHeaders.forEach((name, values) -> super.getHeaders().put(name, new ArrayList<>(values)));
            ownCookies.forEach((name, values) -> values.forEach(super::addCookie));
        }

        @Override
        public boolean setStatusCode(@Nullable HttpStatusCode status) {
            return holds("setStatusCode", () -> super.setStatusCode(status)) || super.setStatusCode(status);
        }

        @Override
        public boolean setRawStatusCode(@Nullable Integer status) {
            return holds("setRawStatusCode", () -> super.setRawStatusCode(status)) || super.setRawStatusCode(status);
        }

        @Override
        public @Nullable HttpStatusCode getStatusCode() {
            return methods.test("getStatusCode") ? null : super.getStatusCode();
        }

        @Override
        public HttpHeaders getHeaders() {
            return methods.test("getHeaders") ? ownHeaders : super.getHeaders();
        }

        @Override
        public MultiValueMap<String, ResponseCookie> getCookies() {
            return methods.test("getCookies") ? ownCookies : super.getCookies();
        }

        @Override
        public void addCookie(ResponseCookie cookie) {
            if (!holds("addCookie", () -> super.addCookie(cookie))) {
                super.addCookie(cookie);
            }
        }

        @Override
        public void beforeCommit(Supplier<? extends Mono<Void>> action) {
            if (!holds("beforeCommit", () -> super.beforeCommit(action))) {
                super.beforeCommit(action);
            }
        }

        @Override
        public boolean isCommitted() {
            return !methods.test("isCommitted") && super.isCommitted();
        }

        @Override
        public DataBufferFactory bufferFactory() {
            return methods.test("bufferFactory") ? DefaultDataBufferFactory.sharedInstance : super.bufferFactory();
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return Mono.defer(() -> {
                release();
                return super.writeWith(body);
            });
        }

        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
            return Mono.defer(() -> {
                release();
                return super.writeAndFlushWith(body);
            });
        }

        @Override
        public Mono<Void> setComplete() {
            return Mono.defer(() -> {
                release();
                return super.setComplete();
            });
        }
    }

    private static WebFilter holding(Predicate<String> methods) {
        return (exchange, chain) -> {
            Held held = new Held(exchange.getResponse(), methods);
            return chain.filter(exchange.mutate().response(held).build()).then(Mono.fromRunnable(held::release));
        };
    }

    private static Stream<String> methods() {
        return Stream.of(ServerHttpResponse.class.getMethods())
                .map(Method::getName)
                .filter(name -> LEFT_OUT.values().stream().noneMatch(names -> names.contains(name)))
                .distinct()
                .sorted();
    }

    @Test
    void everyMethodIsHeldOrLeftOut() {
        Set<String> held = new TreeSet<>();
        for (Method method : Held.class.getDeclaredMethods()) {
            held.add(method.getName());
        }
        assertThat(methods()).isSubsetOf(held);
    }

    /** What a handler says of its response. */
    private interface Saying {

        void of(ServerHttpResponse response);
    }

    private static WebHandler saying(Saying said) {
        return exchange -> {
            said.of(exchange.getResponse());
            return HeldHandler.write(exchange, "written");
        };
    }

    /** What may be shared. */
    private static final Map<String, WebHandler> SHARED = new LinkedHashMap<>();

    /** What is for one client only. */
    private static final Map<String, WebHandler> PRIVATE = new LinkedHashMap<>();

    static {
        SHARED.put("a status", saying(response -> response.setStatusCode(HttpStatus.NON_AUTHORITATIVE_INFORMATION)));
        SHARED.put("a number", saying(response -> response.setRawStatusCode(203)));
        SHARED.put("a header", saying(response -> response.getHeaders().set("X-Own", "set")));
        SHARED.put("a second value", saying(response -> {
            response.getHeaders().add("X-Own", "one");
            response.getHeaders().add("X-Own", "two");
        }));
        SHARED.put("a type", saying(response -> response.getHeaders().setContentType(MediaType.APPLICATION_JSON)));
        SHARED.put(
                "at the commit",
                saying(response -> response.beforeCommit(
                        () -> Mono.fromRunnable(() -> response.getHeaders().set("X-Own", "late")))));
        SHARED.put(
                "several buffers",
                exchange -> exchange.getResponse()
                        .writeWith(Flux.just("a", "b").map(text -> HeldHandler.buffer(exchange, text))));
        SHARED.put("no body", exchange -> {
            exchange.getResponse().getHeaders().set("X-Own", "empty");
            return exchange.getResponse().setComplete();
        });
        SHARED.put("nothing written", exchange -> {
            exchange.getResponse().getHeaders().set("X-Own", "unwritten");
            return Mono.empty();
        });
        PRIVATE.put("private", saying(response -> response.getHeaders().set("Cache-Control", "private")));
        PRIVATE.put("no-store", saying(response -> response.getHeaders().add("Cache-Control", "no-store")));
        PRIVATE.put(
                "private at the commit",
                saying(response -> response.beforeCommit(
                        () -> Mono.fromRunnable(() -> response.getHeaders().set("Cache-Control", "private")))));
        PRIVATE.put(
                "a cookie",
                saying(response ->
                        response.addCookie(ResponseCookie.from("a", "b").build())));
        PRIVATE.put(
                "a cookie of the map",
                saying(response -> response.getCookies()
                        .add("a", ResponseCookie.from("a", "b").build())));
        PRIVATE.put("unauthorized", saying(response -> response.setStatusCode(HttpStatus.UNAUTHORIZED)));
        PRIVATE.put("the number of unauthorized", saying(response -> response.setRawStatusCode(401)));
        PRIVATE.put("a stream", saying(response -> response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM)));
        PRIVATE.put(
                "flushed parts",
                exchange -> exchange.getResponse()
                        .writeAndFlushWith(Flux.just("a", "b")
                                .map(text -> Mono.fromSupplier(() -> HeldHandler.buffer(exchange, text)))));
    }

    private static List<WebHandler> handlers() {
        return Stream.concat(SHARED.values().stream(), PRIVATE.values().stream())
                .toList();
    }

    private static String path(int number) {
        return "/" + number;
    }

    private static int number(ServerWebExchange exchange) {
        return Integer.parseInt(exchange.getRequest().getPath().value().substring(1));
    }

    private static String shown(Response response) {
        Map<String, List<String>> headers = new TreeMap<>(response.headers());
        headers.remove("date");
        return response.status() + " " + headers + " " + response.body();
    }

    static Stream<Arguments> everyMethodOnEveryServer() {
        List<String> held = new ArrayList<>(methods().toList());
        held.add("everything");
        return Stream.of(ReactiveServer.Make.values())
                .flatMap(make -> held.stream().map(method -> Arguments.of(make, method)));
    }

    @ParameterizedTest
    @MethodSource("everyMethodOnEveryServer")
    void H15_H18_callersGetTheSameBehindAFilterThatHoldsOneMethod(ReactiveServer.Make make, String method)
            throws Exception {
        Predicate<String> held = name -> method.equals("everything") || name.equals(method);
        List<WebHandler> handlers = handlers();
        AtomicIntegerArray runs = new AtomicIntegerArray(handlers.size());
        WebHandler handler = exchange -> {
            runs.incrementAndGet(number(exchange));
            return handlers.get(number(exchange)).handle(exchange);
        };
        List<String> expected = new ArrayList<>();
        try (HeldHandler plain =
                new Setting().on(make).behind(holding(held)).withoutCollapsing().start(handler)) {
            plain.release();
            for (int i = 0; i < handlers.size(); i++) {
                RawClient client = plain.send(HeldHandler.get(path(i)));
                expected.add(shown(client.response("GET", StandardCharsets.UTF_8)));
                assertThat(runs.getAndSet(i, 0)).isOne();
            }
        }
        List<String> names = new ArrayList<>(SHARED.keySet());
        names.addAll(PRIVATE.keySet());
        try (HeldHandler server = new Setting().on(make).behind(holding(held)).start(handler)) {
            List<List<RawClient>> clients = new ArrayList<>();
            for (int i = 0; i < handlers.size(); i++) {
                List<RawClient> same = new ArrayList<>();
                for (int caller = 0; caller < CALLERS; caller++) {
                    same.add(server.arrived(HeldHandler.get(path(i))));
                }
                clients.add(same);
            }
            server.release();
            for (int i = 0; i < handlers.size(); i++) {
                for (RawClient client : clients.get(i)) {
                    assertThat(shown(client.response("GET", StandardCharsets.UTF_8)))
                            .as(names.get(i))
                            .isEqualTo(expected.get(i));
                }
                assertThat(runs.get(i)).as("runs of " + names.get(i)).isEqualTo(i < SHARED.size() ? 1 : CALLERS);
            }
        }
    }
}
