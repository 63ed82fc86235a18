package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.http.fixture.Callers.AsyncCall;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** A client that tells whose request it has sent, and keeps what it has promised. */
class WatchedClient extends HttpClient {

    // immutable
    private final HttpClient client;

    // mutable, thread-safe
    private final Map<HttpRequest, AsyncCall> calls = Collections.synchronizedMap(new IdentityHashMap<>());
    private final List<CompletableFuture<?>> promised = new CopyOnWriteArrayList<>();

    WatchedClient(HttpClient client) {
        this.client = client;
    }

    /** Tells the call when the request is sent. */
    void watch(HttpRequest request, AsyncCall call) {
        calls.put(request, call);
    }

    /** The responses of what was sent by {@code sendAsync}, in its order. */
    List<CompletableFuture<?>> promised() {
        return promised;
    }

    private void sent(HttpRequest request) {
        AsyncCall call = calls.remove(request);
        if (call != null) {
            call.sent();
        }
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        sent(request);
        return client.send(request, handler);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        sent(request);
        CompletableFuture<HttpResponse<T>> response = client.sendAsync(request, handler);
        promised.add(response);
        return response;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, HttpResponse.BodyHandler<T> handler, HttpResponse.PushPromiseHandler<T> pushes) {
        sent(request);
        return client.sendAsync(request, handler, pushes);
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }
}
