package io.github.collapseexecutor.http.jdk;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.FutureHttpCollapseExecutor;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.RequestDecision;
import java.io.IOException;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An {@link HttpClient} that lets concurrent requests for the same thing share one exchange of the client that it wraps.
 *
 * <pre>{@code
 * HttpCollapseOptions http = HttpCollapseOptions.forPaths("/user/*");
 * HttpClient client = new CollapseHttpClient(HttpClient.newHttpClient(), http);
 * }</pre>
 *
 * <p><b>Wrap the client of the JDK itself, and make one instance for each.</b> A client that wraps it, for metrics for example,
 * belongs around this one: it could still change a request, so that nothing is shared if it stands behind. <b>The wrapped client
 * must not hold credentials that differ between callers</b>, such as a proxy that is chosen by a thread-local: nothing shows them.
 *
 * <p>Requests of {@code send} and of {@code sendAsync} share with each other. Each caller's own {@code BodyHandler} gets the head
 * and the body, whatever the handlers of the others make of it; a lone caller's gets the body as it comes. Cookies of the client's
 * {@code CookieManager} are part of the key; with any other {@code CookieHandler}, or a {@code CookieStore} of one's own, nothing is
 * shared. A response that came by a redirect is shared only if each redirect may be shared and
 * the client has no {@code CookieHandler}. A request with a {@code PushPromiseHandler} shares nothing.
 *
 * <p>A caller leaves by its request's {@code timeout()}, by cancelling its future, or by an interrupt of its thread. That ends this
 * request alone, and the exchange when nobody waits for it any more. If an exchange fails, all its callers may get the same exception
 * object.
 *
 * <p>An instance is safe for use by any number of threads. Body handlers run on the threads of the client's {@code executor()}, or, if
 * it has a default one, on those of {@link CompletableFuture#defaultExecutor()}.
 */
public final class CollapseHttpClient extends HttpClient {

    private static final String PUSHES =
            "a request has a PushPromiseHandler, and pushes cannot be shared; send such a request without one";

    // immutable
    private final HttpClient client;
    private final @Nullable String obstacle;
    private final FutureHttpCollapseExecutor executor;
    private final Executor threads;

    /**
     * Wraps a client, with no exchange in flight and {@link CollapseOptions#defaults()}.
     *
     * @param client the client that sends
     * @param http what is collapsed; without a rule, nothing
     */
    public CollapseHttpClient(HttpClient client, HttpCollapseOptions http) {
        this(client, http, CollapseOptions.defaults());
    }

    /**
     * Wraps a client, with no exchange in flight.
     *
     * @param client the client that sends
     * @param http what is collapsed; without a rule, nothing
     * @param core how requests are gathered
     */
    public CollapseHttpClient(HttpClient client, HttpCollapseOptions http, CollapseOptions core) {
        this(client, http, core, obstacleOf(client));
    }

    CollapseHttpClient(HttpClient client, HttpCollapseOptions http, CollapseOptions core, @Nullable String obstacle) {
        this.client = client;
        this.obstacle = obstacle;
        this.executor = FutureHttpCollapseExecutor.ofClient(http, core);
        this.threads = client.executor().orElseGet(() -> new CompletableFuture<>().defaultExecutor());
    }

    /** Any other client than that of the JDK may change what it sends, for some callers only (H36). */
    private static @Nullable String obstacleOf(HttpClient client) {
        return client.getClass().getModule() == HttpClient.class.getModule()
                ? client.cookieHandler().map(CollapseHttpClient::obstacleOf).orElse(null)
                : "the client that is wrapped is a " + client.getClass().getName()
                        + ", which can still change a request; have it wrap the CollapseHttpClient instead";
    }

    /** The client asks its handler once more when it sends; any other than that of the JDK may answer then by thread or by time. */
    private static @Nullable String obstacleOf(CookieHandler handler) {
        CookieManager known = new CookieManager();
        boolean isKnown = handler.getClass() == CookieManager.class
                && ((CookieManager) handler).getCookieStore().getClass()
                        == known.getCookieStore().getClass();
        return isKnown
                ? null
                : "the CookieHandler of the client is a " + handler.getClass().getName()
                        + ", or has a CookieStore of its own, and may have other cookies on another thread; use a"
                        + " CookieManager with the CookieStore of the JDK, or set the header Cookie of each request";
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        JdkRequestView view = new JdkRequestView(request, client, obstacle);
        if (executor.arrived(view) instanceof CollapsibleRequest collapsible) {
            return await(collapse(view, collapsible, handler));
        }
        HttpResponse<T> response = null;
        try {
            response = client.send(request, handler);
            return response;
        } finally {
            executor.forwarded(view, JdkResponseHead.ofNullable(response));
        }
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        JdkRequestView view = new JdkRequestView(request, client, obstacle);
        return executor.arrived(view) instanceof CollapsibleRequest collapsible
                ? collapse(view, collapsible, handler)
                : forwarded(view, client.sendAsync(request, handler));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        if (pushes == null) {
            return sendAsync(request, handler);
        }
        JdkRequestView view = new JdkRequestView(request, client, PUSHES);
        RequestDecision unused = executor.arrived(view); // never collapsible; listeners are told
        return forwarded(view, client.sendAsync(request, handler, pushes));
    }

    private <T> CompletableFuture<HttpResponse<T>> collapse(
            JdkRequestView view, CollapsibleRequest collapsible, BodyHandler<T> handler) {
        Delivery<T> delivery = new Delivery<>(view.request(), Objects.requireNonNull(handler, "handler"), threads);
        return delivery.of(executor.execute(new JdkExchange(client, view, delivery::headArrived), collapsible));
    }

    private <T> CompletableFuture<HttpResponse<T>> forwarded(
            JdkRequestView view, CompletableFuture<HttpResponse<T>> sending) {
        return sending.whenComplete(
                (response, failure) -> executor.forwarded(view, JdkResponseHead.ofNullable(response)));
    }

    /** Waits as the client of the JDK does, and throws what it would throw. */
    private static <T> HttpResponse<T> await(CompletableFuture<HttpResponse<T>> response)
            throws IOException, InterruptedException {
        try {
            return response.get();
        } catch (InterruptedException e) {
            response.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            throw thrownBySend(e.getCause());
        }
    }

    /**
     * A new exception, of the caller's own thread: of the class that the client of the JDK would throw, with the failure of the exchange as its
     * cause.
     */
    private static IOException thrownBySend(@Nullable Throwable failure) {
        String message = failure == null ? null : failure.getMessage();
        if (failure instanceof IllegalArgumentException) {
            throw new IllegalArgumentException(message, failure);
        } else if (failure instanceof SecurityException) {
            throw new SecurityException(message, failure);
        } else if (failure instanceof HttpConnectTimeoutException) {
            return caused(new HttpConnectTimeoutException(message), failure);
        } else if (failure instanceof HttpTimeoutException) {
            return new HttpTimeoutException(message);
        } else if (failure instanceof ConnectException) {
            return caused(new ConnectException(message), failure);
        } else if (failure instanceof SSLHandshakeException) {
            return caused(new SSLHandshakeException(message), failure);
        } else if (failure instanceof SSLException) {
            return new SSLException(message, failure);
        }
        return new IOException(message, failure);
    }

    private static IOException caused(IOException thrown, Throwable cause) {
        Throwable unused = thrown.initCause(cause);
        return thrown;
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

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }

    /**
     * Shuts the wrapped client down, as {@code HttpClient} says since Java 21.
     *
     * @throws UnsupportedOperationException if the Java version is older
     */
    public void shutdown() {
        LaterMethods.shutdown(client);
    }

    /**
     * Shuts the wrapped client down at once, as {@code HttpClient} says since Java 21.
     *
     * @throws UnsupportedOperationException if the Java version is older
     */
    public void shutdownNow() {
        LaterMethods.shutdownNow(client);
    }

    /**
     * Waits for the wrapped client to end after a shutdown, as {@code HttpClient} says since Java 21.
     *
     * @param duration how long to wait at most
     * @return whether it has ended
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws UnsupportedOperationException if the Java version is older
     */
    public boolean awaitTermination(Duration duration) throws InterruptedException {
        return LaterMethods.awaitTermination(client, duration);
    }

    /**
     * Tells whether the wrapped client has ended after a shutdown, as {@code HttpClient} says since Java 21.
     *
     * @return whether it has ended
     * @throws UnsupportedOperationException if the Java version is older
     */
    public boolean isTerminated() {
        return LaterMethods.isTerminated(client);
    }
}
