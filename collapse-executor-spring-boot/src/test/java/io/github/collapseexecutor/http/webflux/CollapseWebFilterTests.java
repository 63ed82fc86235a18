package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.PooledDataBuffer;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** What the rules that all adapters have in common do not say of a reactive server. */
class CollapseWebFilterTests {

    private static final CollapsePolicy FOR_ALL_USERS =
            CollapsePolicy.named("all").strict(true).shareAcrossUsers(true).build();

    static Mono<Void> write(ServerWebExchange exchange, String text) {
        ServerHttpResponse response = exchange.getResponse();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        response.getHeaders().setContentLength(bytes.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(bytes)));
    }

    private static DataBuffer buffer(ServerWebExchange exchange, String text) {
        DataBuffer buffer = exchange.getResponse().bufferFactory().allocateBuffer(64);
        return buffer.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Makes the user of a request known as Spring Security does, by the exchange. */
    private static WebFilter withPrincipal(String name) {
        return (exchange, chain) -> chain.filter(new ServerWebExchangeDecorator(exchange) {
            @Override
            @SuppressWarnings("unchecked") // the caller names the type of the only principal there is
            public <T extends Principal> Mono<T> getPrincipal() {
                return Mono.just((T) (Principal) () -> name);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void statusHeadersAndBodyOfTheHandlerReachAll(ReactiveServer.Make make) throws Exception {
        try (HeldHandler server = new Setting().on(make).start(exchange -> {
            exchange.getResponse().setStatusCode(HttpStatus.NON_AUTHORITATIVE_INFORMATION);
            exchange.getResponse().getHeaders().add("X-One", "a");
            exchange.getResponse().getHeaders().add("X-One", "b");
            return write(exchange, "body");
        })) {
            assertThat(server.assertShared(HeldHandler.get())).allSatisfy(response -> {
                assertThat(response.status()).isEqualTo(203);
                assertThat(response.header("X-One")).containsExactly("a", "b");
                assertThat(response.header("Content-Length")).containsExactly("4");
            });
        }
    }

    @Test
    void whatFiltersInFrontHaveSetStaysTheirs() throws Exception {
        WebFilter front = (exchange, chain) -> {
            exchange.getResponse()
                    .getHeaders()
                    .set("X-Id", exchange.getRequest().getId());
            exchange.getResponse().getHeaders().set("X-Removed", "front");
            exchange.getResponse().getHeaders().set("Vary", "Origin");
            exchange.getResponse()
                    .addCookie(
                            ResponseCookie.from("front", exchange.getRequest().getId())
                                    .build());
            return chain.filter(exchange);
        };
        try (HeldHandler server = new Setting().behind(front).start(exchange -> {
            exchange.getResponse().getHeaders().add("Vary", "Accept");
            assertThat(exchange.getResponse()
                            .getHeaders()
                            .headerSet()
                            .removeIf(header -> header.getKey().equals("X-Removed")))
                    .isTrue();
            return write(exchange, "body");
        })) {
            List<Response> responses = server.assertShared(HeldHandler.get());
            assertThat(responses)
                    .extracting(response -> response.header("X-Id"))
                    .doesNotHaveDuplicates();
            assertThat(responses)
                    .extracting(response -> response.header("Set-Cookie"))
                    .doesNotHaveDuplicates();
            assertThat(responses).allSatisfy(response -> {
                assertThat(response.header("X-Removed")).isEmpty();
                assertThat(response.header("Vary")).containsExactly("Origin", "Accept");
            });
        }
    }

    @Test
    void aHandlerThatWritesNothingIsSharedToo() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> {
            exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
            return Mono.empty();
        })) {
            assertThat(server.assertShared(HeldHandler.get())).allMatch(response -> response.status() == 204);
        }
    }

    @Test
    void whatIsRegisteredForTheCommitRunsOnceForEachResponse() throws Exception {
        AtomicInteger ofHandler = new AtomicInteger();
        AtomicInteger ofFilter = new AtomicInteger();
        WebFilter front = (exchange, chain) -> {
            exchange.getResponse()
                    .beforeCommit(() -> Mono.fromRunnable(() -> {
                        ofFilter.incrementAndGet();
                        exchange.getResponse()
                                .getHeaders()
                                .set("X-Status", "" + exchange.getResponse().getStatusCode());
                    }));
            return chain.filter(exchange);
        };
        try (HeldHandler server = new Setting().behind(front).start(exchange -> {
            exchange.getResponse().setStatusCode(HttpStatus.GONE);
            exchange.getResponse()
                    .beforeCommit(() -> Mono.fromRunnable(() ->
                            exchange.getResponse().getHeaders().set("X-Handler", "" + ofHandler.incrementAndGet())));
            return exchange.getResponse().setComplete();
        })) {
            assertThat(server.assertShared(HeldHandler.get())).allSatisfy(response -> {
                assertThat(response.header("X-Handler")).containsExactly("1");
                assertThat(response.header("X-Status")).containsExactly("410 GONE");
            });
            assertThat(ofHandler).hasValue(1);
            assertThat(ofFilter).hasValue(1 + HeldHandler.FOLLOWERS);
        }
    }

    @Test
    void H38_aLoneRequestIsAnsweredAsItsHandlerWrites() throws Exception {
        Sinks.Many<String> parts = Sinks.many().unicast().onBackpressureBuffer();
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getResponse()
                        .writeAndFlushWith(parts.asFlux().map(part -> Mono.just(buffer(exchange, part)))))) {
            server.release();
            RawClient client = server.send(HeldHandler.get());
            HeldHandler.await(() -> parts.tryEmitNext("first").isSuccess());
            client.head();
            client.line();
            assertThat(client.read(5)).isEqualTo("first");
            parts.tryEmitComplete();
        }
    }

    @Test
    void H38_theBodyOfALoneRequestIsNotCollected() throws Exception {
        Sinks.Many<String> parts = Sinks.many().unicast().onBackpressureBuffer();
        CollapseOptions lone =
                CollapseOptions.builder().joinMode(JoinMode.FRESH).build();
        try (HeldHandler server = new Setting()
                .gathering(lone)
                .start(exchange ->
                        exchange.getResponse().writeWith(parts.asFlux().map(part -> buffer(exchange, part))))) {
            server.release();
            RawClient client = server.send(HeldHandler.get());
            HeldHandler.await(() -> parts.tryEmitNext("first").isSuccess());
            client.head();
            client.line();
            assertThat(client.read(5)).isEqualTo("first");
            parts.tryEmitComplete();
        }
    }

    @Test
    void H23_aStreamPassesByAndFollowersRunTheHandler() throws Exception {
        for (MediaType type : List.of(MediaType.TEXT_EVENT_STREAM, MediaType.TEXT_PLAIN)) {
            try (HeldHandler server = new Setting().start(exchange -> {
                exchange.getResponse().getHeaders().setContentType(type);
                return exchange.getResponse()
                        .writeAndFlushWith(Flux.just("a", "b").map(part -> Mono.just(buffer(exchange, part))));
            })) {
                assertThat(server.assertForwarded(HeldHandler.get()))
                        .allMatch(response -> response.body().equals("ab"));
            }
        }
    }

    @Test
    void H27_aBodyOverTheLimitReachesAllWhole() throws Exception {
        try (HeldHandler server = new Setting()
                .sharing(HttpCollapseOptions.builder().maxBodySize(10))
                .start(exchange -> exchange.getResponse()
                        .writeWith(Flux.range(0, 100).map(part -> buffer(exchange, "0123456789"))))) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .allMatch(response -> response.body().equals("0123456789".repeat(100)));
        }
    }

    @Test
    void everyBufferOfAHandlerIsReleased() throws Exception {
        Queue<DataBuffer> buffers = new ConcurrentLinkedQueue<>();
        try (HeldHandler server = new Setting()
                .sharing(HttpCollapseOptions.builder().maxBodySize(50))
                .start(exchange -> exchange.getResponse()
                        .writeWith(Flux.range(
                                        0,
                                        exchange.getRequest().getPath().value().equals("/small") ? 5 : 50)
                                .map(part -> buffer(exchange, "0123456789"))
                                .doOnNext(buffers::add)))) {
            server.release();
            for (String path : List.of("/small", "/large")) {
                server.responses(HeldHandler.get(path), server.gathered(HeldHandler.get(path)));
            }
            assertThat(buffers).isNotEmpty().allMatch(PooledDataBuffer.class::isInstance);
            HeldHandler.await(() -> buffers.stream().noneMatch(buffer -> ((PooledDataBuffer) buffer).isAllocated()));
        }
    }

    @Test
    void filesThatTheServerSendsAreSharedUpToTheLimit(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "0123456789".repeat(10));
        for (int limit : new int[] {100, 99}) {
            try (HeldHandler server = new Setting()
                    .sharing(HttpCollapseOptions.builder().maxBodySize(limit))
                    .start(exchange -> ((ZeroCopyHttpOutputMessage) exchange.getResponse()).writeWith(file, 0, 100))) {
                List<Response> responses = limit == 100
                        ? server.assertShared(HeldHandler.get())
                        : server.assertForwarded(HeldHandler.get());
                assertThat(responses).allMatch(response -> response.body().equals("0123456789".repeat(10)));
            }
        }
    }

    @Test
    void H07_aConditionalRequestGets304AndIsShared() throws Exception {
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.checkNotModified("\"one\"")
                        ? exchange.getResponse().setComplete()
                        : write(exchange, "body"))) {
            Request conditional = HeldHandler.get().with("If-None-Match", "\"one\"");
            RawClient plain = server.arrived(HeldHandler.get());
            RawClient same = server.arrived(conditional);
            RawClient another = server.arrived(conditional);
            assertThat(server.runs).as("runs for the two sorts").hasValue(2);
            server.release();
            assertThat(plain.response("GET").status()).isEqualTo(200);
            for (RawClient client : List.of(same, another)) {
                Response response = client.response("GET");
                assertThat(response.status()).isEqualTo(304);
                assertThat(response.header("ETag")).containsExactly("\"one\"");
            }
        }
    }

    @Test
    void H03_aHeadIsSharedWithHeadsAndHasTheLengthOfTheBody() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> write(exchange, "body"))) {
            Request head = Request.of("HEAD", URI.create("http://localhost/a"));
            assertThat(server.assertShared(head))
                    .allMatch(response -> response.header("Content-Length").equals(List.of("4")));
        }
    }

    @Test
    void H18_aCookieIsForOneOnly() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> {
            exchange.getResponse()
                    .addCookie(ResponseCookie.from("id", exchange.getRequest().getId())
                            .build());
            return write(exchange, "body");
        })) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .extracting(response -> response.header("Set-Cookie"))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void H18_aStrippedCookieStaysWithTheLeader() throws Exception {
        CollapsePolicy strips =
                CollapsePolicy.named("strips").strict(true).stripSetCookie(true).build();
        try (HeldHandler server = new Setting().by(strips).start(exchange -> {
            exchange.getResponse().addCookie(ResponseCookie.from("id", "leader").build());
            exchange.getResponse().getHeaders().add("Set-Cookie", "header=leader");
            return write(exchange, "body");
        })) {
            assertThat(server.assertShared(HeldHandler.get()))
                    .filteredOn(response -> !response.header("Set-Cookie").isEmpty())
                    .hasSize(1);
        }
    }

    @Test
    void H18_aSessionThatTheHandlerBeginsIsForOneOnly() throws Exception {
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getSession().flatMap(session -> {
                    session.getAttributes().put("key", "value");
                    return write(exchange, "body");
                }))) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .extracting(response -> response.header("Set-Cookie").toString())
                    .allMatch(cookie -> cookie.contains("SESSION="))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aSessionThatIsOnlyLookedAtDoesNotMatter() throws Exception {
        try (HeldHandler server =
                new Setting().start(exchange -> exchange.getSession().flatMap(session -> write(exchange, "body")))) {
            server.assertShared(HeldHandler.get());
        }
    }

    @Test
    void H05_requestsWithAPrincipalAreApart() throws Exception {
        try (HeldHandler server =
                new Setting().behind(withPrincipal("somebody")).start(exchange -> write(exchange, "body"))) {
            server.assertApart(HeldHandler.get(), HeldHandler.get());
        }
    }

    @Test
    void H05_requestsWithASecurityContextAreApart() throws Exception {
        WebFilter security = (exchange, chain) -> chain.filter(exchange)
                .contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                        new TestingAuthenticationToken("somebody", "secret")));
        try (HeldHandler server = new Setting().behind(security).start(exchange -> write(exchange, "body"))) {
            server.assertApart(HeldHandler.get(), HeldHandler.get());
        }
    }

    @Test
    void anonymousRequestsShare() throws Exception {
        WebFilter security = (exchange, chain) -> chain.filter(exchange)
                .contextWrite(ReactiveSecurityContextHolder.withAuthentication(new AnonymousAuthenticationToken(
                        "key", "anonymous", AuthorityUtils.createAuthorityList("ROLE_ANONYMOUS"))));
        try (HeldHandler server = new Setting().behind(security).start(exchange -> write(exchange, "body"))) {
            server.assertShared(HeldHandler.get());
        }
    }

    @Test
    void H12_aPolicyMayShareAcrossUsers() throws Exception {
        try (HeldHandler server = new Setting()
                .by(FOR_ALL_USERS)
                .behind(withPrincipal("somebody"))
                .start(exchange -> write(exchange, "body"))) {
            server.assertShared(HeldHandler.get());
        }
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H31_aFailureOfTheHandlerIsThatOfAllInsideTheirFilters(ReactiveServer.Make make) throws Exception {
        AtomicInteger seen = new AtomicInteger();
        WebFilter front = (exchange, chain) -> chain.filter(exchange).doOnError(failure -> seen.incrementAndGet());
        try (HeldHandler server = new Setting()
                .on(make)
                .behind(front)
                .start(exchange -> Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND)))) {
            assertThat(server.assertShared(HeldHandler.get())).allMatch(response -> response.status() == 404);
            HeldHandler.await(() -> seen.get() == 1 + HeldHandler.FOLLOWERS);
        }
    }

    @Test
    void H19_anErrorThatAsksForCredentialsIsForOneOnly() throws Exception {
        try (HeldHandler server =
                new Setting().start(exchange -> Mono.error(new ResponseStatusException(HttpStatus.UNAUTHORIZED)))) {
            assertThat(server.assertForwarded(HeldHandler.get())).allMatch(response -> response.status() == 401);
        }
    }

    @Test
    void H31_theFailureOfAUsersHandlerIsForOneOnly() throws Exception {
        try (HeldHandler server = new Setting()
                .by(FOR_ALL_USERS)
                .behind(withPrincipal("somebody"))
                .start(exchange -> Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND)))) {
            server.assertForwarded(HeldHandler.get());
        }
    }

    @Test
    void H27_aFailureInMidBodyBreaksTheResponsesOfAll() throws Exception {
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getResponse()
                        .writeWith(Flux.concat(
                                Flux.just("a", "b").map(part -> buffer(exchange, part)),
                                Mono.error(new IllegalStateException("broken")))))) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            server.release();
            for (RawClient client : all) {
                assertThatThrownBy(() -> client.response("GET")).isInstanceOf(IOException.class);
            }
            assertThat(server.runs).hasValue(1);
        }
    }

    @Test
    void aHandlerThatGivesUpWhatItWritesHoldsNobody() throws Exception {
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getResponse()
                        .writeWith(Flux.concat(Mono.just(buffer(exchange, "a")), Flux.never()))
                        .timeout(Duration.ofMillis(100))
                        .onErrorResume(failure -> Mono.error(new ResponseStatusException(HttpStatus.BAD_GATEWAY))))) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            server.release();
            // the leader has not got a part of the body yet, so that it learns of the failure
            assertThat(all.get(0).response("GET").status()).isEqualTo(502);
            // the others run the handler themselves, and end as without collapsing
            HeldHandler.await(() -> server.ended.get() == 1 + HeldHandler.FOLLOWERS);
        }
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H23_aLeaderThatLeavesDoesNotEndTheHandler(ReactiveServer.Make make) throws Exception {
        try (HeldHandler server = new Setting()
                .on(make)
                .start(exchange -> write(
                        exchange,
                        exchange.getRequest().getHeaders().getFirst("X-Of")
                                + exchange.getRequest().getPath()))) {
            List<RawClient> all = server.gathered(HeldHandler.get().with("X-Of", "leader"));
            all.get(0).close();
            if (make == ReactiveServer.Make.NETTY) { // Tomcat notices when it writes
                HeldHandler.await(() -> server.left.get() == 1);
            }
            List<Response> responses = server.responses(HeldHandler.get(), all.subList(1, all.size()));
            assertThat(responses).allMatch(response -> response.body().equals("leader/a"));
            assertThat(server.runs).hasValue(1);
            assertThat(server.cancelled).hasValue(0);
        }
    }

    @Test
    void H23_theHandlerIsCancelledWhenTheLastClientLeaves() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> write(exchange, "body"))) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            for (RawClient client : all) {
                client.close();
            }
            HeldHandler.await(() -> server.cancelled.get() == 1);
            RawClient later = server.arrived(HeldHandler.get());
            assertThat(server.runs).hasValue(2);
            server.release();
            assertThat(later.response("GET").body()).isEqualTo("body");
        }
    }

    @Test
    void H24_aFollowerThatLeavesAffectsNobody() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> write(exchange, "body"))) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            all.get(3).close();
            all.remove(3);
            assertThat(server.responses(HeldHandler.get(), all))
                    .allMatch(response -> response.body().equals("body"));
            assertThat(server.runs).hasValue(1);
            assertThat(server.cancelled).hasValue(0);
        }
    }

    @Test
    void H25_aRequestWhoseTimeIsOverGets503() throws Exception {
        CollapseOptions impatient = HeldHandler.IN_FLIGHT.toBuilder()
                .callTimeout(Duration.ofMillis(300))
                .build();
        try (HeldHandler server = new Setting().gathering(impatient).start(exchange -> write(exchange, "body"))) {
            List<RawClient> all = server.gathered(HeldHandler.get());
            for (RawClient client : all) {
                assertThat(client.response("GET").status()).isEqualTo(503);
            }
            HeldHandler.await(() -> server.cancelled.get() >= 1);
        }
    }

    @Test
    void tooManyRequestsGet503() throws Exception {
        CollapseOptions small = HeldHandler.IN_FLIGHT.toBuilder().maxPending(1).build();
        try (HeldHandler server = new Setting().gathering(small).start(exchange -> write(exchange, "body"))) {
            RawClient first = server.arrived(HeldHandler.get());
            assertThat(server.send(HeldHandler.get()).response("GET").status()).isEqualTo(503);
            server.release();
            assertThat(first.response("GET").body()).isEqualTo("body");
        }
    }

    @Test
    void theServersOwnResponseIsForOneOnly() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> {
            Object own = ((AbstractServerHttpResponse) exchange.getResponse()).getNativeResponse();
            return write(exchange, own == null ? "none" : "body");
        })) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .allMatch(response -> response.body().equals("body"));
        }
    }

    @Test
    void aResponseThatTheHandlerSendsByTheResponseOfAFilterIsForOneOnly() throws Exception {
        WebFilter keeps = (exchange, chain) -> {
            exchange.getAttributes().put("own", exchange.getResponse());
            return chain.filter(exchange);
        };
        try (HeldHandler server = new Setting().behind(keeps).start(exchange -> {
            ServerHttpResponse own = exchange.getRequiredAttribute("own");
            own.setStatusCode(HttpStatus.GONE);
            return own.setComplete().then(Mono.defer(() -> write(exchange, "too late")));
        })) {
            assertThat(server.assertForwarded(HeldHandler.get())).allMatch(response -> response.status() == 410);
        }
    }

    @Test
    void H40_filtersOfFollowersSeeTheRouteOfTheLeader() throws Exception {
        String pattern = "org.springframework.web.reactive.HandlerMapping.bestMatchingPattern";
        Queue<Object> seen = new ConcurrentLinkedQueue<>();
        WebFilter looks = (exchange, chain) ->
                chain.filter(exchange).doOnSuccess(end -> seen.add(exchange.getAttributeOrDefault(pattern, "none")));
        try (HeldHandler server = new Setting().behind(looks).start(exchange -> {
            exchange.getAttributes().put(pattern, "/{id}");
            return write(exchange, "body");
        })) {
            server.assertShared(HeldHandler.get());
            HeldHandler.await(() -> seen.size() == 1 + HeldHandler.FOLLOWERS);
            assertThat(seen).containsOnly("/{id}");
        }
    }

    @Test
    void H29_announcedTrailersAreForOneOnly() throws Exception {
        try (HeldHandler server = new Setting().start(exchange -> {
            exchange.getResponse().getHeaders().set("Trailer", "X-Sum");
            return write(exchange, "body");
        })) {
            server.assertForwarded(HeldHandler.get());
        }
    }

    @Test
    void H11_aReadAfterAChangeJoinsNoReadBeforeIt() throws Exception {
        try (HeldHandler server = changing(exchange -> Mono.empty())) {
            server.arrived(HeldHandler.get());
            assertThat(server.arrived(post()).response("POST").status()).isEqualTo(200);
            server.arrived(HeldHandler.get());
            assertThat(server.runs).hasValue(2);
        }
    }

    @Test
    void H11_aChangeThatIsRefusedChangesNothing() throws Exception {
        try (HeldHandler server =
                changing(exchange -> Mono.error(new ResponseStatusException(HttpStatus.METHOD_NOT_ALLOWED)))) {
            server.arrived(HeldHandler.get());
            assertThat(server.arrived(post()).response("POST").status()).isEqualTo(405);
            server.arrived(HeldHandler.get());
            assertThat(server.runs).hasValue(1);
        }
    }

    @Test
    void H11_aChangeThatFailsMayHaveChangedSomething() throws Exception {
        try (HeldHandler server = changing(exchange -> Mono.error(new IllegalStateException("half done")))) {
            server.arrived(HeldHandler.get());
            assertThat(server.arrived(post()).response("POST").status()).isEqualTo(500);
            server.arrived(HeldHandler.get());
            assertThat(server.runs).hasValue(2);
        }
    }

    private static Request post() {
        return Request.of("POST", URI.create("http://localhost/a"));
    }

    /** Writes do not get to the handler that is held. */
    private static HeldHandler changing(WebHandler change) {
        WebHandlerSwitch behind = new WebHandlerSwitch(change);
        return new Setting().server(builder -> builder.filter(behind)).start(exchange -> write(exchange, "body"));
    }

    /** Stands behind the filter under test. */
    private record WebHandlerSwitch(WebHandler change) implements WebFilter {
        @Override
        public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
            return exchange.getRequest().getMethod().equals(HttpMethod.POST)
                    ? change.handle(exchange)
                    : chain.filter(exchange);
        }
    }

    @Test
    void H13_aForwardedPrefixDoesNotMakeARequestOneOfAGroup() throws Exception {
        try (HeldHandler server = new Setting()
                .of("/public/*")
                .server(builder -> builder.forwardedHeaderTransformer(new ForwardedHeaderTransformer()))
                .start(exchange -> write(exchange, "body"))) {
            Request forged = HeldHandler.get("/secret").with("X-Forwarded-Prefix", "/public");
            server.assertApart(forged, forged);
        }
    }

    @Test
    void H13_aForwardedPrefixIsNoPartOfThePathThatPatternsMatch() throws Exception {
        try (HeldHandler server = new Setting()
                .of("/user/*")
                .server(builder -> builder.forwardedHeaderTransformer(new ForwardedHeaderTransformer()))
                .start(exchange -> write(exchange, "body"))) {
            server.assertShared(HeldHandler.get("/user/7").with("X-Forwarded-Prefix", "/shop"));
        }
    }

    @Test
    void H13_aRewrittenPathHasToBeInTheGroupToo() throws Exception {
        WebFilter rewrites = (exchange, chain) -> chain.filter(exchange.mutate()
                .request(request ->
                        request.path("/internal" + exchange.getRequest().getPath()))
                .build());
        try (HeldHandler server = new Setting().of("/a").behind(rewrites).start(exchange -> write(exchange, "body"))) {
            server.assertApart(HeldHandler.get(), HeldHandler.get());
        }
    }

    @Test
    void H02_theHostThatAProxyForwardsIsPartOfTheKey() throws Exception {
        try (HeldHandler server = new Setting()
                .server(builder -> builder.forwardedHeaderTransformer(new ForwardedHeaderTransformer()))
                .start(exchange ->
                        write(exchange, exchange.getRequest().getURI().getHost()))) {
            assertThat(server.assertApart(
                            HeldHandler.get().with("X-Forwarded-Host", "one.example"),
                            HeldHandler.get().with("X-Forwarded-Host", "other.example")))
                    .extracting(Response::body)
                    .containsExactly("one.example", "other.example");
        }
    }

    @Test
    void aFilterThatStandsInTheChainTwiceGathersOnce() throws Exception {
        HttpCollapseOptions all = HttpCollapseOptions.forPaths("/**");
        CollapseWebFilter twice = new CollapseWebFilter(all, HeldHandler.IN_FLIGHT);
        try (HeldHandler server =
                new Setting().withoutCollapsing().behind(twice, twice).start(exchange -> write(exchange, "body"))) {
            server.release();
            assertThat(server.send(HeldHandler.get()).response("GET").body()).isEqualTo("body");
        }
    }

    /** The server does not ask for a body that it does not send. */
    @Test
    void aStreamThatAHeadRequestAsksForIsReleased() throws Exception {
        Queue<DataBuffer> written = new ConcurrentLinkedQueue<>();
        try (HeldHandler server = new Setting()
                .start(exchange -> exchange.getResponse()
                        .writeAndFlushWith(Flux.range(0, 3).map(part -> {
                            DataBuffer buffer = buffer(exchange, "part " + part);
                            written.add(buffer);
                            return Flux.just(buffer);
                        })))) {
            Request head = Request.of("HEAD", URI.create("http://localhost/a"));
            RawClient client = server.arrived(head);
            server.release();
            assertThat(client.response("HEAD").status()).isEqualTo(200);
            HeldHandler.await(() -> written.stream().noneMatch(buffer -> ((PooledDataBuffer) buffer).isAllocated()));
        }
    }
}
