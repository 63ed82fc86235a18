package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.OtherInstances;
import io.github.collapseexecutor.http.call.BlockingHttpCollapseExecutor;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Lets concurrent requests of a {@code RestTemplate} or {@code RestClient} that ask for the same thing share one call.
 *
 * <pre>{@code
 * HttpCollapseOptions http = HttpCollapseOptions.forPaths("/user/*");
 * RestClient client = RestClient.builder()
 *         .requestInterceptor(new CollapseHttpRequestInterceptor(http, CollapseOptions.defaults()))
 *         .build();
 * }</pre>
 *
 * <p>A GET or HEAD whose path belongs to a group is gathered with those that have the same key, one of them is sent, and each
 * receives a response of its own. Every other request, and every request that may not share the response, is sent as if this
 * interceptor were not there.
 *
 * <p><b>The contract has three parts.</b>
 *
 * <ul>
 *   <li><b>One instance belongs to one client</b> ({@link #forAnotherClient()}): a client may have credentials of its own
 *       that no interceptor sees, in a cookie store, an authenticator, a proxy or a TLS context.
 *   <li><b>It is the last interceptor of its client</b>: an interceptor behind it, one that adds a user's token for example,
 *       would see only the requests that are sent.
 *   <li><b>Below the client, nothing adds credentials that differ between the callers of one client</b>, for example from a
 *       thread-local that the HTTP client reads itself.
 * </ul>
 *
 * <p>Where Spring's chain can be read, the first two parts are also enforced: requests of different request factories never
 * share a call, and with an interceptor behind this one, or a request factory of the application's own, nothing collapses, which a warning says once. The chain cannot be read
 * in a native image, in a module that is not open, or if another interceptor passes on an execution of its own; <b>then the
 * contract alone keeps users apart</b>. {@link CollapseClientHttpRequestFactory} needs neither: it belongs to one client and is
 * below all interceptors. Prefer it where you make the client yourself.
 *
 * <p>Safe for use by any number of threads. A request is sent by the thread that made it. A request that waits for another's
 * response can be interrupted, and leaves then with a {@link java.io.InterruptedIOException}.
 */
public final class CollapseHttpRequestInterceptor implements ClientHttpRequestInterceptor {

    // immutable
    private final HttpCollapseOptions http;
    private final CollapseOptions core;
    private final BlockingHttpCollapseExecutor executor;

    /**
     * Creates an interceptor with no request in flight.
     *
     * @param http what is collapsed; without a rule, nothing
     * @param core how requests are gathered
     */
    public CollapseHttpRequestInterceptor(HttpCollapseOptions http, CollapseOptions core) {
        this.http = Objects.requireNonNull(http, "http");
        this.core = Objects.requireNonNull(core, "core");
        this.executor = new BlockingHttpCollapseExecutor(http, core);
    }

    /**
     * Returns a new interceptor with the same options for another client. The two share no call and no limit. It shares nothing with other
     * instances, because the name that this one shares by is that of its client.
     *
     * @return an interceptor with no request in flight
     */
    public CollapseHttpRequestInterceptor forAnotherClient() {
        return forAnotherClient(null);
    }

    /**
     * Returns a new interceptor with the same options for another client, which shares responses with other instances by a name of its own.
     *
     * @param instances the other instances, for example {@code cluster.http("orders")}; null if nothing is shared with them
     * @return an interceptor with no request in flight
     */
    public CollapseHttpRequestInterceptor forAnotherClient(@Nullable OtherInstances instances) {
        return new CollapseHttpRequestInterceptor(withInstances(instances), core);
    }

    private HttpCollapseOptions withInstances(@Nullable OtherInstances instances) {
        return http.toBuilder().otherInstances(instances).build();
    }

    /**
     * Returns a request factory with the same options for a client that does not have this interceptor: it collapses below
     * all interceptors of the client, and shares nothing with other instances.
     *
     * @param delegate the client's own request factory
     * @return a request factory with no request in flight
     */
    public CollapseClientHttpRequestFactory requestFactory(ClientHttpRequestFactory delegate) {
        return requestFactory(delegate, null);
    }

    /**
     * Returns a request factory as {@link #requestFactory(ClientHttpRequestFactory)} does, which shares responses with other instances by
     * a name of its own.
     *
     * @param delegate the client's own request factory
     * @param instances the other instances, for example {@code cluster.http("orders")}; null if nothing is shared with them
     * @return a request factory with no request in flight
     */
    public CollapseClientHttpRequestFactory requestFactory(
            ClientHttpRequestFactory delegate, @Nullable OtherInstances instances) {
        return new CollapseClientHttpRequestFactory(delegate, withInstances(instances), core);
    }

    /**
     * Sends the request, or answers it with the response to another's.
     *
     * @param request the request
     * @param body the body, empty if it has none
     * @param execution sends the request
     * @return the response
     * @throws IOException if the request that was sent failed; an {@link java.io.InterruptedIOException} if the thread was
     *     interrupted while it waited, a {@link java.net.SocketTimeoutException} if {@code callTimeout} has passed
     * @throws java.util.concurrent.RejectedExecutionException if {@code maxPending} requests are waiting already
     */
    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        RequestPath path = RequestPath.behind(execution, this);
        return new InterceptedExchange(request, body, execution, path).executeBy(executor);
    }
}
