package io.github.collapseexecutor.http.hc5;

import io.github.collapseexecutor.http.rules.ClientAmongInstances;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.jspecify.annotations.Nullable;

/**
 * The client that sends a request, and what the caller's context has changed of it: everything beside the headers that decides
 * who asks, where the request goes (H35) and how long that may take (H25). Two clients do not have the same registries, unless they were given them.
 *
 * <p>Parts are compared by identity. An application's own {@code equals} may leave out the credentials in which two parts
 * differ. The connection pool compares user tokens by {@code equals}, too.
 */
final class ApacheClientIdentity implements ClientAmongInstances {

    /** The client reads it as long as the library has it, which wants it to be set for each host instead. */
    private static final @Nullable Method CONNECT_TIMEOUT = connectTimeout();

    // immutable
    private final @Nullable Object[] parts;
    private final @Nullable Object userToken;
    private final List<@Nullable Object> values;

    private ApacheClientIdentity(@Nullable Object[] parts, @Nullable Object userToken, List<@Nullable Object> values) {
        this.parts = parts;
        this.userToken = userToken;
        this.values = values;
    }

    static ApacheClientIdentity of(ExecChain.Scope scope) {
        HttpClientContext context = scope.clientContext;
        RequestConfig config = context.getRequestConfigOrDefault();
        @Nullable Object[] parts = {
            context.getCookieStore(),
            context.getCookieSpecRegistry(),
            context.getCredentialsProvider(),
            context.getAuthSchemeRegistry()
        };
        List<@Nullable Object> values = Arrays.asList(
                scope.route,
                config.getCookieSpec(),
                config.getResponseTimeout(),
                config.getConnectionRequestTimeout(),
                connectTimeoutOf(config),
                config.isAuthenticationEnabled(),
                config.isProtocolUpgradeEnabled(),
                config.getTargetPreferredAuthSchemes(),
                config.getProxyPreferredAuthSchemes());
        return new ApacheClientIdentity(parts, context.getUserToken(), values);
    }

    private static @Nullable Method connectTimeout() {
        try {
            return RequestConfig.class.getMethod("getConnectTimeout");
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static @Nullable Object connectTimeoutOf(RequestConfig config) {
        try {
            return CONNECT_TIMEOUT == null ? null : CONNECT_TIMEOUT.invoke(config);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("A public method of RequestConfig cannot be called", e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ApacheClientIdentity that && hasTheSameOwner(that) && values.equals(that.values);
    }

    private boolean hasTheSameOwner(ApacheClientIdentity that) {
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] != that.parts[i]) {
                return false;
            }
        }
        return Objects.equals(userToken, that.userToken);
    }

    @Override
    public int hashCode() {
        return 31 * ownerHash() + values.hashCode();
    }

    private int ownerHash() {
        int hash = Objects.hashCode(userToken);
        for (Object part : parts) {
            hash = 31 * hash + System.identityHashCode(part);
        }
        return hash;
    }

    @Override
    public Object owner() {
        return new Owner(this);
    }

    /** Route and configuration: texts of the library that name every part. */
    @Override
    public List<@Nullable String> settings() {
        return values.stream().<@Nullable String>map(String::valueOf).toList();
    }

    /** The identity without its settings. */
    private record Owner(ApacheClientIdentity identity) {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Owner that && identity.hasTheSameOwner(that.identity);
        }

        @Override
        public int hashCode() {
            return identity.ownerHash();
        }
    }
}
