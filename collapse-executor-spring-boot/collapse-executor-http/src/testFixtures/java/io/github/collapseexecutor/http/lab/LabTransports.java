package io.github.collapseexecutor.http.lab;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.http.HttpClient;
import java.util.List;
import java.util.function.Supplier;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.eclipse.jetty.http.HttpCookieStore;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.HttpComponentsClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.JettyClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import reactor.netty.http.HttpProtocol;

/** What clients of the lab send by: without cookies, and without repeating a call after a while. */
final class LabTransports {

    private static final int CONNECTIONS = 200;

    private static final int MANY_CONNECTIONS = 10_000;

    private static final long IDLE_MILLIS = 20_000;

    // immutable
    private final boolean follows;
    private final boolean http2;
    private final List<AutoCloseable> open;

    /**
     * Makes transports.
     *
     * @param http2 whether those that can speak HTTP/2 without TLS do
     * @param open gets what is to be closed
     */
    LabTransports(boolean follows, boolean http2, List<AutoCloseable> open) {
        this.follows = follows;
        this.http2 = http2;
        this.open = open;
    }

    private <C extends AutoCloseable> C opened(C transport) {
        open.add(transport);
        return transport;
    }

    HttpClient jdk() {
        return HttpClient.newBuilder()
                .followRedirects(follows ? HttpClient.Redirect.ALWAYS : HttpClient.Redirect.NEVER)
                .build();
    }

    OkHttpClient okHttp() {
        OkHttpClient client = new OkHttpClient.Builder()
                .followRedirects(follows)
                .protocols(List.of(http2 ? Protocol.H2_PRIOR_KNOWLEDGE : Protocol.HTTP_1_1))
                .build();
        open.add(() -> {
            client.dispatcher().executorService().shutdown();
            client.connectionPool().evictAll();
        });
        client.dispatcher().setMaxRequestsPerHost(CONNECTIONS);
        return client;
    }

    /** Makes builders of clients that have their connections in common. */
    Supplier<HttpClientBuilder> apache() {
        HttpClientConnectionManager pool = opened(PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(CONNECTIONS)
                .setMaxConnTotal(CONNECTIONS)
                .build());
        return () -> {
            HttpClientBuilder builder = HttpClients.custom()
                    .disableCookieManagement()
                    .disableAutomaticRetries()
                    .setConnectionManagerShared(true)
                    .setConnectionManager(pool);
            return follows ? builder : builder.disableRedirectHandling();
        };
    }

    private org.eclipse.jetty.client.HttpClient jetty() {
        org.eclipse.jetty.client.HttpClient jetty = new org.eclipse.jetty.client.HttpClient();
        jetty.setFollowRedirects(follows);
        // below a WebClient, a call that its caller leaves keeps its connection, with collapsing or without
        jetty.setMaxConnectionsPerDestination(MANY_CONNECTIONS);
        jetty.setIdleTimeout(IDLE_MILLIS);
        jetty.setHttpCookieStore(new HttpCookieStore.Empty());
        try {
            jetty.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        open.add(jetty::stop);
        return jetty;
    }

    private reactor.netty.http.client.HttpClient netty() {
        return reactor.netty.http.client.HttpClient.create()
                .protocol(http2 ? HttpProtocol.H2C : HttpProtocol.HTTP11)
                .followRedirect(follows)
                .compress(true);
    }

    ClientHttpRequestFactory urlConnection() {
        return new SimpleClientHttpRequestFactory() {
            @Override
            protected void prepareConnection(HttpURLConnection connection, String method) throws IOException {
                super.prepareConnection(connection, method);
                connection.setInstanceFollowRedirects(follows);
            }
        };
    }

    ClientHttpRequestFactory jdkFactory() {
        return new JdkClientHttpRequestFactory(jdk());
    }

    ClientHttpRequestFactory apacheFactory() {
        return new HttpComponentsClientHttpRequestFactory(opened(apache().get().build()));
    }

    ClientHttpRequestFactory jettyFactory() {
        return new JettyClientHttpRequestFactory(jetty());
    }

    ClientHttpRequestFactory nettyFactory() {
        return new ReactorClientHttpRequestFactory(netty());
    }

    ClientHttpConnector nettyConnector() {
        return new ReactorClientHttpConnector(netty());
    }

    ClientHttpConnector jdkConnector() {
        return new JdkClientHttpConnector(jdk());
    }

    ClientHttpConnector jettyConnector() {
        return new JettyClientHttpConnector(jetty());
    }

    ClientHttpConnector apacheConnector() {
        HttpAsyncClientBuilder builder = HttpAsyncClients.custom()
                .disableCookieManagement()
                .disableAutomaticRetries()
                .setConnectionManager(PoolingAsyncClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(CONNECTIONS)
                        .setMaxConnTotal(CONNECTIONS)
                        .build());
        return opened(
                new HttpComponentsClientHttpConnector((follows ? builder : builder.disableRedirectHandling()).build()));
    }
}
