package io.github.collapseexecutor.http.okhttp;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/**
 * The client that makes a call, and what an interceptor in front has changed of it for this call: everything that decides who
 * asks, where the call goes, which cache answers it (H35) and how long that may take (H25).
 *
 * <p>Parts are compared by identity. An application's own {@code equals} may leave out the credentials in which two parts
 * differ. Only the values of OkHttp and the JDK are compared by {@code equals}.
 */
final class OkHttpClientIdentity {

    // immutable
    private final @Nullable Object[] parts;
    private final List<@Nullable Object> values;

    private OkHttpClientIdentity(@Nullable Object[] parts, List<@Nullable Object> values) {
        this.parts = parts;
        this.values = values;
    }

    /**
     * Returns the identity of the client of a call.
     *
     * @param client null if OkHttp does not tell; its parts then have to do
     */
    static OkHttpClientIdentity of(Interceptor.Chain chain, @Nullable OkHttpClient client) {
        Request request = chain.request();
        @Nullable Object[] parts = {
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
            chain.getConnectionPool()
        };
        List<@Nullable Object> values = Arrays.asList(
                chain.getProxy(),
                chain.getCertificatePinner(),
                chain.getFollowRedirects(),
                chain.getFollowSslRedirects(),
                chain.getRetryOnConnectionFailure(),
                chain.connectTimeoutMillis(),
                chain.readTimeoutMillis(),
                chain.writeTimeoutMillis(),
                request.cacheUrlOverride());
        return new OkHttpClientIdentity(parts, values);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OkHttpClientIdentity that && hasTheSameParts(that) && values.equals(that.values);
    }

    private boolean hasTheSameParts(OkHttpClientIdentity that) {
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] != that.parts[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = Objects.hashCode(values);
        for (Object part : parts) {
            hash = 31 * hash + System.identityHashCode(part);
        }
        return hash;
    }
}
