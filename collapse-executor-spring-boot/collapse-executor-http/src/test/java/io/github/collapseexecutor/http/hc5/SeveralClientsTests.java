package io.github.collapseexecutor.http.hc5;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.OriginRequest;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.CredentialsProvider;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.cookie.BasicCookieStore;
import org.apache.hc.client5.http.cookie.CookieStore;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.cookie.BasicClientCookie;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** H35: clients that have one adapter in common and differ otherwise never get each other's answers. */
@OnEachJdk
class SeveralClientsTests extends ApacheClientFixture {

    private static final int ROUNDS = 100;
    private static final int CALLERS = 8;

    // mutable, confined to the test
    private ScriptedOrigin proxyOfOne;
    private ScriptedOrigin proxyOfTwo;

    @BeforeEach
    void startProxies() throws IOException {
        proxyOfOne = ScriptedOrigin.start();
        proxyOfOne.answer(request -> OriginReply.ok("one"));
        proxyOfTwo = ScriptedOrigin.start();
        proxyOfTwo.answer(request -> OriginReply.ok("two"));
        origin.answer(request -> OriginReply.ok(userOf(request)));
    }

    @AfterEach
    void stopProxies() throws IOException {
        proxyOfOne.close();
        proxyOfTwo.close();
    }

    private static String userOf(OriginRequest request) {
        String authorization = request.header("Authorization");
        if (authorization != null) {
            byte[] pair = Base64.getDecoder().decode(authorization.substring("Basic ".length()));
            String name = new String(pair, StandardCharsets.UTF_8);
            return name.substring(0, name.indexOf(':'));
        }
        String cookie = request.header("Cookie");
        return cookie == null ? String.valueOf(request.header("X-User")) : cookie.substring("user=".length());
    }

    private HttpHost proxyOf(String user) {
        return HttpHost.create((user.equals("one") ? proxyOfOne : proxyOfTwo).uri(""));
    }

    private CookieStore cookiesOf(String user) {
        BasicClientCookie cookie = new BasicClientCookie("user", user);
        cookie.setDomain(origin.uri("/").getHost());
        cookie.setPath("/");
        CookieStore cookies = new BasicCookieStore();
        cookies.addCookie(cookie);
        return cookies;
    }

    private static CredentialsProvider credentialsOf(String user) {
        BasicCredentialsProvider provider = new BasicCredentialsProvider();
        provider.setCredentials(new AuthScope(null, -1), new UsernamePasswordCredentials(user, "word".toCharArray()));
        return provider;
    }

    /** Makes a call as a user. */
    private interface AsUser {
        String call(String user, String target) throws IOException;
    }

    private void assertNeverAnothersAnswer(AsUser clients) throws Exception {
        origin.forgetRequests();
        proxyOfOne.forgetRequests();
        proxyOfTwo.forgetRequests();
        CyclicBarrier barrier = new CyclicBarrier(CALLERS);
        List<Caller<List<String>>> repeating = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            String user = i % 2 == 0 ? "one" : "two";
            repeating.add(callers.start(() -> {
                List<String> wrong = new ArrayList<>();
                for (int round = 0; round < ROUNDS; round++) {
                    barrier.await(30, TimeUnit.SECONDS);
                    String answer = clients.call(user, "/user/" + round);
                    if (!answer.equals(user)) {
                        wrong.add(answer);
                    }
                }
                return wrong;
            }));
        }
        for (Caller<List<String>> caller : repeating) {
            assertThat(caller.get()).isEmpty();
        }
    }

    /** Two clients that have the adapter in common, each configured for its user. */
    private void assertApartIfConfigured(BiConsumer<HttpClientBuilder, String> configure) throws Exception {
        CollapseExecChainHandler shared = handler();
        List<CloseableHttpClient> clients = new ArrayList<>();
        for (String user : List.of("one", "two")) {
            HttpClientBuilder builder = ApacheClients.builder();
            configure.accept(builder, user);
            clients.add(ApacheClients.collapsing(builder, shared).build());
        }
        assertNeverAnothersAnswer((user, target) -> bodyOf(clients.get(user.equals("one") ? 0 : 1), get(target)));
    }

    /**
     * As with a certificate of the client's: its connections say who it is, once they are there. The header makes the adapter compare
     * the request that was sent with the one that has arrived.
     */
    @Test
    void H35_theUserThatAConnectionTellsChangesNoRequest() throws Exception {
        CloseableHttpClient client = collapsing(ApacheClients.builder()
                .setUserTokenHandler((route, context) -> "of the certificate")
                .addRequestInterceptorLast((request, entity, context) -> request.setHeader("traceparent", "1")));
        assertThat(together(List.of(() -> bodyOf(client), () -> bodyOf(client))))
                .containsOnly("null");
        assertThat(origin.requests()).hasSize(1);
    }

    @Test
    void H35_clientsThatHaveTheAdapterInCommonDoNotShare() throws Exception {
        CollapseExecChainHandler shared = handler();
        CloseableHttpClient one =
                ApacheClients.collapsing(ApacheClients.builder(), shared).build();
        CloseableHttpClient two =
                ApacheClients.collapsing(ApacheClients.builder(), shared).build();
        apart(List.of(() -> bodyOf(one), () -> bodyOf(two)));
    }

    @Test
    void H35_cookieStore() throws Exception {
        assertApartIfConfigured((builder, user) -> builder.setDefaultCookieStore(cookiesOf(user)));
    }

    @Test
    void H35_credentialsProvider() throws Exception {
        origin.answer(request -> request.header("Authorization") == null
                ? OriginReply.status(401, "Unauthorized", "").with("WWW-Authenticate", "Basic realm=\"test\"")
                : OriginReply.ok(userOf(request)));
        assertApartIfConfigured((builder, user) -> builder.setDefaultCredentialsProvider(credentialsOf(user)));
    }

    @Test
    void H35_proxy() throws Exception {
        assertApartIfConfigured((builder, user) -> builder.setProxy(proxyOf(user)));
    }

    @Test
    void H35_defaultHeaders() throws Exception {
        assertApartIfConfigured((builder, user) -> builder.setDefaultHeaders(List.of(new BasicHeader("X-User", user))));
    }

    @Test
    void H35_requestInterceptor() throws Exception {
        assertApartIfConfigured((builder, user) ->
                builder.addRequestInterceptorLast((request, entity, context) -> request.setHeader("X-User", user)));
    }

    /** One client; the callers' contexts say who they are. */
    private void assertApartIfInContext(BiConsumer<HttpClientContext, String> configure) throws Exception {
        CloseableHttpClient client = collapsing();
        assertNeverAnothersAnswer((user, target) -> {
            HttpClientContext context = HttpClientContext.create();
            configure.accept(context, user);
            return client.execute(get(target), context, response -> EntityUtils.toString(response.getEntity()));
        });
    }

    @Test
    void H35_cookieStoreOfAContext() throws Exception {
        assertApartIfInContext((context, user) -> context.setCookieStore(cookiesOf(user)));
    }

    @Test
    void H35_credentialsProviderOfAContext() throws Exception {
        origin.answer(request -> request.header("Authorization") == null
                ? OriginReply.status(401, "Unauthorized", "").with("WWW-Authenticate", "Basic realm=\"test\"")
                : OriginReply.ok(userOf(request)));
        assertApartIfInContext((context, user) -> context.setCredentialsProvider(credentialsOf(user)));
    }

    @Test
    void H35_routesOfOneClientDoNotShare() throws Exception {
        ThreadLocal<String> user = new ThreadLocal<>();
        CloseableHttpClient client = collapsing(ApacheClients.builder()
                .setRoutePlanner((target, context) -> new HttpRoute(
                        HttpHost.create(origin.uri("")), (InetAddress) null, proxyOf(user.get()), false)));
        assertNeverAnothersAnswer((asked, target) -> {
            user.set(asked);
            return bodyOf(client, get(target));
        });
    }
}
