package io.github.collapseexecutor.http.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.WebFilterChainProxy;
import org.springframework.security.web.server.csrf.CookieServerCsrfTokenRepository;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.security.web.server.csrf.ServerCsrfTokenRepository;
import org.springframework.security.web.server.csrf.ServerCsrfTokenRequestAttributeHandler;
import org.springframework.security.web.server.csrf.WebSessionServerCsrfTokenRepository;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** What a filter in front has for one request only, and makes when the handler asks for it, reaches no other client. */
class ValuesOfOneRequestTests {

    /** A form with the token that its client has to send back. */
    private static final WebHandler FORM =
            exchange -> token(exchange).flatMap(token -> HeldHandler.write(exchange, token.getToken()));

    private static Mono<CsrfToken> token(ServerWebExchange exchange) {
        Mono<CsrfToken> token = exchange.getAttribute(CsrfToken.class.getName());
        return token;
    }

    private static WebFilter csrf(ServerCsrfTokenRepository tokens) {
        return new WebFilterChainProxy(ServerHttpSecurity.http()
                .csrf(csrf -> csrf.csrfTokenRepository(tokens)
                        .csrfTokenRequestHandler(new ServerCsrfTokenRequestAttributeHandler()))
                .build());
    }

    private static void assertTokenInCookie(Response response) {
        assertThat(response.header("Set-Cookie"))
                .singleElement()
                .asString()
                .startsWith("XSRF-TOKEN=" + response.body() + ";");
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H18_aTokenThatBeginsACookieIsForOneOnly(ReactiveServer.Make make) throws Exception {
        WebFilter csrf = csrf(CookieServerCsrfTokenRepository.withHttpOnlyFalse());
        try (HeldHandler server = new Setting().on(make).behind(csrf).start(FORM)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .allSatisfy(ValuesOfOneRequestTests::assertTokenInCookie);
        }
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H18_aTokenThatBeginsASessionIsForOneOnly(ReactiveServer.Make make) throws Exception {
        WebFilter csrf = csrf(new WebSessionServerCsrfTokenRepository());
        try (HeldHandler server = new Setting().on(make).behind(csrf).start(FORM)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .extracting(Response::body)
                    .doesNotHaveDuplicates();
        }
    }

    /** Spring copies all attributes to the request of a nested route, and back. */
    private static WebHandler nested(HandlerFunction<ServerResponse> handler) {
        return RouterFunctions.toWebHandler(RouterFunctions.route()
                .path("/a", nest -> nest.GET("", handler))
                .build());
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H18_aTokenThatANestedRouteAsksForIsForOneOnly(ReactiveServer.Make make) throws Exception {
        WebFilter csrf = csrf(new WebSessionServerCsrfTokenRepository());
        WebHandler form = nested(request ->
                token(request.exchange()).flatMap(token -> ServerResponse.ok().bodyValue(token.getToken())));
        try (HeldHandler server = new Setting().on(make).behind(csrf).start(form)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .extracting(Response::body)
                    .doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void aNestedRouteThatAsksForNoTokenIsShared(ReactiveServer.Make make) throws Exception {
        WebFilter csrf = csrf(new WebSessionServerCsrfTokenRepository());
        WebHandler page = nested(request -> ServerResponse.ok().bodyValue("page"));
        try (HeldHandler server = new Setting().on(make).behind(csrf).start(page)) {
            server.assertShared(HeldHandler.get());
        }
    }

    @Test
    void H18_aTokenThatIsReadFromACopyOfTheAttributesIsForOneOnly() throws Exception {
        WebFilter csrf = csrf(new WebSessionServerCsrfTokenRepository());
        WebHandler form = exchange -> {
            Map<String, Object> copy = new HashMap<>(exchange.getAttributes());
            Mono<?> token = (Mono<?>) Objects.requireNonNull(copy.get(CsrfToken.class.getName()));
            return token.cast(CsrfToken.class).flatMap(made -> HeldHandler.write(exchange, made.getToken()));
        };
        try (HeldHandler server = new Setting().behind(csrf).start(form)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .extracting(Response::body)
                    .doesNotHaveDuplicates();
        }
    }

    /** The request of an exchange has its attributes, too. */
    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H18_aTokenAmongTheAttributesOfTheRequestIsForOneOnly(ReactiveServer.Make make) throws Exception {
        WebFilter csrf = csrf(new WebSessionServerCsrfTokenRepository());
        WebHandler form = exchange -> {
            Mono<?> token = (Mono<?>)
                    Objects.requireNonNull(exchange.getRequest().getAttributes().get(CsrfToken.class.getName()));
            return token.cast(CsrfToken.class).flatMap(made -> HeldHandler.write(exchange, made.getToken()));
        };
        try (HeldHandler server = new Setting().on(make).behind(csrf).start(form)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .extracting(Response::body)
                    .doesNotHaveDuplicates();
        }
    }

    /** As the reference of Spring Security shows it for views: a filter in front puts the token itself among the attributes. */
    @Test
    void H18_aTokenThatAFilterInFrontHasPutAmongTheAttributesIsForOneOnly() throws Exception {
        WebFilter csrf = csrf(new WebSessionServerCsrfTokenRepository());
        WebFilter puts = (exchange, chain) -> token(exchange)
                .doOnNext(token -> exchange.getAttributes().put("_csrf", token))
                .then(chain.filter(exchange));
        WebHandler form = nested(request -> ServerResponse.ok()
                .bodyValue(((CsrfToken) request.attribute("_csrf").orElseThrow()).getToken()));
        try (HeldHandler server = new Setting().behind(csrf, puts).start(form)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .extracting(Response::body)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aPublisherThatTheHandlerItselfHasPutAmongTheAttributesIsShared() throws Exception {
        WebHandler handler = exchange -> {
            exchange.getAttributes().put("own", Mono.just("page"));
            exchange.getAttributes().putAll(Map.copyOf(exchange.getAttributes()));
            Mono<String> own = exchange.getAttribute("own");
            return Objects.requireNonNull(own).flatMap(text -> HeldHandler.write(exchange, text));
        };
        try (HeldHandler server = new Setting().start(handler)) {
            server.assertShared(HeldHandler.get());
        }
    }

    /** As the reference of Spring Security shows it for single-page applications. */
    @Test
    void H18_aTokenThatAFilterInFrontHasMadeIsForOneOnly() throws Exception {
        WebFilter csrf = csrf(CookieServerCsrfTokenRepository.withHttpOnlyFalse());
        WebFilter makes = (exchange, chain) -> token(exchange).then(chain.filter(exchange));
        try (HeldHandler server = new Setting().behind(csrf, makes).start(FORM)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .allSatisfy(ValuesOfOneRequestTests::assertTokenInCookie);
        }
    }

    /** A long page: its head is final when the form, far below, is rendered. */
    @Test
    void H18_aTokenBehindAFinalHeadIsForOneOnly() throws Exception {
        WebFilter csrf = csrf(CookieServerCsrfTokenRepository.withHttpOnlyFalse());
        WebFilter makes = (exchange, chain) -> token(exchange).then(chain.filter(exchange));
        WebHandler page = exchange -> {
            ServerHttpResponse response = exchange.getResponse();
            Flux<String> parts = Flux.concat(
                    Flux.just("token "), Flux.defer(() -> token(exchange).map(CsrfToken::getToken)));
            return response.writeWith(
                    parts.map(part -> response.bufferFactory().wrap(part.getBytes(StandardCharsets.UTF_8))));
        };
        try (HeldHandler server = new Setting().behind(csrf, makes).start(page)) {
            assertThat(server.responses(HeldHandler.get(), server.gathered(HeldHandler.get())))
                    .allSatisfy(response -> assertThat(response.header("Set-Cookie"))
                            .singleElement()
                            .asString()
                            .startsWith("XSRF-TOKEN=" + response.body().substring("token ".length()) + ";"));
        }
    }

    private static ServerWebExchange inContext(ContextView context) {
        return ServerWebExchangeContextFilter.getExchange(context).orElseThrow();
    }

    /** As a service does that is not given the exchange. */
    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H18_aTokenOfTheExchangeInTheContextIsForOneOnly(ReactiveServer.Make make) throws Exception {
        WebFilter csrf = csrf(new WebSessionServerCsrfTokenRepository());
        WebHandler form = exchange -> Mono.deferContextual(
                context -> token(inContext(context)).flatMap(token -> HeldHandler.write(exchange, token.getToken())));
        try (HeldHandler server = new Setting()
                .on(make)
                .behind(csrf, new ServerWebExchangeContextFilter())
                .start(form)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .extracting(Response::body)
                    .doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H05_aSessionThatBeginsByTheExchangeInTheContextIsForOneOnly(ReactiveServer.Make make) throws Exception {
        WebHandler basket = exchange ->
                Mono.deferContextual(context -> inContext(context).getSession().flatMap(session -> {
                    session.getAttributes().put("basket", "empty");
                    return HeldHandler.write(exchange, "basket of " + session.getId());
                }));
        try (HeldHandler server = new Setting()
                .on(make)
                .behind(new ServerWebExchangeContextFilter())
                .start(basket)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .allSatisfy(response -> assertThat(response.header("Set-Cookie"))
                            .singleElement()
                            .asString()
                            .startsWith("SESSION=" + response.body().substring("basket of ".length()) + ";"));
        }
    }

    private static WebHandler writesPast(Consumer<ServerHttpResponse> change) {
        return exchange -> Mono.deferContextual(context -> {
            change.accept(inContext(context).getResponse());
            return HeldHandler.write(exchange, "body");
        });
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H18_aCookieThatIsAddedToTheExchangeOfAFilterInFrontIsForOneOnly(ReactiveServer.Make make) throws Exception {
        WebHandler handler = writesPast(
                response -> response.addCookie(ResponseCookie.from("run", "1").build()));
        try (HeldHandler server = new Setting()
                .on(make)
                .behind(new ServerWebExchangeContextFilter())
                .start(handler)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .allSatisfy(response ->
                            assertThat(response.header("Set-Cookie")).hasSize(1));
        }
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H29_aHeaderThatIsSetOnTheExchangeOfAFilterInFrontReachesEveryClient(ReactiveServer.Make make)
            throws Exception {
        WebHandler handler = writesPast(response -> response.getHeaders().set("X-Past", "1"));
        try (HeldHandler server = new Setting()
                .on(make)
                .behind(new ServerWebExchangeContextFilter())
                .start(handler)) {
            assertThat(server.assertForwarded(HeldHandler.get()))
                    .allSatisfy(
                            response -> assertThat(response.header("X-Past")).containsExactly("1"));
        }
    }

    /** A filter in front says the same of every response, by default; the handler says it of its own. */
    @Test
    void H15_headersThatTheHandlerSetsAgainCount() throws Exception {
        WebFilter byDefault = (exchange, chain) -> {
            exchange.getResponse().getHeaders().setCacheControl("no-store");
            return chain.filter(exchange);
        };
        try (HeldHandler server = new Setting().behind(byDefault).start(exchange -> {
            exchange.getResponse().getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
            return HeldHandler.write(exchange, "one-time code");
        })) {
            server.assertForwarded(HeldHandler.get());
        }
        try (HeldHandler server = new Setting().behind(byDefault).start(exchange -> {
            return HeldHandler.write(exchange, "page");
        })) {
            server.assertShared(HeldHandler.get());
        }
    }
}
