package io.github.collapseexecutor.http.hc5;

import io.github.collapseexecutor.http.rules.ClientAmongInstances;
import io.github.collapseexecutor.http.rules.ClientParts;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.jspecify.annotations.Nullable;

/**
 * The client that sends a request, and what the caller's context has changed of it: everything beside the headers that decides
 * who asks, where the request goes (H35) and how long that may take (H25). Two clients do not have the same registries, unless they were given them.
 *
 * @param owner its user token is compared by {@code equals}, as the connection pool does
 * @param values route and configuration
 */
record ApacheClientIdentity(ClientParts owner, List<@Nullable Object> values) implements ClientAmongInstances {

    /** The client reads it as long as the library has it, which wants it to be set for each host instead. */
    private static final @Nullable Method CONNECT_TIMEOUT = connectTimeout();

    static ApacheClientIdentity of(ExecChain.Scope scope) {
        HttpClientContext context = scope.clientContext;
        RequestConfig config = context.getRequestConfigOrDefault();
        ClientParts owner = new ClientParts(
                Arrays.asList(
                        context.getCookieStore(),
                        context.getCookieSpecRegistry(),
                        context.getCredentialsProvider(),
                        context.getAuthSchemeRegistry()),
                context.getUserToken());
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
        return new ApacheClientIdentity(owner, values);
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

    /** Route and configuration: texts of the library that name every part. */
    @Override
    public List<@Nullable String> settings() {
        return values.stream().<@Nullable String>map(String::valueOf).toList();
    }
}
