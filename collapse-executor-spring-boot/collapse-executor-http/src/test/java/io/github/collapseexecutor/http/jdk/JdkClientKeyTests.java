package io.github.collapseexecutor.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.http.fixture.Warnings;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.CookieStore;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which requests of the JDK's client share a response: redirects, cookies, bodies, several clients. */
@OnEachJdk
class JdkClientKeyTests extends JdkClientFixture {

    @Test
    void H11_aWriteByOneWayKeepsReadsByTheOtherApart() throws Exception {
        HttpClient client = collapsing();
        HttpRequest post = request().POST(BodyPublishers.ofString("x")).build();
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> early = sendAsync(client);
        hold.await(1);
        origin.holdNoMore();
        client.send(post, BodyHandlers.ofString());
        Hold after = origin.hold();
        CompletableFuture<HttpResponse<String>> late = sendAsync(client);
        after.await(1);
        origin.holdNoMore();
        valueOf(client.sendAsync(post, BodyHandlers.ofString(), (asked, pushed, acceptor) -> {}));
        Hold last = origin.hold();
        CompletableFuture<HttpResponse<String>> latest = sendAsync(client);
        last.await(1);
        List.of(hold, after, last).forEach(Hold::release);
        valueOf(CompletableFuture.allOf(early, late, latest));
        assertThat(origin.requests())
                .extracting(OriginRequest::method)
                .containsExactly("GET", "POST", "GET", "POST", "GET");
    }

    private static HttpClient.Builder following() {
        return HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS);
    }

    private void redirect(int status, String name, String value) {
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(status, "Moved", "").with("Location", "/b").with(name, value)
                : OriginReply.ok(request.target()));
    }

    @Test
    void H19_aPermanentRedirectIsSharedAndEachHasItsOwnRequest() throws Exception {
        redirect(301, "X-Some", "1");
        HttpClient client = collapsing(following().build());
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        HttpRequest asked = request().header("traceparent", "two").build();
        CompletableFuture<HttpResponse<String>> follower = client.sendAsync(asked, BodyHandlers.ofString());
        origin.holdNoMore();
        hold.release();
        valueOf(leader);
        HttpResponse<String> response = valueOf(follower);
        assertThat(response.body()).isEqualTo("/b");
        assertThat(response.uri()).isEqualTo(origin.uri("/b"));
        assertThat(response.request().uri()).isEqualTo(origin.uri("/b"));
        assertThat(response.request().headers().firstValue("traceparent")).contains("two");
        HttpResponse<String> prior = response.previousResponse().orElseThrow();
        assertThat(prior.statusCode()).isEqualTo(301);
        assertThat(prior.headers().firstValue("X-Some")).contains("1");
        assertThat(prior.request()).isSameAs(asked);
        assertThat(prior.body()).isNull();
        assertThat(origin.requests()).hasSize(2);
    }

    private void assertRedirectNotShared(HttpClient client) throws Exception {
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> follower = sendAsync(client);
        origin.holdNoMore();
        hold.release();
        assertThat(valueOf(leader).body()).isEqualTo("/b");
        assertThat(valueOf(follower).body()).isEqualTo("/b");
        assertThat(origin.requests()).hasSize(4);
    }

    @Test
    void H19_aResponseThatCameByATemporaryRedirectIsNotShared() throws Exception {
        redirect(302, "X-Some", "1");
        assertRedirectNotShared(collapsing(following().build()));
    }

    @Test
    void H19_aResponseThatCameByARedirectForOneIsNotShared() throws Exception {
        redirect(301, "Cache-Control", "private");
        assertRedirectNotShared(collapsing(following().build()));
    }

    @Test
    void H19_aRedirectWithCookiesIsNotShared() throws Exception {
        redirect(301, "X-Some", "1");
        assertRedirectNotShared(
                collapsing(following().cookieHandler(new CookieManager()).build()));
    }

    @Test
    void H05_cookiesOfAHandlerArePartOfTheKey() throws Exception {
        CookieManager cookies = new CookieManager();
        HttpClient client =
                collapsing(HttpClient.newBuilder().cookieHandler(cookies).build());
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> before = sendAsync(client);
        hold.await(1);
        cookies.getCookieStore().add(origin.uri("/"), user("one"));
        CompletableFuture<HttpResponse<String>> after = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> joined = sendAsync(client);
        hold.release();
        assertThat(valueOf(before).body()).isEqualTo("null");
        assertThat(valueOf(after).body()).isEqualTo("user=one");
        assertThat(valueOf(joined).body()).isEqualTo("user=one");
        assertThat(origin.requests()).hasSize(2);
    }

    private static HttpCookie user(String name) {
        HttpCookie user = new HttpCookie("user", name);
        user.setPath("/");
        user.setVersion(0);
        return user;
    }

    private void answerWithUser() {
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
    }

    @Test
    void H36_aCookieThatComesBeforeTheRequestIsSentIsForTheLeaderOnly() throws Exception {
        CookieManager cookies = new CookieManager();
        HttpClient client = new CollapseHttpClient(
                HttpClient.newBuilder().cookieHandler(cookies).build(),
                everything().build(),
                CollapseOptions.defaults().toBuilder().maxConcurrentBatches(1).build());
        answerWithUser();
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> busy = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        CompletableFuture<HttpResponse<String>> follower = sendAsync(client);
        cookies.getCookieStore().add(origin.uri("/"), user("one"));
        Hold sent = origin.hold();
        hold.release();
        valueOf(busy);
        sent.await(1);
        cookies.getCookieStore().removeAll();
        origin.holdNoMore();
        sent.release();
        assertThat(valueOf(leader).body()).isEqualTo("user=one");
        assertThat(valueOf(follower).body()).isEqualTo("null");
    }

    @Test
    void H36_aCookieThatComesWhileTheRequestIsUnderWayIsForTheLeaderOnly() throws Exception {
        CookieManager cookies = new CookieManager();
        HttpClient client =
                collapsing(HttpClient.newBuilder().cookieHandler(cookies).build());
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> leader = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> follower = sendAsync(client);
        cookies.getCookieStore().add(origin.uri("/"), user("one"));
        origin.holdNoMore();
        hold.release();
        assertThat(valueOf(leader).body()).isEqualTo("/a");
        assertThat(valueOf(follower).body()).isEqualTo("/a");
        assertThat(origin.requests()).hasSize(2);
    }

    /** A handler that answers by thread. */
    private static final class UserOfThread extends CookieHandler {

        final ThreadLocal<String> user = new ThreadLocal<>();

        @Override
        public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers) {
            String present = user.get();
            return present == null ? Map.of() : Map.of("Cookie", List.of("user=" + present));
        }

        @Override
        public void put(URI uri, Map<String, List<String>> headers) {}
    }

    @Test
    void H36_withAnyOtherCookieHandlerEveryRequestIsSentOnItsOwnThread() throws Exception {
        UserOfThread handler = new UserOfThread();
        HttpClient plain = HttpClient.newBuilder().cookieHandler(handler).build();
        answerWithUser();
        try (Warnings warnings = new Warnings()) {
            HttpClient client = collapsing(plain);
            Hold hold = origin.hold();
            List<Caller<HttpResponse<String>>> sending = new ArrayList<>();
            for (String user : List.of("one", "two")) {
                sending.add(callers.start(() -> {
                    handler.user.set(user);
                    return client.send(get(), BodyHandlers.ofString());
                }));
            }
            hold.await(2);
            hold.release();
            assertThat(sending.get(0).get().body()).isEqualTo("user=one");
            assertThat(sending.get(1).get().body()).isEqualTo("user=two");
            assertThat(warnings.messages()).singleElement().asString().contains(UserOfThread.class.getName());
        }
    }

    @Test
    void H36_withACookieStoreOfOnesOwnNothingIsShared() throws Exception {
        CookieStore own = (CookieStore) Proxy.newProxyInstance(
                CookieStore.class.getClassLoader(),
                new Class<?>[] {CookieStore.class},
                (proxy, method, arguments) -> method.getReturnType() == List.class ? List.of() : false);
        HttpClient client = collapsing(HttpClient.newBuilder()
                .cookieHandler(new CookieManager(own, null))
                .build());
        assertApart(() -> sendAsync(client), () -> sendAsync(client));
    }

    @Test
    void H39_aCookieHandlerThatFailsDoesSoAsWithoutCollapsing() throws Exception {
        HttpClient plain = HttpClient.newBuilder()
                .cookieHandler(new CookieHandler() {
                    @Override
                    public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers)
                            throws IOException {
                        throw new IOException("no cookies");
                    }

                    @Override
                    public void put(URI uri, Map<String, List<String>> headers) {}
                })
                .build();
        try (Warnings warnings = new Warnings()) {
            assertThatThrownBy(() -> collapsing(plain).send(get(), BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no cookies");
            assertThat(warnings.messages()).singleElement().asString().contains("CookieHandler");
        }
    }

    @Test
    void H09_aRequestThatExpectsToContinueIsSentByItself() throws Exception {
        HttpClient client = collapsing();
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> plain = sendAsync(client);
        hold.await(1);
        CompletableFuture<HttpResponse<String>> expecting =
                client.sendAsync(request().expectContinue(true).build(), BodyHandlers.ofString());
        hold.await(1);
        expecting.cancel(true); // the origin is none that tells a client to continue
        hold.release();
        assertThat(valueOf(plain).body()).isEqualTo("/a");
    }

    @Test
    void H09_aRequestWithABodyIsSentByItself() throws Exception {
        HttpClient client = collapsing();
        HttpRequest asking =
                request().method("GET", BodyPublishers.ofString("question")).build();
        assertApart(
                () -> client.sendAsync(get(), BodyHandlers.ofString()),
                () -> client.sendAsync(asking, BodyHandlers.ofString()));
    }

    @Test
    void aRequestWithAPushPromiseHandlerIsSentByItself() throws Exception {
        HttpClient client = collapsing();
        try (Warnings warnings = new Warnings()) {
            assertApart(
                    () -> client.sendAsync(get(), BodyHandlers.ofString(), null),
                    () -> client.sendAsync(get(), BodyHandlers.ofString(), (asked, pushed, acceptor) -> {}));
            assertThat(warnings.messages()).singleElement().asString().contains("PushPromiseHandler");
        }
    }

    private interface Sending {
        CompletableFuture<HttpResponse<String>> send();
    }

    /** Both are at the origin at the same time. */
    private void assertApart(Sending first, Sending second) throws Exception {
        Hold hold = origin.hold();
        CompletableFuture<HttpResponse<String>> one = first.send();
        hold.await(1);
        CompletableFuture<HttpResponse<String>> other = second.send();
        hold.await(1);
        hold.release();
        assertThat(valueOf(one).statusCode()).isEqualTo(200);
        assertThat(valueOf(other).statusCode()).isEqualTo(200);
    }

    @Test
    void H35_requestsOfTwoClientsDoNotShare() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
        Hold hold = origin.hold();
        for (HttpClient client : List.of(collapsing(), collapsing())) {
            responses.add(sendAsync(client));
            hold.await(1);
            responses.add(sendAsync(client));
        }
        hold.release();
        for (CompletableFuture<HttpResponse<String>> response : responses) {
            assertThat(valueOf(response).body()).isEqualTo("/a");
        }
        assertThat(origin.requests()).hasSize(2);
    }

    @Test
    void H36_aClientThatMayStillChangeARequestIsNotCollapsed() throws Exception {
        HttpClient client = collapsing(new WatchedClient(JdkClients.PLAIN));
        try (Warnings warnings = new Warnings()) {
            Hold hold = origin.hold();
            List<CompletableFuture<HttpResponse<String>>> responses = List.of(sendAsync(client), sendAsync(client));
            hold.await(2);
            hold.release();
            for (CompletableFuture<HttpResponse<String>> response : responses) {
                assertThat(valueOf(response).body()).isEqualTo("/a");
            }
            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .contains(WatchedClient.class.getName(), "have it wrap the CollapseHttpClient");
        }
    }
}
