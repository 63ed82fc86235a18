package io.github.collapseexecutor.http.hc5;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.jspecify.annotations.Nullable;

/**
 * The client that sends a request, and what the caller's context has changed of it: everything beside the headers that decides
 * who asks and where the request goes (H35). Two clients do not have the same registries, unless they were given them.
 *
 * <p>Parts are compared by identity. An application's own {@code equals} may leave out the credentials in which two parts
 * differ. The connection pool compares user tokens by {@code equals}, too.
 */
final class ClientIdentity {

    // immutable
    private final @Nullable Object[] parts;
    private final List<@Nullable Object> values;

    private ClientIdentity(@Nullable Object[] parts, List<@Nullable Object> values) {
        this.parts = parts;
        this.values = values;
    }

    static ClientIdentity of(ExecChain.Scope scope) {
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
                context.getUserToken(),
                config.getCookieSpec(),
                config.getResponseTimeout(),
                config.isAuthenticationEnabled(),
                config.isProtocolUpgradeEnabled(),
                config.getTargetPreferredAuthSchemes(),
                config.getProxyPreferredAuthSchemes());
        return new ClientIdentity(parts, values);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClientIdentity that && hasTheSameParts(that) && values.equals(that.values);
    }

    private boolean hasTheSameParts(ClientIdentity that) {
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
