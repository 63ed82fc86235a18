package io.github.collapseexecutor.http.reactive;

import io.github.collapseexecutor.http.fixture.Callers;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;

/** H35: requests of different clients never share a call, even where all clients have one adapter; those of one client do. */
@ExtendWith(NettyLeaks.class)
class SeveralClientsTests extends OriginFixture {

    private static final List<String> USERS = List.of("one", "two");

    /** How the clients of users differ, below the filter; and the header that tells the origin. */
    record Difference(String header, Function<String, ClientHttpConnector> connectors) {

        @Override
        public String toString() {
            return header;
        }
    }

    static Stream<Difference> differences() {
        return Stream.of(
                netty("X-User", user -> HttpClient.create().headers(headers -> headers.set("X-User", user))),
                netty(
                        "Authorization",
                        user -> HttpClient.create().headers(headers -> headers.set("Authorization", user))),
                netty("Cookie", user -> HttpClient.create().headers(headers -> headers.set("Cookie", user))),
                netty(
                        "User-Agent",
                        user -> HttpClient.create()
                                .doOnRequest((request, connection) -> request.header("User-Agent", user))),
                new Difference(
                        "Cookie",
                        user -> new JdkClientHttpConnector(java.net.http.HttpClient.newBuilder()
                                .cookieHandler(new CookiesOf(user))
                                .build())));
    }

    /** A cookie store with one cookie. */
    private static final class CookiesOf extends CookieHandler {

        private final String user;

        CookiesOf(String user) {
            this.user = user;
        }

        @Override
        public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers) {
            return Map.of("Cookie", List.of(user));
        }

        @Override
        public void put(URI uri, Map<String, List<String>> headers) {
            // it keeps what it has
        }
    }

    private static Difference netty(String header, Function<String, HttpClient> clients) {
        return new Difference(header, user -> new ReactorClientHttpConnector(clients.apply(user)));
    }

    @ParameterizedTest
    @MethodSource("differences")
    void H35_clientsWithOneFilterAreKeptApart(Difference difference) throws Exception {
        CollapseExchangeFilterFunction shared =
                new CollapseExchangeFilterFunction(AtOnce.EVERYTHING, Callers.IN_FLIGHT);
        Map<String, WebClient> clients = clients(user -> WebClient.builder()
                .clientConnector(difference.connectors().apply(user))
                .filter(shared)
                .build());
        AtOnce callers = new AtOnce(origin, difference.header());
        callers.everybodyGetsTheirOwnByOneCallEach(USERS, user -> callers.get(clients.get(user), user));
    }

    @ParameterizedTest
    @MethodSource("differences")
    void H35_clientsWithConnectorsAreKeptApart(Difference difference) throws Exception {
        CollapseExchangeFilterFunction options =
                new CollapseExchangeFilterFunction(AtOnce.EVERYTHING, Callers.IN_FLIGHT);
        Map<String, WebClient> clients = clients(user -> WebClient.builder()
                .clientConnector(options.around(difference.connectors().apply(user)))
                .build());
        AtOnce callers = new AtOnce(origin, difference.header());
        callers.everybodyGetsTheirOwnByOneCallEach(USERS, user -> callers.get(clients.get(user), user));
    }

    @Test
    void H35_instancesForOtherClientsShareNothing() throws Exception {
        CollapseExchangeFilterFunction first = new CollapseExchangeFilterFunction(AtOnce.EVERYTHING, Callers.IN_FLIGHT);
        Map<String, WebClient> clients = clients(user -> WebClient.builder()
                .clientConnector(of(user))
                .filter(first.forAnotherClient())
                .build());
        AtOnce callers = new AtOnce(origin, "X-User");
        callers.everybodyGetsTheirOwnByOneCallEach(USERS, user -> callers.get(clients.get(user), user));
    }

    /** A copy of a client has an exchange function, and may have a connector, of its own. */
    @Test
    void H35_aMutatedClientIsAnotherClient() throws Exception {
        WebClient first = WebClient.builder()
                .clientConnector(of("one"))
                .filter(new CollapseExchangeFilterFunction(AtOnce.EVERYTHING, Callers.IN_FLIGHT))
                .build();
        WebClient second = first.mutate().clientConnector(of("two")).build();
        AtOnce callers = new AtOnce(origin, "X-User");
        callers.everybodyGetsTheirOwnByOneCallEach(
                USERS, user -> callers.get(user.equals("one") ? first : second, user));
    }

    /** Each proxy is an origin, so that the answer tells by which one the request went; only the first one holds calls. */
    @Test
    void H35_clientsBehindDifferentProxiesAreKeptApart() throws Exception {
        CollapseExchangeFilterFunction shared =
                new CollapseExchangeFilterFunction(AtOnce.EVERYTHING, Callers.IN_FLIGHT);
        AtOnce callers = new AtOnce(origin, "X-User");
        try (ScriptedOrigin second = ScriptedOrigin.start()) {
            second.forgetRequests();
            Map<String, ScriptedOrigin> proxies = Map.of("one", origin, "two", second);
            proxies.forEach((user, proxy) -> proxy.answer(request -> OriginReply.ok(user)));
            Map<String, WebClient> clients = clients(user -> WebClient.builder()
                    .clientConnector(new JdkClientHttpConnector(java.net.http.HttpClient.newBuilder()
                            .proxy(ProxySelector.of(new InetSocketAddress(
                                    InetAddress.getLoopbackAddress(),
                                    proxies.get(user).uri("/").getPort())))
                            .build()))
                    .filter(shared)
                    .build());
            callers.everybodyGetsTheirOwn(
                    USERS,
                    user -> clients.get(user)
                            .get()
                            .uri("http://collapse.example/a")
                            .retrieve()
                            .bodyToMono(String.class));
        }
    }

    private static ClientHttpConnector of(String user) {
        return new ReactorClientHttpConnector(HttpClient.create().headers(headers -> headers.set("X-User", user)));
    }

    private static Map<String, WebClient> clients(Function<String, WebClient> client) {
        Map<String, WebClient> clients = new TreeMap<>();
        USERS.forEach(user -> clients.put(user, client.apply(user)));
        return clients;
    }
}
