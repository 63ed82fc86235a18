package io.github.collapseexecutor.http.feign;

import feign.Client;
import feign.Request;
import feign.Response;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.BlockingHttpCollapseExecutor;
import io.github.collapseexecutor.http.message.RequestTarget;
import java.io.IOException;
import java.net.URI;
import java.util.Objects;

/**
 * A {@link Client} of Feign that lets concurrent requests for the same thing share one of the client that it wraps.
 *
 * <pre>{@code
 * Client client = new CollapseFeignClient(new DefaultClient(null, null), HttpCollapseOptions.forPaths("/user/*"));
 * Users users = Feign.builder().client(client).target(Users.class, "http://users.example");
 * }</pre>
 *
 * <p>Interceptors, target and encoder of Feign have done their work when a client gets a request. So the key holds what they
 * have added, and retries, decoders and loggers see each caller's own response.
 *
 * <p><b>Make one instance for each client that is wrapped, and have that client add nothing to a request by which callers
 * differ:</b> no credentials from a thread-local, no cookies of a store, no proxy that depends on the caller. Nothing shows
 * them, so one caller would get the response to another. Nor are redirects that the wrapped client
 * follows: unless the {@link Request.Options} say that it follows none, a request with credentials is sent for its own caller only.
 *
 * <p>Requests share only if their {@link Request.Options} are equal: the time-outs of the request that is sent are then those
 * of every caller that waits for it. A waiting caller whose thread is interrupted leaves with a
 * {@link java.io.InterruptedIOException}. If a shared request fails, all its callers may get the same exception object.
 *
 * <p>An instance is safe for use by any number of threads if the wrapped client is. A request is sent by the thread that made
 * it.
 */
public final class CollapseFeignClient implements Client {

    // immutable
    private final Client client;
    private final BlockingHttpCollapseExecutor executor;

    /**
     * Wraps a client, with no request in flight and {@link CollapseOptions#defaults()}.
     *
     * @param client sends the requests
     * @param http what is collapsed; without a rule, nothing
     */
    public CollapseFeignClient(Client client, HttpCollapseOptions http) {
        this(client, http, CollapseOptions.defaults());
    }

    /**
     * Wraps a client, with no request in flight.
     *
     * @param client sends the requests
     * @param http what is collapsed; without a rule, nothing
     * @param core how requests are gathered
     */
    public CollapseFeignClient(Client client, HttpCollapseOptions http, CollapseOptions core) {
        this.client = Objects.requireNonNull(client, "client");
        this.executor = new BlockingHttpCollapseExecutor(http, core);
    }

    /**
     * Sends the request, or answers it with the response to another.
     *
     * @param request the request
     * @param options its time-outs, and whether redirects are followed
     * @return a response that nobody else has, to be read once and closed
     * @throws IOException if the request that was sent failed; an {@link java.io.InterruptedIOException} if the thread was
     *     interrupted while it waited, a {@link java.net.SocketTimeoutException} if {@code callTimeout} has passed
     * @throws java.util.concurrent.RejectedExecutionException if {@code maxPending} requests are waiting already
     */
    @Override
    public Response execute(Request request, Request.Options options) throws IOException {
        URI uri = RequestTarget.uriOf(request.url());
        return uri == null
                ? client.execute(request, options)
                : executor.execute(new FeignExchange(client, request, options, uri));
    }
}
