package io.github.collapseexecutor.http;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.fixture.Answers;
import io.github.collapseexecutor.http.fixture.Answers.Replacement;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.hc5.CollapseExecChainHandler;
import io.github.collapseexecutor.http.jdk.CollapseHttpClient;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterators;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.net.URIAuthority;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.support.HttpRequestWrapper;
import org.springframework.util.MultiValueMap;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Something in front of an adapter may wrap a request and replace the answer of a single method. Each caller gets what it would get without collapsing. Every
 * method of the API that runs is tried, or is left out for a reason.
 */
@OnEachLine
class EveryClientRequestMethodTests extends OriginFixture {

    /** The methods that are not tried, each behind a reason. */
    private static final Map<String, Set<String>> LEFT_OUT = Map.of(
            "nobody sees what it writes before it is asked to, and Spring's own writes what the others say",
            Set.of("writeTo"),
            "they change a request",
            Set.of("removeHeader", "removeHeaders"),
            "the client waits for an interim response, which the origin of the tests does not give; it counts as a header",
            Set.of("expectContinue"));

    /** What the calling thread's request is wrapped into. */
    private static final ThreadLocal<Answers> WRAPPING = new ThreadLocal<>();

    private static URI uri(@Nullable Object own, String rest) {
        return URI.create(String.valueOf(own) + rest);
    }

    private static final Replacement PATH = (own, tenant) -> uri(own, tenant);
    private static final Replacement QUERY = (own, tenant) -> uri(own, "?tenant=" + tenant);
    private static final Replacement FRAGMENT = (own, tenant) -> uri(own, "#" + tenant);

    private static HttpHeaders headers(@Nullable Object own, String tenant) {
        HttpHeaders headers = new HttpHeaders();
        ((HttpHeaders) Objects.requireNonNull(own))
                .forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
        headers.set("tenant", tenant);
        return headers;
    }

    private static final Replacement METHOD = (own, tenant) -> tenant.equals("1") ? own : HttpMethod.OPTIONS;

    /** A client, the type of its requests, and what replaces the answer of each method. */
    private enum Client {
        JDK(HttpRequest.class) {
            @Override
            Map<String, List<Replacement>> replacements() {
                return Map.ofEntries(
                        entry("method", List.of((own, tenant) -> tenant.equals("1") ? own : "OPTIONS")),
                        entry("uri", List.of(PATH, QUERY, FRAGMENT)),
                        entry(
                                "headers",
                                List.of((own, tenant) -> java.net.http.HttpHeaders.of(
                                        Map.of("tenant", List.of(tenant)), (name, value) -> true))),
                        entry(
                                "bodyPublisher",
                                List.of((own, tenant) ->
                                        Optional.of(BodyPublishers.ofString("x".repeat(Integer.parseInt(tenant)))))),
                        entry(
                                "version",
                                List.of((own, tenant) -> Optional.of(
                                        tenant.equals("1") ? HttpClient.Version.HTTP_1_1 : HttpClient.Version.HTTP_2))),
                        entry(
                                "timeout",
                                List.of((own, tenant) -> Optional.of(Duration.ofMinutes(Integer.parseInt(tenant))))));
            }

            @Override
            Sending caller(@Nullable HttpCollapseOptions http, URI uri) {
                HttpClient plain = HttpClient.newHttpClient();
                HttpClient client = http == null ? plain : new CollapseHttpClient(plain, http, IN_FLIGHT);
                return (answers, tenant) -> client.send(
                                new WrappedRequest(HttpRequest.newBuilder(uri).build(), answers),
                                BodyHandlers.ofString())
                        .body();
            }
        },
        SPRING(org.springframework.http.HttpRequest.class) {
            @Override
            Map<String, List<Replacement>> replacements() {
                return Map.of(
                        "getMethod",
                        List.of(METHOD),
                        "getURI",
                        List.of(PATH, QUERY, FRAGMENT),
                        "getHeaders",
                        List.of(EveryClientRequestMethodTests::headers),
                        "getAttributes",
                        List.of((own, tenant) -> Map.of("tenant", tenant)));
            }

            @Override
            Sending caller(@Nullable HttpCollapseOptions http, URI uri) {
                List<ClientHttpRequestInterceptor> interceptors = new ArrayList<>();
                interceptors.add(
                        (request, body, next) -> next.execute(new WrappedSpringRequest(request, WRAPPING.get()), body));
                if (http != null) {
                    interceptors.add(new CollapseHttpRequestInterceptor(http, IN_FLIGHT));
                }
                RestClient client = RestClient.builder()
                        .requestFactory(new SimpleClientHttpRequestFactory())
                        .requestInterceptors(all -> all.addAll(interceptors))
                        .build();
                return (answers, tenant) -> {
                    WRAPPING.set(answers);
                    return String.valueOf(client.get().uri(uri).retrieve().body(String.class));
                };
            }
        },
        /** An interceptor of the chain hands on what another library made. */
        APACHE(ClassicHttpRequest.class) {
            @Override
            Map<String, List<Replacement>> replacements() {
                Replacement header = (own, tenant) -> new BasicHeader("tenant", tenant);
                return Map.ofEntries(
                        entry("getMethod", List.of((own, tenant) -> tenant.equals("1") ? own : "OPTIONS")),
                        entry("getPath", List.of((own, tenant) -> own + tenant, (own, tenant) -> own + "?" + tenant)),
                        entry("getRequestUri", List.of((own, tenant) -> own + tenant)),
                        entry("getUri", List.of(PATH, QUERY, FRAGMENT)),
                        entry("getScheme", List.of((own, tenant) -> tenant.equals("1") ? own : "https")),
                        entry("getAuthority", List.of((own, tenant) -> new URIAuthority("host" + tenant))),
                        entry(
                                "getVersion",
                                List.of((own, tenant) ->
                                        tenant.equals("1") ? HttpVersion.HTTP_1_1 : HttpVersion.HTTP_1_0)),
                        entry(
                                "getEntity",
                                List.of((own, tenant) -> new StringEntity("x".repeat(Integer.parseInt(tenant))))),
                        entry(
                                "getHeaders",
                                List.of((own, tenant) -> Stream.concat(
                                                Stream.of((Header[]) Objects.requireNonNull(own)),
                                                Stream.of(new BasicHeader("tenant", tenant)))
                                        .toArray(Header[]::new))),
                        entry(
                                "headerIterator",
                                List.of((own, tenant) -> Stream.concat(
                                                StreamSupport.stream(
                                                        Spliterators.spliteratorUnknownSize((Iterator<?>) own, 0),
                                                        false),
                                                Stream.of(new BasicHeader("tenant", tenant)))
                                        .iterator())),
                        entry("getFirstHeader", List.of(header)),
                        entry("getLastHeader", List.of(header)),
                        entry("getHeader", List.of(header)),
                        entry("containsHeader", List.of((own, tenant) -> tenant.equals("1") ? own : false)),
                        entry("countHeaders", List.of((own, tenant) -> Integer.parseInt(tenant))));
            }

            @Override
            boolean isSharedWhateverWraps() {
                return false;
            }

            @Override
            Sending caller(@Nullable HttpCollapseOptions http, URI uri) {
                HttpClientBuilder builder = HttpClients.custom().disableAutomaticRetries();
                String behind = ChainElement.CONNECT.name();
                if (http != null) {
                    builder.addExecInterceptorBefore(behind, "collapse", new CollapseExecChainHandler(http, IN_FLIGHT));
                    behind = "collapse";
                }
                CloseableHttpClient client = builder.addExecInterceptorBefore(
                                behind,
                                "front",
                                (request, scope, chain) ->
                                        chain.proceed(WRAPPING.get().proxy(ClassicHttpRequest.class, request), scope))
                        .build();
                return (answers, tenant) -> {
                    WRAPPING.set(answers);
                    return client.execute(
                            new HttpGet(uri),
                            response -> response.getCode() + " " + EntityUtils.toString(response.getEntity()));
                };
            }
        },
        WEB_CLIENT(ClientRequest.class) {
            @Override
            Map<String, List<Replacement>> replacements() {
                return Map.ofEntries(
                        entry("method", List.of(METHOD)),
                        entry("url", List.of(PATH, QUERY, FRAGMENT)),
                        entry("headers", List.of(EveryClientRequestMethodTests::headers)),
                        entry(
                                "cookies",
                                List.of((own, tenant) -> MultiValueMap.fromSingleValue(Map.of("tenant", tenant)))),
                        entry(
                                "body",
                                List.of((own, tenant) ->
                                        BodyInserters.fromValue("x".repeat(Integer.parseInt(tenant))))),
                        entry("attributes", List.of((own, tenant) -> Map.of("tenant", tenant))),
                        entry("httpRequest", List.of((own, tenant) -> null)),
                        entry("logPrefix", List.of((own, tenant) -> tenant)));
            }

            /** A request of Spring's own make that has the answers of another: what is written is what it answers. */
            private static ClientRequest made(ClientRequest answering) {
                return ClientRequest.from(answering).build();
            }

            @Override
            Sending caller(@Nullable HttpCollapseOptions http, URI uri) {
                ExchangeFilterFunction front =
                        (request, next) -> next.exchange(made(WRAPPING.get().proxy(ClientRequest.class, request)));
                WebClient.Builder builder = WebClient.builder().filter(front);
                if (http != null) {
                    builder.filter(new CollapseExchangeFilterFunction(http, IN_FLIGHT));
                }
                WebClient client = builder.build();
                return (answers, tenant) -> {
                    WRAPPING.set(answers);
                    return String.valueOf(client.get()
                            .uri(uri)
                            .retrieve()
                            .bodyToMono(String.class)
                            .block(Duration.ofSeconds(60)));
                };
            }
        };

        // immutable
        private final Class<?> type;

        Client(Class<?> type) {
            this.type = type;
        }

        abstract Map<String, List<Replacement>> replacements();

        /** Whether the adapter sees what is sent in a wrapper of any class. */
        boolean isSharedWhateverWraps() {
            return true;
        }

        /** What sends wrapped requests. */
        abstract Sending caller(@Nullable HttpCollapseOptions http, URI uri);

        Stream<String> methods() {
            Set<String> leftOut =
                    LEFT_OUT.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
            return Stream.of(type.getMethods())
                    .filter(method ->
                            Modifier.isAbstract(method.getModifiers()) && method.getReturnType() != void.class)
                    .map(Method::getName)
                    .filter(method -> !leftOut.contains(method));
        }
    }

    private interface Sending {

        String call(Answers answers, String tenant) throws Exception;
    }

    /** A request of the JDK's client of which one method tells the tenant. */
    private static final class WrappedRequest extends HttpRequest {

        // immutable
        private final HttpRequest request;
        private final Answers answers;

        WrappedRequest(HttpRequest request, Answers answers) {
            this.request = request;
            this.answers = answers;
        }

        @Override
        public Optional<BodyPublisher> bodyPublisher() {
            return answers.to("bodyPublisher", request::bodyPublisher);
        }

        @Override
        public String method() {
            return answers.to("method", request::method);
        }

        @Override
        public Optional<Duration> timeout() {
            return answers.to("timeout", request::timeout);
        }

        @Override
        public boolean expectContinue() {
            return answers.to("expectContinue", request::expectContinue);
        }

        @Override
        public URI uri() {
            return answers.to("uri", request::uri);
        }

        @Override
        public Optional<HttpClient.Version> version() {
            return answers.to("version", request::version);
        }

        @Override
        public java.net.http.HttpHeaders headers() {
            return answers.to("headers", request::headers);
        }
    }

    /** A request of Spring's blocking clients of which one method tells the tenant. */
    private static final class WrappedSpringRequest extends HttpRequestWrapper {

        // immutable
        private final Answers answers;

        WrappedSpringRequest(org.springframework.http.HttpRequest request, Answers answers) {
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
        public Map<String, Object> getAttributes() {
            return answers.to("getAttributes", super::getAttributes);
        }

        @Override
        public HttpHeaders getHeaders() {
            return answers.to("getHeaders", super::getHeaders);
        }
    }

    @Test
    void everyMethodIsReplacedOrLeftOut() {
        for (Client client : Client.values()) {
            assertThat(client.methods()).isSubsetOf(client.replacements().keySet());
        }
    }

    static Stream<Arguments> everyMethod() {
        List<Arguments> all = new ArrayList<>();
        for (Client client : Client.values()) {
            client.replacements().forEach((method, ways) -> {
                for (int index = 0; index < ways.size(); index++) {
                    all.add(Arguments.of(client, method, index));
                }
            });
        }
        return all.stream();
    }

    private static String shown(OriginRequest request) {
        return request.method() + " " + request.target() + " " + request.header("tenant") + " "
                + request.header("Cookie") + " " + request.header("Expect") + " " + request.header("Content-Length")
                + " "
                + request.header("Host");
    }

    @Override
    @BeforeEach
    protected void open() throws IOException {
        super.open();
        origin.answer(request -> OriginReply.ok(shown(request)));
    }

    @ParameterizedTest
    @MethodSource("everyMethod")
    void H02_H04_H36_requestsOfWhichAWrapperSaysOneThingOtherwiseGetTheirOwn(Client client, String method, int index)
            throws Exception {
        Replacement replacement = client.replacements().get(method).get(index);
        Sending plain = client.caller(null, origin.uri("/a"));
        List<String> expected = new ArrayList<>();
        for (String tenant : List.of("1", "2")) {
            expected.add(plain.call(new Answers(method, replacement, tenant), tenant));
        }
        int before = origin.requests().size();
        HttpCollapseControl control = new HttpCollapseControl();
        Sending collapsing = client.caller(everything().control(control).build(), origin.uri("/a"));
        Hold hold = origin.hold();
        List<Caller<String>> asking = new ArrayList<>();
        for (String tenant : List.of("1", "2")) {
            Callable<String> call = () -> collapsing.call(new Answers(method, replacement, tenant), tenant);
            asking.add(callers.start(call));
            int present = asking.size();
            Awaitility.await()
                    .until(() -> control.counts().callers() == present
                            || origin.requests().size() == before + present);
        }
        origin.holdNoMore();
        hold.release();
        assertThat(resultsOf(asking)).as("%s %s %s", client, method, index).isEqualTo(expected);
        boolean shared = expected.get(0).equals(expected.get(1)) && client.isSharedWhateverWraps();
        assertThat(origin.requests())
                .as("what nobody sees keeps nobody apart, where it is seen what is sent")
                .hasSize(before + (shared ? 1 : 2));
    }
}
