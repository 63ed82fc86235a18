package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import io.micrometer.context.ContextRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.SimpleLocaleContext;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.security.authentication.UserDetailsRepositoryReactiveAuthenticationManager;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.web.server.WebFilterChainProxy;
import org.springframework.util.DigestUtils;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/** Ordinary filters in front of the collapsing one: identical concurrent requests give what they give without it. */
class WebFilterZooTests {

    private static final int REQUESTS = 20;

    /** Says which request it is, and is of no matter to the key. */
    private static final String ID = "Sec-Test-Id";

    private static final WebHandler HANDLER = exchange -> HeldHandler.write(exchange, "body of the handler");

    private static Mono<Void> reject(ServerWebExchange exchange) {
        exchange.getResponse().setStatusCode(HttpStatus.TOO_MANY_REQUESTS);
        return exchange.getResponse().setComplete();
    }

    /**
     * Sends the requests at the same time; those that get to the handler wait there until all have arrived.
     *
     * @param callers how many are known to wait for one run of the handler
     */
    private static List<Response> answers(HeldHandler server, Request request, int callers) throws IOException {
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            clients.add(server.send(request.with(ID, "id-" + i)));
        }
        HeldHandler.await(() -> server.arrivals.get() == REQUESTS && server.callers() >= callers);
        server.release();
        List<Response> responses = new ArrayList<>();
        for (RawClient client : clients) {
            Response response = client.response(request.method());
            Map<String, List<String>> headers = new TreeMap<>(response.headers());
            headers.remove("date");
            responses.add(new Response(response.status(), response.reason(), headers, response.body()));
        }
        return responses;
    }

    /**
     * All give what they give without collapsing.
     *
     * @param filters makes the filters in front, which may count
     * @param runs of the handler
     */
    private static List<Response> assertTransparent(
            Supplier<List<WebFilter>> filters, Request request, WebHandler handler, int runs) throws IOException {
        List<Response> without;
        try (HeldHandler server = setting(filters.get()).withoutCollapsing().start(handler)) {
            without = answers(server, request, 0);
        }
        try (HeldHandler server = setting(filters.get()).start(handler)) {
            List<Response> with = answers(server, request, runs == 1 ? REQUESTS : 0);
            assertThat(server.runs).hasValue(runs);
            assertThat(with).isEqualTo(without);
            return with;
        }
    }

    private static Setting setting(List<WebFilter> filters) {
        return new Setting().behind(filters.toArray(WebFilter[]::new));
    }

    private static List<Response> assertTransparent(WebFilter filter, Request request) throws IOException {
        return assertTransparent(() -> List.of(filter), request, HANDLER, 1);
    }

    /** A filter that does something to every buffer of a response. */
    private abstract static class BodyFilter implements WebFilter {

        abstract Mono<Void> write(ServerWebExchange exchange, ServerHttpResponse response, byte[] body);

        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            ServerHttpResponse own = exchange.getResponse();
            return chain.filter(exchange.mutate()
                    .response(new ServerHttpResponseDecorator(own) {
                        @Override
                        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
                            return DataBufferUtils.join(Flux.from(body)).flatMap(joined -> {
                                byte[] bytes = new byte[joined.readableByteCount()];
                                joined.read(bytes);
                                DataBufferUtils.release(joined);
                                return BodyFilter.this.write(exchange, own, bytes);
                            });
                        }
                    })
                    .build());
        }

        static Mono<Void> pass(ServerHttpResponse response, byte[] body) {
            response.getHeaders().setContentLength(body.length);
            return response.writeWith(Mono.just(response.bufferFactory().wrap(body)));
        }
    }

    @Test
    void aFilterThatRewritesBodies() throws Exception {
        WebFilter shouts = new BodyFilter() {
            @Override
            Mono<Void> write(ServerWebExchange exchange, ServerHttpResponse response, byte[] body) {
                String id = exchange.getRequest().getHeaders().getFirst(ID);
                String text = new String(body, StandardCharsets.UTF_8).toUpperCase(Locale.ROOT) + " for " + id;
                return pass(response, text.getBytes(StandardCharsets.UTF_8));
            }
        };
        assertThat(assertTransparent(shouts, HeldHandler.get()))
                .extracting(Response::body)
                .contains("BODY OF THE HANDLER for id-0", "BODY OF THE HANDLER for id-19");
    }

    @Test
    void aFilterThatChangesBuffersInPlaceChangesThemForItsOwnRequestOnly() throws Exception {
        WebFilter scribbles = new BodyFilter() {
            @Override
            Mono<Void> write(ServerWebExchange exchange, ServerHttpResponse response, byte[] body) {
                return pass(response, body);
            }
        };
        WebFilter inPlace = (exchange, chain) -> chain.filter(exchange.mutate()
                .response(new ServerHttpResponseDecorator(exchange.getResponse()) {
                    @Override
                    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
                        return super.writeWith(Mono.from(body).doOnNext(buffer -> {
                            byte first = buffer.getByte(0);
                            buffer.writePosition(0).write((byte) (first + 1));
                            buffer.writePosition(buffer.capacity());
                        }));
                    }
                })
                .build());
        assertThat(assertTransparent(() -> List.of(scribbles, inPlace), HeldHandler.get(), HANDLER, 1))
                .allMatch(response -> response.body().equals("cody of the handler"));
    }

    @Test
    void aFilterThatComputesEntityTags() throws Exception {
        WebFilter tags = new BodyFilter() {
            @Override
            Mono<Void> write(ServerWebExchange exchange, ServerHttpResponse response, byte[] body) {
                String tag = "\"" + DigestUtils.md5DigestAsHex(body) + "\"";
                response.getHeaders().setETag(tag);
                if (tag.equals(exchange.getRequest().getHeaders().getFirst("If-None-Match"))) {
                    response.setStatusCode(HttpStatus.NOT_MODIFIED);
                    response.getHeaders().setContentLength(0);
                    return response.setComplete();
                }
                return pass(response, body);
            }
        };
        Response first = assertTransparent(tags, HeldHandler.get()).get(0);
        String tag = first.header("ETag").get(0);
        assertThat(assertTransparent(tags, HeldHandler.get().with("If-None-Match", tag)))
                .allMatch(response -> response.status() == 304);
    }

    @Test
    void aFilterThatLogsBodies() throws Exception {
        Queue<String> log = new ConcurrentLinkedQueue<>();
        WebFilter logs = new BodyFilter() {
            @Override
            Mono<Void> write(ServerWebExchange exchange, ServerHttpResponse response, byte[] body) {
                log.add(new String(body, StandardCharsets.UTF_8));
                return pass(response, body);
            }
        };
        assertTransparent(logs, HeldHandler.get());
        assertThat(log).hasSize(2 * REQUESTS).containsOnly("body of the handler");
    }

    @Test
    void aFilterThatLimitsTheRate() throws Exception {
        Supplier<List<WebFilter>> limit = () -> {
            AtomicInteger seen = new AtomicInteger();
            return List.of(
                    (exchange, chain) -> seen.incrementAndGet() > 15 ? reject(exchange) : chain.filter(exchange));
        };
        // which of them are refused depends on the order in which they arrive
        try (HeldHandler server = setting(limit.get()).start(HANDLER)) {
            assertThat(answers(server, HeldHandler.get(), 15))
                    .filteredOn(response -> response.status() == 429)
                    .hasSize(5);
            assertThat(server.runs).hasValue(1);
        }
    }

    @Test
    void aFilterThatLimitsConcurrencySeesEachRequestFromBeginningToEnd() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        WebFilter counts = (exchange, chain) -> Mono.defer(() -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    return chain.filter(exchange);
                })
                .doFinally(end -> inside.decrementAndGet());
        assertTransparent(counts, HeldHandler.get());
        assertThat(most).hasValue(REQUESTS);
        HeldHandler.await(() -> inside.get() == 0);
    }

    @Test
    void theFilterForCors() throws Exception {
        CorsConfiguration configuration = new CorsConfiguration();
        configuration.addAllowedOrigin("http://page.example");
        CorsWebFilter cors = new CorsWebFilter(exchange -> configuration);
        assertThat(assertTransparent(cors, HeldHandler.get().with("Origin", "http://page.example")))
                .allSatisfy(response -> assertThat(response.header("Access-Control-Allow-Origin"))
                        .containsExactly("http://page.example"));
        assertThat(assertTransparent(
                        () -> List.of(cors), HeldHandler.get().with("Origin", "http://other.example"), HANDLER, 0))
                .allMatch(response -> response.status() == 403);
    }

    @Test
    void aFilterThatTimesOutEndsItsOwnRequests() throws Exception {
        CompletableFuture<Void> timeout = new CompletableFuture<>();
        WebFilter timesOut = (exchange, chain) ->
                chain.filter(exchange).timeout(Mono.fromFuture(timeout, true), Mono.defer(() -> reject(exchange)));
        try (HeldHandler server = setting(List.of(timesOut)).start(HANDLER)) {
            List<RawClient> clients = server.gathered(HeldHandler.get());
            timeout.complete(null);
            for (RawClient client : clients) {
                assertThat(client.response("GET").status()).isEqualTo(429);
            }
            HeldHandler.await(() -> server.cancelled.get() == 1);
        }
    }

    @Test
    void aFilterThatChoosesTheLanguage() throws Exception {
        WebFilter chooses = (exchange, chain) -> chain.filter(new ServerWebExchangeDecorator(exchange) {
            @Override
            public LocaleContext getLocaleContext() {
                String id = exchange.getRequest().getHeaders().getFirst(ID);
                return new SimpleLocaleContext(id.endsWith("7") ? Locale.GERMAN : Locale.FRENCH);
            }
        });
        WebHandler speaks = exchange ->
                HeldHandler.write(exchange, "in " + exchange.getLocaleContext().getLocale());
        assertThat(assertTransparent(() -> List.of(chooses), HeldHandler.get(), speaks, 2))
                .extracting(Response::body)
                .contains("in de", "in fr");
    }

    @Test
    void everyRequestHasItsOwnReactorContext() throws Exception {
        WebFilter gives = (exchange, chain) -> Mono.deferContextual(context -> {
                    String id = context.get("id");
                    exchange.getResponse()
                            .beforeCommit(() -> Mono.deferContextual(own -> {
                                exchange.getResponse().getHeaders().set("X-Id", id + own.get("id"));
                                return Mono.empty();
                            }));
                    return chain.filter(exchange);
                })
                .contextWrite(context ->
                        context.put("id", exchange.getRequest().getHeaders().getFirst(ID)));
        assertThat(assertTransparent(gives, HeldHandler.get()))
                .extracting(response -> response.header("X-Id").get(0))
                .contains("id-0id-0", "id-19id-19");
    }

    @Test
    void aHandlerThatBeginsOnAnothersThreadSeesTheContextOfItsOwnRequest() throws Exception {
        ThreadLocal<String> user = new ThreadLocal<>();
        ContextRegistry.getInstance().registerThreadLocalAccessor("user", user::get, user::set, user::remove);
        Hooks.enableAutomaticContextPropagation();
        try {
            WebFilter names = (exchange, chain) -> chain.filter(exchange)
                    .contextWrite(context -> context.put(
                            "user", exchange.getRequest().getHeaders().getFirst(ID)));
            WebHandler forOne = exchange -> {
                exchange.getResponse().getHeaders().set("Cache-Control", "private, no-store");
                return Mono.deferContextual(
                        context -> HeldHandler.write(exchange, user.get() + " is " + context.get("user")));
            };
            List<Response> responses = assertTransparent(() -> List.of(names), HeldHandler.get(), forOne, REQUESTS);
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(responses.get(i).body()).isEqualTo("id-" + i + " is id-" + i);
            }
        } finally {
            Hooks.disableAutomaticContextPropagation();
            ContextRegistry.getInstance().removeThreadLocalAccessor("user");
        }
    }

    /** Basic authentication, everywhere but at {@code /open}. */
    private static WebFilter security() {
        UserDetails one = User.withUsername("one").password("{noop}secret").build();
        UserDetails other = User.withUsername("other").password("{noop}secret").build();
        ServerHttpSecurity security = ServerHttpSecurity.http();
        return new WebFilterChainProxy(security.httpBasic(Customizer.withDefaults())
                .authenticationManager(new UserDetailsRepositoryReactiveAuthenticationManager(
                        new MapReactiveUserDetailsService(one, other)))
                .authorizeExchange(exchanges -> exchanges
                        .pathMatchers("/open")
                        .permitAll()
                        .anyExchange()
                        .authenticated())
                .build());
    }

    private static Request of(String user, Request request) {
        String credentials = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        return request.with("Authorization", "Basic " + credentials);
    }

    private static final WebHandler NAMES = exchange -> exchange.getPrincipal()
            .map(principal -> "for " + principal.getName())
            .defaultIfEmpty("for all")
            .flatMap(text -> HeldHandler.write(exchange, text));

    @Test
    void springSecurityAuthenticatesEveryRequest() throws Exception {
        WebFilter security = security();
        assertThat(assertTransparent(() -> List.of(security), of("one", HeldHandler.get()), NAMES, REQUESTS))
                .allMatch(response -> response.body().equals("for one"));
        assertThat(assertTransparent(() -> List.of(security), HeldHandler.get(), NAMES, 0))
                .allMatch(response -> response.status() == 401);
        assertThat(assertTransparent(() -> List.of(security), HeldHandler.get("/open"), NAMES, 1))
                .allMatch(response -> response.body().equals("for all"));
    }

    @Test
    void H31_springSecurityRefusesAlsoWhereAPolicySharesAcrossUsers() throws Exception {
        CollapsePolicy shared =
                CollapsePolicy.named("shared").shareAcrossUsers(true).build();
        WebHandler forAll = exchange -> {
            exchange.getResponse().getHeaders().setCacheControl("public"); // H16
            return HANDLER.handle(exchange);
        };
        try (HeldHandler server = setting(List.of(security())).by(shared).start(forAll)) {
            List<RawClient> clients = new ArrayList<>();
            for (String user : List.of("one", "other", "nobody")) {
                clients.add(server.send(of(user, HeldHandler.get())));
            }
            HeldHandler.await(() -> server.callers() == 2);
            server.release();
            assertThat(clients.get(0).response("GET").body()).isEqualTo("body of the handler");
            assertThat(clients.get(1).response("GET").body()).isEqualTo("body of the handler");
            assertThat(clients.get(2).response("GET").status()).isEqualTo(401);
            assertThat(server.runs).hasValue(1);
        }
    }
}
