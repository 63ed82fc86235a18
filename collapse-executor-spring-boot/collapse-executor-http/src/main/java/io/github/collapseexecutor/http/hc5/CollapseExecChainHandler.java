package io.github.collapseexecutor.http.hc5;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.BlockingHttpCollapseExecutor;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.concurrent.CancellationException;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecChainHandler;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent requests of an Apache {@code HttpClient} that ask for the same thing share one.
 *
 * <pre>{@code
 * HttpCollapseOptions http = HttpCollapseOptions.forPaths("/user/*");
 * CloseableHttpClient client = HttpClients.custom()
 *         .addExecInterceptorBefore(ChainElement.CONNECT.name(), "collapse", new CollapseExecChainHandler(http))
 *         .build();
 * }</pre>
 *
 * <p><b>Add it in front of {@code ChainElement.CONNECT}, one instance for each client.</b> There a request has its credentials
 * and its {@code Accept-Encoding} already, and no connection yet. Redirects, retries, decompression and authentication are in
 * front: each caller has its own, and each request that they lead to may share with others. The cookies of the
 * {@code CookieStore} are part of the key, and so are the route and what the {@code HttpClientContext} says of the client.
 *
 * <p><b>Behind it, nothing may add what callers differ by.</b> Default headers and the client's {@code HttpRequestInterceptor}s
 * run behind it. If one of them has added a header to the request that was sent, the response is not shared, and one warning
 * names the header; if it would have added one to the request that waits only, nothing shows it. Add such headers by an exec
 * interceptor in front of this one. Nor may the proxy or the TLS context depend on a thread-local.
 *
 * <p>Requests share only if they have the same response time-out. A request that waits for another's response holds no
 * connection; it leaves when it is cancelled, or when its thread is interrupted. If a shared request fails, all its callers may
 * get the same exception object.
 *
 * <p>An instance is safe for use by any number of threads. A request is sent by the thread that made it.
 */
public final class CollapseExecChainHandler implements ExecChainHandler {

    // immutable
    private final BlockingHttpCollapseExecutor executor;

    /**
     * Creates an element of a chain with no request in flight and {@link CollapseOptions#defaults()}.
     *
     * @param http what is collapsed; without a rule, nothing
     */
    public CollapseExecChainHandler(HttpCollapseOptions http) {
        this(http, CollapseOptions.defaults());
    }

    /**
     * Creates an element of a chain with no request in flight.
     *
     * @param http what is collapsed; without a rule, nothing
     * @param core how requests are gathered
     */
    public CollapseExecChainHandler(HttpCollapseOptions http, CollapseOptions core) {
        this.executor = new BlockingHttpCollapseExecutor(http, core);
    }

    /**
     * Sends the request on, or answers it with the response to another.
     *
     * @param request the request
     * @param scope its route, context and connection
     * @param chain what is behind
     * @return the response
     * @throws IOException if the request that was sent failed; an {@link java.io.InterruptedIOException} if this one was
     *     cancelled, or its thread interrupted, while it waited, a {@link java.net.SocketTimeoutException} if
     *     {@code callTimeout} has passed
     * @throws HttpException if the request that was sent failed so
     * @throws java.util.concurrent.RejectedExecutionException if {@code maxPending} requests are waiting already
     */
    @Override
    public ClassicHttpResponse execute(ClassicHttpRequest request, ExecChain.Scope scope, ExecChain chain)
            throws IOException, HttpException {
        URI uri = uriOf(request);
        if (uri == null) {
            return chain.proceed(request, scope);
        }
        try {
            return executor.execute(new ChainExchange(request, uri, scope, chain));
        } catch (ProtocolFailure e) {
            throw e.original();
        } catch (CancellationException e) {
            throw aborted(e);
        }
    }

    /** What the client throws if a request is cancelled. */
    static RequestFailedException aborted(@Nullable CancellationException cause) {
        return new RequestFailedException("Request aborted", cause);
    }

    /** The address exactly as it is sent, or null if a {@link URI} cannot express it. */
    private static @Nullable URI uriOf(ClassicHttpRequest request) {
        try {
            return request.getUri();
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
