package io.github.collapseexecutor.http.client;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInitializer;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * A way in which a client, not its callers, says on whose behalf it asks; most of them are below the interceptors, where
 * nobody sees them.
 *
 * @param name for the report
 * @param challenged whether the credentials are sent only after the origin has asked for them
 */
public record ClientIdentity(
        String name,
        boolean challenged,
        BiFunction<IdentityServers, String, ClientHttpRequestFactory> transports,
        Function<String, List<ClientHttpRequestInterceptor>> interceptors,
        Function<String, List<ClientHttpRequestInitializer>> initializers) {

    public static List<ClientIdentity> all() {
        return List.of(
                below(
                        "cookieStore",
                        false,
                        (servers, user) -> jdk(HttpClient.newBuilder().cookieHandler(new CookiesOf(user)))),
                below(
                        "authenticator",
                        true,
                        (servers, user) -> jdk(HttpClient.newBuilder().authenticator(new AuthenticatorOf(user)))),
                below(
                        "proxy",
                        false,
                        (servers, user) -> jdk(HttpClient.newBuilder().proxy(ProxySelector.of(servers.proxyOf(user))))),
                below("connectionProxy", false, (servers, user) -> {
                    SimpleClientHttpRequestFactory factory = new SimpleClientHttpRequestFactory();
                    InetSocketAddress address = servers.proxyOf(user);
                    factory.setProxy(new Proxy(Proxy.Type.HTTP, address));
                    return factory;
                }),
                below("preparedConnection", false, (servers, user) -> new PreparedFor(user)),
                below("credentialsProvider", true, (servers, user) -> {
                    BasicCredentialsProvider provider = new BasicCredentialsProvider();
                    provider.setCredentials(
                            new AuthScope(null, -1), new UsernamePasswordCredentials(user, "word".toCharArray()));
                    return new HttpComponentsClientHttpRequestFactory(HttpClients.custom()
                            .setDefaultCredentialsProvider(provider)
                            .build());
                }),
                new ClientIdentity(
                        "interceptor",
                        false,
                        ClientIdentity::plain,
                        user -> List.of((request, body, execution) -> {
                            request.getHeaders().setBasicAuth(user, "word");
                            return execution.execute(request, body);
                        }),
                        user -> List.of()),
                new ClientIdentity(
                        "initializer",
                        false,
                        ClientIdentity::plain,
                        user -> List.of(),
                        user -> List.of(request -> request.getHeaders().set("X-User", user))));
    }

    private static ClientIdentity below(
            String name, boolean challenged, BiFunction<IdentityServers, String, ClientHttpRequestFactory> transports) {
        return new ClientIdentity(name, challenged, transports, user -> List.of(), user -> List.of());
    }

    private static ClientHttpRequestFactory plain(IdentityServers servers, String user) {
        return new SimpleClientHttpRequestFactory();
    }

    private static ClientHttpRequestFactory jdk(HttpClient.Builder client) {
        return new JdkClientHttpRequestFactory(client.build());
    }

    /** The request factory that a user's client has without collapsing. */
    public ClientHttpRequestFactory transport(IdentityServers servers, String user) {
        return transports.apply(servers, user);
    }

    /** A user's client without collapsing, over a request factory that may collapse. */
    public RestTemplate template(ClientHttpRequestFactory transport, String user) {
        RestTemplate template = new RestTemplate(transport);
        template.setInterceptors(interceptors.apply(user));
        template.setClientHttpRequestInitializers(initializers.apply(user));
        return template;
    }

    /** The builder of a user's client without collapsing, over a request factory that may collapse. */
    public RestClient.Builder builder(ClientHttpRequestFactory transport, String user) {
        return applyTo(RestClient.builder(), transport, user);
    }

    /** Makes the next client of a builder a user's. */
    public RestClient.Builder applyTo(RestClient.Builder builder, ClientHttpRequestFactory transport, String user) {
        builder.requestFactory(transport);
        interceptors.apply(user).forEach(builder::requestInterceptor);
        initializers.apply(user).forEach(builder::requestInitializer);
        return builder;
    }

    @Override
    public String toString() {
        return name;
    }

    private static final class CookiesOf extends CookieHandler {

        private final String user;

        CookiesOf(String user) {
            this.user = user;
        }

        @Override
        public Map<String, List<String>> get(URI uri, Map<String, List<String>> requestHeaders) {
            return Map.of("Cookie", List.of("user=" + user));
        }

        @Override
        public void put(URI uri, Map<String, List<String>> responseHeaders) {}
    }

    private static final class AuthenticatorOf extends Authenticator {

        private final String user;

        AuthenticatorOf(String user) {
            this.user = user;
        }

        @Override
        protected PasswordAuthentication getPasswordAuthentication() {
            return new PasswordAuthentication(user, "word".toCharArray());
        }
    }

    private static final class PreparedFor extends SimpleClientHttpRequestFactory {

        private final String user;

        PreparedFor(String user) {
            this.user = user;
        }

        @Override
        protected void prepareConnection(HttpURLConnection connection, String httpMethod) throws IOException {
            super.prepareConnection(connection, httpMethod);
            connection.setRequestProperty("X-User", user);
        }
    }
}
