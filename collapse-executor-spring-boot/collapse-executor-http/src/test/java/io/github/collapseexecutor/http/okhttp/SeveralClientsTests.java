package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.fixture.Callers.Caller;
import io.github.collapseexecutor.http.fixture.OriginReply;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.Authenticator;
import okhttp3.Cache;
import okhttp3.ConnectionPool;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H35: clients that have one interceptor in common and differ otherwise never get each other's answers. */
@OnEachJdk
class SeveralClientsTests extends OkHttpFixture {

    private static final int ROUNDS = 100;
    private static final int CALLERS = 20;

    private final CollapseOkHttpInterceptor shared =
            new CollapseOkHttpInterceptor(everything().build(), IN_FLIGHT);

    // mutable, confined to the test
    private ScriptedOrigin proxy;

    @BeforeEach
    void startProxy() throws IOException {
        proxy = ScriptedOrigin.start();
        proxy.answer(request -> OriginReply.ok("by the proxy"));
    }

    @AfterEach
    void stopProxy() throws IOException {
        proxy.close();
    }

    /** Configures one of two clients that differ in this only. */
    private interface Part {
        OkHttpClient.Builder on(OkHttpClient.Builder client);
    }

    private static final Part NOTHING = client -> client;

    private HttpUrl url(String target) {
        return HttpUrl.get(origin.uri(target).toString());
    }

    /** Each call gets the answer that a client without the interceptor gets which is configured alike. */
    private void neverAnothersAnswer(HttpUrl url, Part one, Part two) throws Exception {
        List<OkHttpClient> clients = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (Part part : List.of(one, two)) {
            expected.add(outcome(part.on(OkHttpClients.PLAIN.newBuilder()).build(), url));
            clients.add(part.on(OkHttpClients.PLAIN.newBuilder().addInterceptor(shared))
                    .build());
        }
        assertThat(expected).doesNotHaveDuplicates();
        origin.forgetRequests();
        proxy.forgetRequests();
        CyclicBarrier barrier = new CyclicBarrier(CALLERS);
        List<Caller<List<String>>> repeating = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int which = i % 2;
            repeating.add(callers.start(() -> {
                List<String> wrong = new ArrayList<>();
                for (int round = 0; round < ROUNDS; round++) {
                    barrier.await();
                    String outcome = outcome(clients.get(which), url);
                    if (!outcome.equals(expected.get(which))) {
                        wrong.add(outcome);
                    }
                }
                return wrong;
            }));
        }
        for (Caller<List<String>> caller : repeating) {
            assertThat(caller.get()).isEmpty();
        }
    }

    private static String outcome(OkHttpClient client, HttpUrl url) {
        Request request = new Request.Builder().url(url).build();
        try (Response response = client.newCall(request).execute()) {
            return response.code() + " " + response.body().string();
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Proxy httpProxy() {
        URI address = proxy.uri("/");
        return new Proxy(Proxy.Type.HTTP, new InetSocketAddress(address.getHost(), address.getPort()));
    }

    @Test
    void H35_proxy() throws Exception {
        neverAnothersAnswer(url("/a"), NOTHING, client -> client.proxy(httpProxy()));
    }

    @Test
    void H35_proxySelector() throws Exception {
        ProxySelector selector = new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                return List.of(httpProxy());
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        };
        neverAnothersAnswer(url("/a"), NOTHING, client -> client.proxySelector(selector));
    }

    @Test
    void H35_proxyAuthenticator() throws Exception {
        proxy.answer(request -> request.header("Proxy-Authorization") == null
                ? OriginReply.status(407, "Proxy Authentication Required", "")
                : OriginReply.ok(String.valueOf(request.header("Proxy-Authorization"))));
        neverAnothersAnswer(
                url("/a"),
                client -> client.proxy(httpProxy()).proxyAuthenticator(adding("Proxy-Authorization", "one")),
                client -> client.proxy(httpProxy()).proxyAuthenticator(adding("Proxy-Authorization", "two")));
    }

    private static Authenticator adding(String header, String value) {
        return (route, response) -> response.request().header(header) != null
                ? null
                : response.request().newBuilder().header(header, value).build();
    }

    @Test
    void H35_authenticator() throws Exception {
        origin.answer(request -> request.header("Authorization") == null
                ? OriginReply.status(401, "Unauthorized", "")
                : OriginReply.ok(String.valueOf(request.header("Authorization"))));
        neverAnothersAnswer(
                url("/a"),
                client -> client.authenticator(adding("Authorization", "one")),
                client -> client.authenticator(adding("Authorization", "two")));
    }

    @Test
    void H35_dns() throws Exception {
        HttpUrl url = url("/a").newBuilder().host("service.test").build();
        neverAnothersAnswer(
                url,
                client -> client.dns(host -> List.of(InetAddress.getLoopbackAddress())),
                client -> client.dns(host -> {
                    throw new UnknownHostException(host);
                }));
    }

    @Test
    void H35_socketFactory() throws Exception {
        SocketAddress other =
                new InetSocketAddress(proxy.uri("/").getHost(), proxy.uri("/").getPort());
        // OkHttp itself reuses a connection of another factory, if the two have the pool in common
        neverAnothersAnswer(
                url("/a"),
                NOTHING,
                client -> client.connectionPool(new ConnectionPool()).socketFactory(new RedirectingSockets(other)));
    }

    /** Sockets that connect to an address of their own choice. */
    private static final class RedirectingSockets extends UnconnectedSockets {

        private final SocketAddress address;

        RedirectingSockets(SocketAddress address) {
            this.address = address;
        }

        @Override
        public Socket createSocket() {
            return new Socket() {
                @Override
                public void connect(SocketAddress ignored, int timeout) throws IOException {
                    super.connect(address, timeout);
                }
            };
        }
    }

    @Test
    void H35_sslSocketFactory() throws Exception {
        HttpUrl url = url("/a").newBuilder().scheme("https").build();
        neverAnothersAnswer(
                url,
                client -> client.sslSocketFactory(new RefusingTls("one"), new NoTrust()),
                client -> client.sslSocketFactory(new RefusingTls("two"), new NoTrust()));
    }

    /** A client certificate that is refused, say: the failure shows whose it was. */
    private static final class RefusingTls extends SSLSocketFactory {

        private final String name;

        RefusingTls(String name) {
            this.name = name;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return new String[0];
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return new String[0];
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
            throw new IOException(name);
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class NoTrust implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void H35_cookieJar() throws Exception {
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Cookie"))));
        neverAnothersAnswer(
                url("/a"),
                NOTHING,
                client -> client.cookieJar(new CookieJar() {
                    @Override
                    public void saveFromResponse(HttpUrl answered, List<Cookie> cookies) {}

                    @Override
                    public List<Cookie> loadForRequest(HttpUrl asked) {
                        return List.of(new Cookie.Builder()
                                .name("user")
                                .value("two")
                                .domain(asked.host())
                                .build());
                    }
                }));
    }

    @Test
    void H35_cache(@TempDir File directory) throws Exception {
        try (Cache cache = new Cache(directory, 1 << 20)) {
            OkHttpClient filling = OkHttpClients.PLAIN.newBuilder().cache(cache).build();
            origin.answer(request -> OriginReply.ok("cached").with("Cache-Control", "max-age=1000"));
            outcome(filling, url("/a"));
            origin.answer(request -> OriginReply.ok("of the origin").with("Cache-Control", "max-age=1000"));
            neverAnothersAnswer(url("/a"), NOTHING, client -> client.cache(cache));
        }
    }

    @Test
    void H35_followRedirects() throws Exception {
        origin.answer(request -> request.target().equals("/a")
                ? OriginReply.status(301, "Moved Permanently", "").with("Location", "/b")
                : OriginReply.ok(request.target()));
        neverAnothersAnswer(url("/a"), NOTHING, client -> client.followRedirects(false));
    }

    @Test
    void H35_applicationInterceptors() throws Exception {
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Authorization"))));
        neverAnothersAnswer(url("/a"), NOTHING, client -> client.addInterceptor(authorizing("two")));
    }

    @Test
    void H35_networkInterceptors() throws Exception {
        origin.answer(request -> OriginReply.ok(String.valueOf(request.header("Authorization"))));
        neverAnothersAnswer(url("/a"), NOTHING, client -> client.addNetworkInterceptor(authorizing("two")));
    }

    private static Interceptor authorizing(String user) {
        return chain -> chain.proceed(
                chain.request().newBuilder().header("Authorization", user).build());
    }

    @Test
    void H35_aPartThatAnInterceptorInFrontChangesForOneCall() throws Exception {
        Proxy other = httpProxy();
        OkHttpClient client = OkHttpClients.PLAIN
                .newBuilder()
                .addInterceptor(chain -> (chain.request().tag(Proxy.class) == null
                                ? chain
                                : chain.withProxy(chain.request().tag(Proxy.class)))
                        .proceed(chain.request()))
                .addInterceptor(shared)
                .build();
        Hold hold = origin.hold();
        Caller<String> direct = callers.start(() -> bodyOf(callOf(client)));
        hold.await(1);
        Request byProxy = get("/a").newBuilder().tag(Proxy.class, other).build();
        assertThat(callers.start(() -> bodyOf(client.newCall(byProxy))).get()).isEqualTo("by the proxy");
        hold.release();
        assertThat(direct.get()).isEqualTo("/a");
    }

    @Test
    void H35_callsOfOneClientShareBesideThoseOfAnother() throws Exception {
        OkHttpClient one =
                OkHttpClients.PLAIN.newBuilder().addInterceptor(shared).build();
        OkHttpClient two = one.newBuilder().build();
        Hold hold = origin.hold();
        List<Caller<String>> ofOne = gatheredCalls(hold, List.of(callOf(one), callOf(one)));
        List<Caller<String>> ofTwo = gatheredCalls(hold, List.of(callOf(two), callOf(two)));
        hold.release();
        for (Caller<String> caller : ofOne) {
            assertThat(caller.get()).isEqualTo("/a");
        }
        for (Caller<String> caller : ofTwo) {
            assertThat(caller.get()).isEqualTo("/a");
        }
        assertThat(origin.requests()).hasSize(2);
    }

    @Test
    void H21_anUnusableResponseIsRememberedForTheClientThatGotIt() throws Exception {
        OkHttpClient client =
                OkHttpClients.PLAIN.newBuilder().addInterceptor(shared).build();
        origin.answer(request -> OriginReply.ok(request.target()).with("Cache-Control", "no-store"));
        assertThat(bodyOf(callOf(client))).isEqualTo("/a");
        Hold hold = origin.hold();
        List<Caller<String>> passing = callers.start(3, () -> bodyOf(callOf(client)));
        hold.await(3);
        hold.release();
        for (Caller<String> caller : passing) {
            assertThat(caller.get()).isEqualTo("/a");
        }
    }
}
