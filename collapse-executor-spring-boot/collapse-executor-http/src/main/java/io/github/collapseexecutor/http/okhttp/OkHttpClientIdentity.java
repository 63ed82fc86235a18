package io.github.collapseexecutor.http.okhttp;

import io.github.collapseexecutor.http.rules.ClientParts;
import java.util.Arrays;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/**
 * The client that makes a call, and what an interceptor in front has changed of it for this call: everything that decides who
 * asks, where the call goes, which cache answers it (H35) and how long that may take (H25).
 */
final class OkHttpClientIdentity {

    private OkHttpClientIdentity() {}

    /**
     * Returns the identity of the client of a call.
     *
     * @param client null if OkHttp does not tell; its parts then have to do
     */
    static ClientParts of(Interceptor.Chain chain, @Nullable OkHttpClient client) {
        Request request = chain.request();
        return new ClientParts(
                Arrays.asList(
                        client,
                        chain.getDns(),
                        chain.getSocketFactory(),
                        chain.getSslSocketFactoryOrNull(),
                        chain.getX509TrustManagerOrNull(),
                        chain.getHostnameVerifier(),
                        chain.getProxySelector(),
                        chain.getAuthenticator(),
                        chain.getProxyAuthenticator(),
                        chain.getCookieJar(),
                        chain.getCache(),
                        chain.getConnectionPool()),
                chain.getProxy(),
                chain.getCertificatePinner(),
                chain.getFollowRedirects(),
                chain.getFollowSslRedirects(),
                chain.getRetryOnConnectionFailure(),
                chain.connectTimeoutMillis(),
                chain.readTimeoutMillis(),
                chain.writeTimeoutMillis(),
                request.cacheUrlOverride());
    }
}
