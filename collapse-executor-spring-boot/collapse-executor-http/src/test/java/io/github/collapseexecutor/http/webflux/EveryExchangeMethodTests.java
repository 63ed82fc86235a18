package io.github.collapseexecutor.http.webflux;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.fixture.Answers;
import io.github.collapseexecutor.http.fixture.Answers.Replacement;
import io.github.collapseexecutor.http.fixture.RawClient;
import io.github.collapseexecutor.http.fixture.TestClient.Request;
import io.github.collapseexecutor.http.fixture.TestClient.Response;
import io.github.collapseexecutor.http.webflux.HeldHandler.Setting;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ApplicationContext;
import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.SimpleLocaleContext;
import org.springframework.context.i18n.SimpleTimeZoneAwareLocaleContext;
import org.springframework.context.i18n.TimeZoneAwareLocaleContext;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.codec.multipart.FormFieldPart;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.RequestPath;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebHandler;
import org.springframework.web.server.WebSession;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A filter in front may decorate an exchange, or its request, and replace the answer of a single method, by something that nothing else of the request
 * shows. Two requests share a handler only if that method gives the same for both. Every method of Spring's API that runs is tried, or is left out for
 * a reason.
 */
@OnEachLine
class EveryExchangeMethodTests {

    /** A browser's header, at which no policy looks. */
    private static final String TENANT = "Sec-Tenant";

    /** The methods that are not tried, each behind a reason. */
    private static final Map<String, Set<String>> LEFT_OUT = Map.of(
            "the guide names it: a policy counts the address of a client if it says so",
            Set.of("getRemoteAddress"),
            "the guide names them: what is left in attributes",
            Set.of("getAttribute", "getAttributes", "getRequiredAttribute", "getAttributeOrDefault"),
            "they are another thing for each request",
            Set.of("getId", "getLogPrefix"),
            "they begin with what is tried",
            Set.of("mutate", "getRequest"),
            "the filter has Spring do it, with the request and the response that the handler has",
            Set.of("checkNotModified"),
            "they answer nothing about a request",
            Set.of("getResponse", "cleanupMultipart", "addUrlTransformer"));

    private static Replacement of(Function<String, @Nullable Object> made) {
        return (answer, tenant) -> made.apply(tenant);
    }

    private static Replacement ofUri(Function<String, String> rest) {
        return (answer, tenant) -> URI.create("http://localhost" + rest.apply(tenant));
    }

    private static <T> T only(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> 1;
                    default -> answers.get(method.getName());
                }));
    }

    private static MultiValueMap<String, String> parameter(String tenant) {
        return MultiValueMap.fromSingleValue(Map.of("tenant", tenant));
    }

    private static Locale locale(String tenant) {
        return tenant.equals("1") ? Locale.FRANCE : Locale.GERMANY;
    }

    private static SslInfo ssl(Map<String, Object> answers) {
        return only(SslInfo.class, answers);
    }

    private static HttpHeaders headers(@Nullable Object own, String tenant) {
        HttpHeaders headers = new HttpHeaders();
        ((HttpHeaders) Objects.requireNonNull(own))
                .forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
        headers.set("tenant", tenant);
        return headers;
    }

    private static Flux<DataBuffer> body(String text) {
        return Flux.defer(
                () -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.UTF_8))));
    }

    /** What replaces the answer of each method of a request, in one way or several; null is the answer that is missing. */
    private static final Map<String, List<Replacement>> OF_REQUEST = Map.ofEntries(
            entry(
                    "getURI",
                    List.of(
                            ofUri(tenant -> "/a" + tenant),
                            ofUri(tenant -> "/a?tenant=" + tenant),
                            ofUri(tenant -> "/a#" + tenant),
                            of(tenant -> URI.create("http" + tenant + "://localhost/a")),
                            of(tenant -> URI.create("http://localhost" + tenant + "/a")),
                            of(tenant -> URI.create("http://" + tenant + "@localhost/a")),
                            of(tenant -> URI.create("http://localhost:" + tenant + "/a")),
                            of(tenant -> URI.create("/a?" + tenant)),
                            of(tenant -> URI.create("tenant:" + tenant)))),
            entry(
                    "getPath",
                    List.of(
                            of(tenant -> RequestPath.parse("/a" + tenant, "")),
                            of(tenant -> RequestPath.parse("/" + tenant + "/a", "/" + tenant)))),
            entry(
                    "getQueryParams",
                    List.of(
                            of(EveryExchangeMethodTests::parameter),
                            (answer, tenant) -> tenant.equals("1") ? new LinkedMultiValueMap<>() : answer)),
            entry("getHeaders", List.of(EveryExchangeMethodTests::headers)),
            entry(
                    "getCookies",
                    List.of(of(tenant ->
                            MultiValueMap.fromSingleValue(Map.of("tenant", new HttpCookie("tenant", tenant)))))),
            entry(
                    "getMethod",
                    List.of(
                            of(tenant -> HttpMethod.valueOf("TENANT" + tenant)),
                            of(tenant -> tenant.equals("1") ? HttpMethod.GET : HttpMethod.OPTIONS))),
            entry(
                    "getLocalAddress",
                    List.of(
                            of(tenant -> InetSocketAddress.createUnresolved("host" + tenant, 80)),
                            of(tenant -> InetSocketAddress.createUnresolved("host", 80 + Integer.parseInt(tenant))),
                            of(tenant -> tenant.equals("1") ? null : InetSocketAddress.createUnresolved("host", 80)))),
            entry(
                    "getSslInfo",
                    List.of(
                            of(tenant -> ssl(Map.of("getSessionId", tenant))),
                            of(tenant -> tenant.equals("1") ? null : ssl(Map.of("getSessionId", tenant))),
                            of(tenant -> ssl(
                                    Map.of("getPeerCertificates", new X509Certificate[Integer.parseInt(tenant)]))))),
            entry("getBody", List.of(of(EveryExchangeMethodTests::body))));

    /** The same for an exchange. */
    private static final Map<String, List<Replacement>> OF_EXCHANGE = Map.ofEntries(
            entry(
                    "getSession",
                    List.of(
                            of(tenant ->
                                    Mono.just(only(WebSession.class, Map.of("getId", tenant, "isStarted", false)))),
                            of(tenant ->
                                    Mono.just(only(WebSession.class, Map.of("getId", tenant, "isStarted", true)))))),
            entry("getPrincipal", List.of(of(tenant -> Mono.just((Principal) () -> tenant)))),
            entry(
                    "getFormData",
                    List.of(
                            of(tenant -> Mono.just(parameter(tenant))),
                            (answer, tenant) -> tenant.equals("1") ? answer : Mono.just(parameter(tenant)))),
            entry(
                    "getMultipartData",
                    List.of(of(tenant -> Mono.just(MultiValueMap.fromSingleValue(
                            Map.<String, Part>of("tenant", only(FormFieldPart.class, Map.of("value", tenant)))))))),
            entry(
                    "getLocaleContext",
                    List.of(
                            of(tenant -> new SimpleLocaleContext(locale(tenant))),
                            of(tenant -> new SimpleLocaleContext(new Locale.Builder()
                                    .setUnicodeLocaleKeyword("ca", tenant.equals("1") ? "buddhist" : "japanese")
                                    .build())),
                            of(tenant -> new SimpleTimeZoneAwareLocaleContext(
                                    Locale.FRANCE, TimeZone.getTimeZone("GMT+" + tenant))))),
            entry("getApplicationContext", List.of(of(tenant -> {
                StaticApplicationContext context = new StaticApplicationContext();
                context.setId(tenant);
                return context;
            }))),
            entry("isNotModified", List.of(of("1"::equals))),
            entry(
                    "transformUrl",
                    List.of(
                            (answer, tenant) -> answer + tenant,
                            (answer, tenant) -> tenant.equals("1") ? answer : answer + tenant)));

    /** A request of which one method tells the tenant. */
    private static final class DecoratedRequest extends ServerHttpRequestDecorator {

        // immutable
        private final Answers answers;

        DecoratedRequest(ServerHttpRequest request, Answers answers) {
            super(request);
            this.answers = answers;
        }

        @Override
        public HttpMethod getMethod() {
            return answers.to("getMethod", super::getMethod);
        }

        @Override
        public URI getURI() {
            return answers.to("getURI", super::getURI);
        }

        @Override
        public RequestPath getPath() {
            return answers.to("getPath", super::getPath);
        }

        @Override
        public MultiValueMap<String, String> getQueryParams() {
            return answers.to("getQueryParams", super::getQueryParams);
        }

        @Override
        public HttpHeaders getHeaders() {
            return answers.to("getHeaders", super::getHeaders);
        }

        @Override
        public MultiValueMap<String, HttpCookie> getCookies() {
            return answers.to("getCookies", super::getCookies);
        }

        @Override
        public @Nullable InetSocketAddress getLocalAddress() {
            return answers.to("getLocalAddress", super::getLocalAddress);
        }

        @Override
        public @Nullable SslInfo getSslInfo() {
            return answers.to("getSslInfo", super::getSslInfo);
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return answers.to("getBody", super::getBody);
        }
    }

    /** An exchange of which one method tells the tenant. */
    private static final class DecoratedExchange extends ServerWebExchangeDecorator {

        // immutable
        private final Answers answers;

        DecoratedExchange(ServerWebExchange exchange, Answers answers) {
            super(exchange);
            this.answers = answers;
        }

        @Override
        public Mono<WebSession> getSession() {
            return answers.to("getSession", super::getSession);
        }

        @Override
        public <T extends Principal> Mono<T> getPrincipal() {
            return answers.to("getPrincipal", super::<T>getPrincipal);
        }

        @Override
        public Mono<MultiValueMap<String, String>> getFormData() {
            return answers.to("getFormData", super::getFormData);
        }

        @Override
        public Mono<MultiValueMap<String, Part>> getMultipartData() {
            return answers.to("getMultipartData", super::getMultipartData);
        }

        @Override
        public LocaleContext getLocaleContext() {
            return answers.to("getLocaleContext", super::getLocaleContext);
        }

        @Override
        public @Nullable ApplicationContext getApplicationContext() {
            return answers.to("getApplicationContext", super::getApplicationContext);
        }

        @Override
        public boolean isNotModified() {
            return answers.to("isNotModified", super::isNotModified);
        }

        @Override
        public String transformUrl(String url) {
            return answers.to("transformUrl", () -> super.transformUrl(url));
        }
    }

    /** How a filter replaces an answer. */
    private enum Way {
        DECORATOR {
            @Override
            ServerHttpRequest of(ServerHttpRequest request, Answers answers) {
                return new DecoratedRequest(request, answers);
            }

            @Override
            ServerWebExchange of(ServerWebExchange exchange, Answers answers) {
                return new DecoratedExchange(exchange, answers);
            }
        },
        /** Another filter adds a header to the request, or a user to the exchange, behind. */
        DECORATOR_BELOW_A_CHANGE {
            @Override
            ServerHttpRequest of(ServerHttpRequest request, Answers answers) {
                return DECORATOR.of(request, answers).mutate().header("X", "x").build();
            }

            @Override
            ServerWebExchange of(ServerWebExchange exchange, Answers answers) {
                return DECORATOR
                        .of(exchange, answers)
                        .mutate()
                        .request(request -> request.header("X", "x"))
                        .build();
            }
        },
        PROXY {
            @Override
            ServerHttpRequest of(ServerHttpRequest request, Answers answers) {
                return answers.proxy(ServerHttpRequest.class, request);
            }

            @Override
            ServerWebExchange of(ServerWebExchange exchange, Answers answers) {
                return answers.proxy(ServerWebExchange.class, exchange);
            }
        };

        abstract ServerHttpRequest of(ServerHttpRequest request, Answers answers);

        abstract ServerWebExchange of(ServerWebExchange exchange, Answers answers);
    }

    /** What Spring works out of the address again, when a filter changes a request. */
    private static final Set<String> OF_THE_ADDRESS = Set.of("getPath", "getQueryParams");

    private static Stream<Method> methods(Class<?> type) {
        Set<String> leftOut = LEFT_OUT.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        return Stream.of(type.getMethods()).filter(method -> !leftOut.contains(method.getName()));
    }

    @Test
    void everyMethodIsReplacedOrLeftOut() {
        assertThat(methods(ServerHttpRequest.class).map(Method::getName)).isSubsetOf(OF_REQUEST.keySet());
        assertThat(methods(ServerWebExchange.class).map(Method::getName)).isSubsetOf(OF_EXCHANGE.keySet());
    }

    private static Stream<Arguments> cases(Map<String, List<Replacement>> replacements) {
        List<Arguments> all = new ArrayList<>();
        for (ReactiveServer.Make make : ReactiveServer.Make.values()) {
            new TreeMap<>(replacements).forEach((method, ways) -> {
                for (int index = 0; index < ways.size(); index++) {
                    for (Way way : Way.values()) {
                        if (way == Way.DECORATOR_BELOW_A_CHANGE && OF_THE_ADDRESS.contains(method)) {
                            continue;
                        }
                        all.add(Arguments.of(make, way, method, index));
                    }
                }
            });
        }
        return all.stream();
    }

    static Stream<Arguments> requests() {
        return cases(OF_REQUEST);
    }

    static Stream<Arguments> exchanges() {
        return cases(OF_EXCHANGE);
    }

    private static @Nullable Object answer(Object asked, String name) {
        Method method = methods(asked instanceof ServerHttpRequest ? ServerHttpRequest.class : ServerWebExchange.class)
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        try {
            return method.getParameterCount() == 0 ? method.invoke(asked) : method.invoke(asked, "/link");
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Mono<String> text(@Nullable Object answer) {
        if (answer instanceof Mono<?> mono) {
            return mono.cast(Object.class)
                    .flatMap(EveryExchangeMethodTests::text)
                    .defaultIfEmpty("nothing");
        } else if (answer instanceof Flux<?> body) {
            return DataBufferUtils.join(body.cast(DataBuffer.class))
                    .map(joined -> joined.toString(StandardCharsets.UTF_8))
                    .defaultIfEmpty("nothing");
        } else if (answer instanceof HttpHeaders headers) {
            return Mono.just(String.valueOf(headers.getFirst("tenant")));
        } else if (answer instanceof Principal user) {
            return Mono.just(user.getName());
        } else if (answer instanceof WebSession session) {
            return Mono.just(session.getId());
        } else if (answer instanceof ApplicationContext context) {
            return Mono.just(String.valueOf(context.getId()));
        } else if (answer instanceof SslInfo ssl) {
            X509Certificate[] certificates = ssl.getPeerCertificates();
            return Mono.just(ssl.getSessionId() + (certificates == null ? "" : certificates.length));
        } else if (answer instanceof LocaleContext context) {
            String zone = context instanceof TimeZoneAwareLocaleContext aware
                    ? Objects.requireNonNull(aware.getTimeZone()).getID()
                    : "";
            return Mono.just(Objects.requireNonNull(context.getLocale()).toLanguageTag() + zone);
        } else if (answer instanceof RequestPath path) {
            return Mono.just(path.contextPath().value() + " "
                    + path.pathWithinApplication().value());
        } else if (answer instanceof MultiValueMap<?, ?> map && first(map) instanceof FormFieldPart part) {
            return Mono.just(part.value());
        }
        return Mono.just(String.valueOf(answer));
    }

    private static @Nullable Object first(MultiValueMap<?, ?> map) {
        List<?> values = map.get("tenant");
        return values == null ? null : values.get(0);
    }

    private static Setting replacing(ReactiveServer.Make make, Function<ServerWebExchange, ServerWebExchange> change) {
        WebFilter front = (exchange, chain) -> chain.filter(change.apply(exchange));
        return new Setting().on(make).behind(front);
    }

    private static Function<ServerWebExchange, ServerWebExchange> request(
            Function<ServerWebExchange, ServerHttpRequest> replaced) {
        return exchange -> exchange.mutate().request(replaced.apply(exchange)).build();
    }

    private static String tenant(ServerWebExchange exchange) {
        return String.valueOf(exchange.getRequest().getHeaders().getFirst(TENANT));
    }

    private static Request of(String tenant) {
        return HeldHandler.get("/a?b=c").with(TENANT, tenant);
    }

    /** Two requests of each tenant come together; each has to be answered as without collapsing. */
    private static void assertApart(String of, Supplying setting, WebHandler handler) throws Exception {
        List<Request> requests = List.of(of("1"), of("2"), of("1"), of("2"));
        List<String> expected = new ArrayList<>();
        try (HeldHandler plain = setting.get().withoutCollapsing().start(handler)) {
            plain.release();
            for (Request request : requests) {
                expected.add(plain.send(request).response("GET").body());
            }
        }
        assertThat(expected.get(0))
                .as("a set-up in which the answers differ: %s", of)
                .isNotEqualTo(expected.get(1));
        try (HeldHandler server = setting.get().start(handler)) {
            List<RawClient> clients = new ArrayList<>();
            for (Request request : requests) {
                clients.add(server.arrived(request));
            }
            server.release();
            List<String> answers = new ArrayList<>();
            for (RawClient client : clients) {
                answers.add(client.response("GET").body());
            }
            assertThat(answers).as(of).isEqualTo(expected);
        }
    }

    private interface Supplying {

        Setting get();
    }

    @ParameterizedTest
    @MethodSource("requests")
    void H04_H12_requestsOfWhichADecoratorSaysOneThingOtherwiseShareNoRun(
            ReactiveServer.Make make, Way way, String method, int index) throws Exception {
        Replacement replacement = OF_REQUEST.get(method).get(index);
        Function<ServerWebExchange, ServerHttpRequest> replaced =
                exchange -> way.of(exchange.getRequest(), new Answers(method, replacement, tenant(exchange)));
        assertApart(
                make + " " + way + " " + method + " " + index,
                () -> replacing(make, request(replaced)),
                exchange -> text(answer(exchange.getRequest(), method))
                        .flatMap(text -> HeldHandler.write(exchange, "answer " + text)));
    }

    @ParameterizedTest
    @MethodSource("exchanges")
    void H04_H05_exchangesOfWhichADecoratorSaysOneThingOtherwiseShareNoRun(
            ReactiveServer.Make make, Way way, String method, int index) throws Exception {
        Replacement replacement = OF_EXCHANGE.get(method).get(index);
        assertApart(
                make + " " + way + " " + method + " " + index,
                () -> replacing(make, exchange -> way.of(exchange, new Answers(method, replacement, tenant(exchange)))),
                exchange ->
                        text(answer(exchange, method)).flatMap(text -> HeldHandler.write(exchange, "answer " + text)));
    }

    private static void assertInNoGroup(Setting setting) throws Exception {
        try (HeldHandler server = setting.of("/a").start(exchange -> HeldHandler.write(exchange, "body"))) {
            server.assertApart(of("1"), of("1"));
        }
    }

    /** A path and an address: Spring finds a handler by the one, and the handler may go by the other. */
    static Stream<Arguments> paths() {
        return requests().filter(each -> {
            Object[] of = each.get();
            return (of[2].equals("getPath") || of[2].equals("getURI")) && of[3].equals(0);
        });
    }

    @ParameterizedTest
    @MethodSource("paths")
    void H13_aGroupIsForThePathThatADecoratorSaysToo(ReactiveServer.Make make, Way way, String method, int index)
            throws Exception {
        Answers answers = new Answers(method, OF_REQUEST.get(method).get(index), "1");
        assertInNoGroup(replacing(make, request(exchange -> way.of(exchange.getRequest(), answers))));
    }

    /** A proxy names a prefix, or a server has a context path: it is no part of the path that patterns match, or it is sent and so is one. */
    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H13_aContextPathThatADecoratorSaysIsNoPartOfThePath(ReactiveServer.Make make) throws Exception {
        Answers prefixed = new Answers("getPath", of(tenant -> RequestPath.parse("/shop/a", "/shop")), "1");
        Setting setting = replacing(
                make,
                request(exchange -> new DecoratedRequest(
                        new DecoratedRequest(exchange.getRequest(), prefixed),
                        new Answers("getURI", ofUri(tenant -> "/shop/a?b=c"), "1"))));
        try (HeldHandler server = setting.of("/a").start(exchange -> HeldHandler.write(exchange, "body"))) {
            server.assertShared(HeldHandler.get("/a?b=c"));
        }
    }

    static Stream<Arguments> waysOnEveryServer() {
        return Stream.of(ReactiveServer.Make.values())
                .flatMap(make -> Stream.of(Way.values()).map(way -> Arguments.of(make, way)));
    }

    /** A decorator that answers as what it decorates is no reason to run a handler twice, whatever the handler asks for. */
    @ParameterizedTest
    @MethodSource("waysOnEveryServer")
    void aDecoratorThatReplacesNothingKeepsNobodyApart(ReactiveServer.Make make, Way way) throws Exception {
        Answers unchanged = new Answers("none", of(tenant -> null), "");
        AtomicInteger turn = new AtomicInteger();
        Setting setting = replacing(make, exchange -> {
            ServerWebExchange changed = exchange.mutate()
                    .request(way.of(exchange.getRequest(), unchanged))
                    .build();
            return switch (way == Way.DECORATOR ? turn.getAndIncrement() % 3 : 2) {
                case 0 -> exchange;
                case 1 -> changed;
                default -> way.of(changed, unchanged);
            };
        });
        WebHandler asking = exchange -> Flux.concat(methods(ServerHttpRequest.class)
                        .filter(method -> way != Way.PROXY || !method.getName().equals("getBody")) // it may be HTTP/2
                        .map(method -> text(answer(exchange.getRequest(), method.getName())))
                        .toList())
                .collectList()
                .flatMap(text -> HeldHandler.write(exchange, text.toString()));
        try (HeldHandler server = setting.start(asking)) {
            server.assertShared(of("1"));
        }
    }

    /** What Spring has made, and a decorator does not replace, is for all. */
    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void anExchangeOfWhichNothingIsReplacedKeepsNobodyApart(ReactiveServer.Make make) throws Exception {
        Answers unchanged = new Answers("none", of(tenant -> null), "");
        AtomicInteger turn = new AtomicInteger();
        Setting setting = replacing(
                make,
                exchange -> turn.getAndIncrement() % 2 == 0 ? exchange : new DecoratedExchange(exchange, unchanged));
        WebHandler asking = exchange -> Flux.concat(
                        Stream.of("getFormData", "getMultipartData", "getApplicationContext", "transformUrl")
                                .map(method -> text(answer(exchange, method)))
                                .toList())
                .collectList()
                .flatMap(text -> exchange.getSession().then(HeldHandler.write(exchange, text.toString())));
        try (HeldHandler server = setting.start(asking)) {
            server.assertShared(of("1"));
        }
    }

    /** As Thymeleaf asks for links. */
    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H12_linksThatAFilterInFrontHasTransformedOtherwiseAreForOneOnly(ReactiveServer.Make make) throws Exception {
        assertApart(
                make.toString(),
                () -> replacing(make, exchange -> {
                    String tenant = tenant(exchange);
                    exchange.addUrlTransformer(url -> url + tenant);
                    return exchange;
                }),
                exchange -> HeldHandler.write(exchange, exchange.transformUrl("/link")));
    }

    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void linksThatAFilterInFrontHasTransformedAlikeAreShared(ReactiveServer.Make make) throws Exception {
        Setting setting = replacing(make, exchange -> {
            exchange.addUrlTransformer(url -> "https://cdn.example" + url);
            return exchange;
        });
        try (HeldHandler server =
                setting.start(exchange -> HeldHandler.write(exchange, exchange.transformUrl("/link")))) {
            assertThat(server.assertShared(HeldHandler.get()).get(1).body()).isEqualTo("https://cdn.example/link");
        }
    }

    /** Strips what the client has sent for others, say for its statistics, from the address alone. */
    @ParameterizedTest
    @EnumSource(ReactiveServer.Make.class)
    void H12_parametersThatADecoratorHasTakenFromTheAddressOnlyCount(ReactiveServer.Make make) throws Exception {
        Setting setting = replacing(
                make,
                request(exchange -> new DecoratedRequest(
                        exchange.getRequest(), new Answers("getURI", ofUri(tenant -> "/a"), "1"))));
        WebHandler handler = exchange -> HeldHandler.write(
                exchange, String.valueOf(exchange.getRequest().getQueryParams().getFirst("utm")));
        try (HeldHandler server = setting.start(handler)) {
            assertThat(server.assertApart(HeldHandler.get("/a?utm=1"), HeldHandler.get("/a?utm=2")))
                    .extracting(Response::body)
                    .containsExactly("1", "2");
        }
    }
}
