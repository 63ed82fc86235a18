package io.github.collapseexecutor.http.okhttp;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachJdk;
import io.github.collapseexecutor.http.rules.ClientParts;
import java.io.File;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.Authenticator;
import okhttp3.Cache;
import okhttp3.CertificatePinner;
import okhttp3.ConnectionPool;
import okhttp3.Cookie;
import okhttp3.CookieJar;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okhttp3.Route;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** H35: every part of a client takes part in its identity, whether the client or an interceptor in front set it. */
@OnEachJdk
class OkHttpClientIdentityTests {

    private static final OkHttpClient BASE = new OkHttpClient();
    private static final Proxy PROXY = new Proxy(Proxy.Type.HTTP, new InetSocketAddress("localhost", 1));

    /** Another chain for the same call. */
    private interface Change {
        Interceptor.Chain of(Interceptor.Chain chain) throws Exception;
    }

    private static Named<Change> change(String part, Change change) {
        return Named.of(part, change);
    }

    private static Stream<Named<Change>> changes() {
        return Stream.of(
                change("dns", chain -> chain.withDns(host -> Dns.SYSTEM.lookup(host))),
                change("socketFactory", chain -> chain.withSocketFactory(new UnconnectedSockets())),
                change("sslSocketFactory", chain -> withTls(chain, trust())),
                change("trustManager", chain -> chain.withSslSocketFactory(chain.getSslSocketFactoryOrNull(), trust())),
                change("noTls", chain -> chain.withSslSocketFactory(null, null)),
                change("hostnameVerifier", chain -> chain.withHostnameVerifier((host, session) -> true)),
                change(
                        "certificatePinner",
                        chain -> chain.withCertificatePinner(new CertificatePinner.Builder()
                                .add("localhost", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA=")
                                .build())),
                change("proxy", chain -> chain.withProxy(PROXY)),
                change("proxySelector", chain -> chain.withProxySelector(ProxySelector.of(null))),
                change("authenticator", chain -> chain.withAuthenticator(refusing())),
                change("proxyAuthenticator", chain -> chain.withProxyAuthenticator(refusing())),
                change("cookieJar", chain -> chain.withCookieJar(new NoCookies())),
                change("cache", chain -> chain.withCache(new Cache(new File("unused"), 1))),
                change("connectionPool", chain -> chain.withConnectionPool(new ConnectionPool())),
                change("connectTimeout", chain -> chain.withConnectTimeout(7, TimeUnit.SECONDS)),
                change("readTimeout", chain -> chain.withReadTimeout(7, TimeUnit.SECONDS)),
                change("writeTimeout", chain -> chain.withWriteTimeout(7, TimeUnit.SECONDS)),
                change("retries", chain -> chain.withRetryOnConnectionFailure(false)));
    }

    private static Authenticator refusing() {
        return new Authenticator() {
            @Override
            public Request authenticate(Route route, Response response) {
                return null;
            }
        };
    }

    private static Interceptor.Chain withTls(Interceptor.Chain chain, X509TrustManager trust) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {trust}, null);
        return chain.withSslSocketFactory(context.getSocketFactory(), trust);
    }

    private static X509TrustManager trust() throws Exception {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    private static final class NoCookies implements CookieJar {

        @Override
        public void saveFromResponse(HttpUrl url, List<Cookie> cookies) {}

        @Override
        public List<Cookie> loadForRequest(HttpUrl url) {
            return List.of();
        }
    }

    /** The chain of a call that ends in the interceptor which has the chain. */
    private static Interceptor.Chain chainOf(OkHttpClient client, Request request) throws Exception {
        List<Interceptor.Chain> chains = new ArrayList<>();
        OkHttpClient catching = client.newBuilder()
                .addInterceptor(chain -> {
                    chains.add(chain);
                    return new Response.Builder()
                            .request(chain.request())
                            .protocol(Protocol.HTTP_1_1)
                            .code(200)
                            .message("OK")
                            .body(ResponseBody.create("", null))
                            .build();
                })
                .build();
        catching.newCall(request).execute().close();
        return chains.get(0);
    }

    private static Request request() {
        return new Request.Builder().url("http://localhost/").build();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void H35_aPartThatDiffersMakesAnotherClient(Change change) throws Exception {
        Interceptor.Chain chain = chainOf(BASE, request());
        ClientParts changed = OkHttpClientIdentity.of(change.of(chain), null);
        assertThat(changed).isNotEqualTo(OkHttpClientIdentity.of(chain, null));
        assertThat(OkHttpClientIdentity.of(chain, BASE)).isNotEqualTo(OkHttpClientIdentity.of(change.of(chain), BASE));
    }

    @Test
    void H35_theCallsOfOneClientHaveOneIdentity() throws Exception {
        ClientParts one = OkHttpClientIdentity.of(chainOf(BASE, request()), BASE);
        ClientParts same = OkHttpClientIdentity.of(chainOf(BASE, request()), BASE);
        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo("another type");
        Proxy alike = new Proxy(Proxy.Type.HTTP, new InetSocketAddress("localhost", 1));
        assertThat(OkHttpClientIdentity.of(chainOf(BASE, request()).withProxy(PROXY), BASE))
                .isEqualTo(OkHttpClientIdentity.of(chainOf(BASE, request()).withProxy(alike), BASE));
    }

    @Test
    void H35_anotherClientOfEqualPartsIsAnother() throws Exception {
        Interceptor.Chain chain = chainOf(BASE, request());
        OkHttpClient alike = BASE.newBuilder().build();
        assertThat(OkHttpClientIdentity.of(chain, BASE)).isNotEqualTo(OkHttpClientIdentity.of(chain, alike));
    }

    @Test
    void H35_redirectsAreFollowedOrNot() throws Exception {
        ClientParts base = OkHttpClientIdentity.of(chainOf(BASE, request()), null);
        OkHttpClient none = BASE.newBuilder().followRedirects(false).build();
        OkHttpClient noneToTls = BASE.newBuilder().followSslRedirects(false).build();
        assertThat(OkHttpClientIdentity.of(chainOf(none, request()), null)).isNotEqualTo(base);
        assertThat(OkHttpClientIdentity.of(chainOf(noneToTls, request()), null)).isNotEqualTo(base);
    }

    @Test
    void H35_aRequestForAnotherEntryOfTheCacheIsAnother() throws Exception {
        Request other = request()
                .newBuilder()
                .cacheUrlOverride(request().url().resolve("/other"))
                .build();
        assertThat(OkHttpClientIdentity.of(chainOf(BASE, other), BASE))
                .isNotEqualTo(OkHttpClientIdentity.of(chainOf(BASE, request()), BASE));
    }
}
