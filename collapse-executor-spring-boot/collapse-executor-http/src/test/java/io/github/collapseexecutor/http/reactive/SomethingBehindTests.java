package io.github.collapseexecutor.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.ExchangeFunctions;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;

/** H36: where something behind the adapter can still change who asks, nobody gets another user's answer. */
@ExtendWith(NettyLeaks.class)
class SomethingBehindTests extends OriginFixture {

    private static final List<String> USERS = List.of("one", "two");
    private static final List<String> USERS_AND_NOBODY = List.of("one", "nobody", "two");

    // mutable, confined to the test
    private Warnings warnings;

    @BeforeEach
    void recordWarnings() {
        warnings = new Warnings();
    }

    @AfterEach
    void recordNoMore() {
        warnings.close();
    }

    private static CollapseExchangeFilterFunction collapsing() {
        return new CollapseExchangeFilterFunction(AtOnce.EVERYTHING, Callers.IN_FLIGHT);
    }

    /** Changes the request of those users that are somebody. */
    private static ExchangeFilterFunction forUser(Authentication authentication) {
        return (request, next) -> Mono.deferContextual(context -> {
            String user = context.get("user");
            return next.exchange(user.equals("nobody") ? request : authentication.of(request, user));
        });
    }

    /** How a filter puts a user on a request, and the header that tells the origin. */
    record Authentication(String header, java.util.function.BiFunction<ClientRequest, String, ClientRequest> with) {

        ClientRequest of(ClientRequest request, String user) {
            return with.apply(request, user);
        }

        @Override
        public String toString() {
            return header;
        }
    }

    static Stream<Authentication> authentications() {
        return Stream.of(
                new Authentication(
                        "Authorization",
                        (request, user) -> ClientRequest.from(request)
                                .headers(headers -> headers.set("Authorization", user))
                                .build()),
                new Authentication(
                        "X-Tenant",
                        (request, user) -> ClientRequest.create(request.method(), request.url())
                                .header("X-Tenant", user)
                                .build()),
                new Authentication(
                        "X-Late",
                        (request, user) -> ClientRequest.from(request)
                                .httpRequest(sent -> sent.getHeaders().set("X-Late", user))
                                .build()));
    }

    @ParameterizedTest
    @MethodSource("authentications")
    void H36_aFilterBehindTheCollapsingOneKeepsRequestsApart(Authentication authentication) throws Exception {
        WebClient client = WebClient.builder()
                .filter(collapsing())
                .filter(forUser(authentication))
                .build();
        AtOnce callers = new AtOnce(origin, authentication.header());
        callers.everybodyGetsTheirOwnByACallOfTheirOwn(USERS_AND_NOBODY, user -> callers.get(client, user));
        assertThat(warnings.messages())
                .singleElement()
                .asString()
                .contains("a lambda of " + SomethingBehindTests.class.getName(), "as the last filter");
    }

    @ParameterizedTest
    @MethodSource("authentications")
    void H36_theConnectorSeesTheRequestBehindEveryFilter(Authentication authentication) throws Exception {
        for (ClientHttpConnector transport : List.of(new ReactorClientHttpConnector(), new JdkClientHttpConnector())) {
            WebClient client = WebClient.builder()
                    .clientConnector(collapsing().around(transport))
                    .filter(forUser(authentication))
                    .build();
            AtOnce callers = new AtOnce(origin, authentication.header());
            callers.everybodyGetsTheirOwnByOneCallEach(USERS_AND_NOBODY, user -> callers.get(client, user));
            origin.holdNoMore();
        }
        assertThat(warnings.messages()).isEmpty();
    }

    @Test
    void H36_aCookieThatAFilterBehindAddsKeepsRequestsApart() throws Exception {
        Authentication cookie = new Authentication(
                "Cookie",
                (request, user) ->
                        ClientRequest.from(request).cookie("user", user).build());
        List<String> users = List.of("user=one", "user=two");
        Function<String, String> name = user -> user.substring("user=".length());
        AtOnce callers = new AtOnce(origin, "Cookie");
        WebClient behind =
                WebClient.builder().filter(collapsing()).filter(forUser(cookie)).build();
        callers.everybodyGetsTheirOwnByACallOfTheirOwn(users, user -> callers.get(behind, name.apply(user)));
        WebClient inFront =
                WebClient.builder().filter(forUser(cookie)).filter(collapsing()).build();
        callers.everybodyGetsTheirOwnByOneCallEach(users, user -> callers.get(inFront, name.apply(user)));
        WebClient below = WebClient.builder()
                .clientConnector(collapsing().around(new ReactorClientHttpConnector()))
                .filter(forUser(cookie))
                .build();
        callers.everybodyGetsTheirOwnByOneCallEach(users, user -> callers.get(below, name.apply(user)));
    }

    @Test
    void H36_aFilterInFrontIsNoObstacle() throws Exception {
        Authentication authorization = authentications().findFirst().orElseThrow();
        WebClient client = WebClient.builder()
                .filter(forUser(authorization))
                .filter(collapsing())
                .build();
        AtOnce callers = new AtOnce(origin, "Authorization");
        callers.everybodyGetsTheirOwnByOneCallEach(USERS_AND_NOBODY, user -> callers.get(client, user));
        assertThat(warnings.messages()).isEmpty();
    }

    /** The filter is composed into the function that sends, where no list of filters shows it. */
    @Test
    void H36_aFilterInsideTheExchangeFunctionKeepsRequestsApart() throws Exception {
        Authentication authorization = authentications().findFirst().orElseThrow();
        WebClient client = WebClient.builder()
                .exchangeFunction(
                        forUser(authorization).apply(ExchangeFunctions.create(new ReactorClientHttpConnector())))
                .filter(collapsing())
                .build();
        AtOnce callers = new AtOnce(origin, "Authorization");
        callers.everybodyGetsTheirOwnByACallOfTheirOwn(USERS_AND_NOBODY, user -> callers.get(client, user));
        assertThat(warnings.messages()).hasSize(1);
    }

    /** It is no filter, and hands another request than the watched one to the function that sends. */
    @ParameterizedTest
    @MethodSource("authentications")
    void H36_anExchangeFunctionOfTheApplicationKeepsRequestsApart(Authentication authentication) throws Exception {
        ExchangeFunction springs = ExchangeFunctions.create(new ReactorClientHttpConnector());
        WebClient client = WebClient.builder()
                .exchangeFunction(request -> forUser(authentication).filter(request, springs))
                .filter(collapsing())
                .build();
        AtOnce callers = new AtOnce(origin, authentication.header());
        callers.everybodyGetsTheirOwnByACallOfTheirOwn(USERS_AND_NOBODY, user -> callers.get(client, user));
        assertThat(warnings.messages())
                .singleElement()
                .asString()
                .contains("not Spring's, a lambda of " + SomethingBehindTests.class.getName());
    }

    /** The same below a connector, and around one. */
    @ParameterizedTest
    @MethodSource("authentications")
    void H36_theConnectorSeesWhatAnExchangeFunctionOfTheApplicationSends(Authentication authentication)
            throws Exception {
        ExchangeFunction springs = ExchangeFunctions.create(collapsing().around(new ReactorClientHttpConnector()));
        WebClient client = WebClient.builder()
                .exchangeFunction(request -> forUser(authentication).filter(request, springs))
                .build();
        AtOnce callers = new AtOnce(origin, authentication.header());
        callers.everybodyGetsTheirOwnByOneCallEach(USERS_AND_NOBODY, user -> callers.get(client, user));
        assertThat(warnings.messages()).isEmpty();
    }

    /** As in a native image: the filter notices only when it has sent its request that nothing of it got to the connector. */
    @ParameterizedTest
    @MethodSource("authentications")
    void H36_aRequestThatWasReplacedWhereNothingCanBeReadIsNotShared(Authentication authentication) throws Exception {
        WebClient client = WebClient.builder()
                .filter(new UnreadClient(AtOnce.EVERYTHING, Callers.IN_FLIGHT))
                .filter(forUser(authentication))
                .build();
        AtOnce callers = new AtOnce(origin, authentication.header());
        callers.everybodyGetsTheirOwn(USERS, user -> callers.get(client, user));
        assertThat(warnings.messages()).hasSize(1);
    }

    /** A connector that adds the user of the context to each request before it is written. */
    private static ClientHttpConnector authenticating(
            BiFunction<ClientHttpRequest, Function<? super ClientHttpRequest, Mono<Void>>, Mono<Void>> writer) {
        ClientHttpConnector transport = new ReactorClientHttpConnector();
        return (method, uri, callback) -> Mono.deferContextual(context -> transport.connect(method, uri, request -> {
            request.getHeaders().set("Authorization", context.<String>get("user"));
            return writer.apply(request, callback);
        }));
    }

    /** By a client that collapses in front of the connector, and by one whose connector does so. */
    private void everybodyGetsTheirOwnOver(ClientHttpConnector connector) throws Exception {
        for (WebClient client : List.of(
                WebClient.builder()
                        .clientConnector(connector)
                        .filter(collapsing())
                        .build(),
                WebClient.builder()
                        .clientConnector(collapsing().around(connector))
                        .build())) {
            AtOnce callers = new AtOnce(origin, "Authorization");
            callers.everybodyGetsTheirOwn(USERS, user -> callers.get(client, user));
            origin.holdNoMore();
        }
    }

    @Test
    void H36_aResponseToARequestThatTheConnectorReplacedIsNotShared() throws Exception {
        everybodyGetsTheirOwnOver(authenticating((request, callback) -> request.setComplete()));
        assertThat(warnings.messages())
                .hasSize(2)
                .allSatisfy(message -> assertThat(message).contains("sends a request of its own"));
    }

    @Test
    void H36_httpRequestKeepsRequestsOfTheFilterApart() throws Exception {
        WebClient client = WebClient.builder().filter(collapsing()).build();
        AtOnce callers = new AtOnce(origin, "Authorization");
        callers.everybodyGetsTheirOwnByACallOfTheirOwn(
                USERS, user -> get(client, request -> request.getHeaders().set("Authorization", user)));
        assertThat(warnings.messages()).singleElement().asString().contains("httpRequest(…)");
    }

    @Test
    void H36_theConnectorSeesWhatHttpRequestSets() throws Exception {
        WebClient client = WebClient.builder()
                .clientConnector(collapsing().around(new ReactorClientHttpConnector()))
                .build();
        AtOnce callers = new AtOnce(origin, "Authorization");
        callers.everybodyGetsTheirOwnByOneCallEach(
                USERS, user -> get(client, request -> request.getHeaders().set("Authorization", user)));
        callers.everybodyGetsTheirOwnByOneCallEach(
                USERS,
                user -> get(
                        client,
                        request -> request.beforeCommit(() ->
                                Mono.fromRunnable(() -> request.getHeaders().set("Authorization", user)))));
        assertThat(warnings.messages()).isEmpty();
    }

    @Test
    void H36_aCallbackThatAsksForTheNativeRequestIsNotCollapsedByTheConnector() throws Exception {
        WebClient client = WebClient.builder()
                .clientConnector(collapsing().around(new ReactorClientHttpConnector()))
                .build();
        AtOnce callers = new AtOnce(origin, "Authorization");
        callers.everybodyGetsTheirOwnByACallOfTheirOwn(
                USERS,
                user -> get(
                        client,
                        request -> request.<HttpClientRequest>getNativeRequest().header("Authorization", user)));
        callers.everybodyGetsTheirOwnByACallOfTheirOwn(
                USERS,
                user -> get(
                        client,
                        request -> request.beforeCommit(() -> Mono.fromRunnable(() ->
                                request.<HttpClientRequest>getNativeRequest().header("Authorization", user)))));
        assertThat(warnings.messages()).singleElement().asString().contains("asks for the request of the HTTP library");
    }

    private Mono<String> get(WebClient client, java.util.function.Consumer<ClientHttpRequest> callback) {
        return client.get()
                .uri(origin.uri("/a"))
                .httpRequest(callback)
                .retrieve()
                .bodyToMono(String.class);
    }

    /** The request that reaches the connector is not the one that the key was made of. */
    @Test
    void H36_aResponseToARequestThatTheConnectorChangedIsNotShared() throws Exception {
        everybodyGetsTheirOwnOver(authenticating((request, callback) -> callback.apply(request)));
    }

    /** A filter in front of a collapsing connector looks at a request that is recorded only, and at the one that is sent then. */
    @Test
    void H36_aFilterInFrontOfACollapsingConnectorIsNoObstacle() throws Exception {
        HttpClient netty = HttpClient.create().headers(headers -> headers.set("X-Of-Client", "same for all"));
        WebClient client = WebClient.builder()
                .clientConnector(collapsing().around(new ReactorClientHttpConnector(netty)))
                .filter(collapsing())
                .build();
        AtOnce callers = new AtOnce(origin, "X-Of-Client");
        callers.everybodyGetsTheirOwnByOneCallEach(List.of("same for all"), user -> callers.get(client, user));
        assertThat(warnings.messages()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("clientsThatAskTheContext")
    void H36_aFilterInFrontOfACollapsingConnectorSeesWhatReactorNettyChanges(HttpClient netty) throws Exception {
        WebClient client = WebClient.builder()
                .clientConnector(collapsing().around(new ReactorClientHttpConnector(netty)))
                .filter(collapsing())
                .build();
        AtOnce callers = new AtOnce(origin, "Authorization");
        callers.everybodyGetsTheirOwn(USERS, user -> callers.get(client, user));
        assertThat(warnings.messages())
                .isNotEmpty()
                .allSatisfy(message -> assertThat(message).contains("these headers of a request: [authorization]"));
    }

    static Stream<HttpClient> clientsThatAskTheContext() {
        return Stream.of(
                HttpClient.create().doOnRequest((request, connection) -> {
                    String user = request.currentContextView().get("user");
                    if (!user.equals("nobody")) {
                        request.header("Authorization", user);
                    }
                }),
                HttpClient.create()
                        .headersWhen(headers -> Mono.deferContextual(context -> {
                            String user = context.get("user");
                            return Mono.just(user.equals("nobody") ? headers : headers.set("Authorization", user));
                        })));
    }

    @ParameterizedTest
    @MethodSource("clientsThatAskTheContext")
    void H36_aResponseToARequestThatReactorNettyItselfChangedIsNotShared(HttpClient netty) throws Exception {
        everybodyGetsTheirOwnOver(new ReactorClientHttpConnector(netty));
        assertThat(warnings.messages())
                .hasSize(2)
                .allSatisfy(message -> assertThat(message).contains("these headers of a request: [authorization]"));
    }

    /** It is not a lambda of Spring's: the function itself is the client. */
    @Test
    void aFilterThatIsAppliedByHandCollapses() throws Exception {
        var sending = collapsing().apply(ExchangeFunctions.create(new ReactorClientHttpConnector()));
        Hold hold = origin.hold();
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            answers.add(sending.exchange(ClientRequest.create(HttpMethod.GET, origin.uri("/a"))
                            .build())
                    .flatMap(response -> response.bodyToMono(String.class))
                    .toFuture());
        }
        hold.await(1);
        hold.release();
        for (CompletableFuture<String> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("/a");
        }
        assertThat(origin.requests()).hasSize(1);
    }

    /** Requests outside every group do not even warn. */
    @Test
    void H36_anObstacleThatConcernsNoGroupIsNotReported() {
        origin.answer(request -> OriginReply.ok("a"));
        WebClient client = WebClient.builder()
                .filter(collapsing())
                .filter((request, next) -> next.exchange(request))
                .build();
        assertThat(client.post()
                        .uri(origin.uri("/a"))
                        .exchangeToMono(ClientResponse::toBodilessEntity)
                        .block())
                .isNotNull();
        assertThat(warnings.messages()).isEmpty();
    }
}
