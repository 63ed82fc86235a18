package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.call.BlockingHttpCollapseExecutor;
import java.io.IOException;
import java.net.URI;
import org.springframework.http.HttpMethod;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.AbstractClientHttpRequestFactoryWrapper;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;

/**
 * The request factory of a {@code RestTemplate} or {@code RestClient} whose concurrent requests for the same thing share one
 * call.
 *
 * <pre>{@code
 * HttpCollapseOptions http = HttpCollapseOptions.forPaths("/user/*");
 * RestClient client = RestClient.builder()
 *         .requestFactory(new CollapseClientHttpRequestFactory(
 *                 new JdkClientHttpRequestFactory(), http, CollapseOptions.defaults()))
 *         .build();
 * }</pre>
 *
 * <p>It decorates the request factory that the client would have without it, and so stands below all interceptors of the
 * client: it sees a request as it is sent, whatever they add, replace or retry. A GET or HEAD without a body whose path belongs
 * to a group is gathered with those that have the same key, one of them is sent, and each receives a response of its own.
 * Every other request goes to the delegate as it is; a body that is streamed stays streamed.
 *
 * <p><b>Give every HTTP client a request factory of its own, and let the delegate add no credentials that differ between its
 * callers</b>, for example from a thread-local: nobody above the delegate sees them. The address that the delegate's request has is seen, and
 * counts. If the delegate contains interceptors,
 * nothing collapses, and a warning says so once.
 *
 * <p>Safe for use by any number of threads if the delegate is. A request is sent by the thread that executes it. A request that
 * waits for another's response can be interrupted, and leaves then with a {@link java.io.InterruptedIOException}; its
 * {@code execute()} throws a {@link java.net.SocketTimeoutException} if {@code callTimeout} has passed, and a
 * {@link java.util.concurrent.RejectedExecutionException} if {@code maxPending} requests are waiting already.
 */
public final class CollapseClientHttpRequestFactory extends AbstractClientHttpRequestFactoryWrapper {

    // immutable
    private final boolean collapses;
    private final BlockingHttpCollapseExecutor executor;

    /**
     * Creates a request factory with no request in flight.
     *
     * @param delegate the client's own request factory, which sends the requests
     * @param http what is collapsed; without a rule, nothing
     * @param core how requests are gathered
     */
    public CollapseClientHttpRequestFactory(
            ClientHttpRequestFactory delegate, HttpCollapseOptions http, CollapseOptions core) {
        super(delegate);
        this.collapses = !http.rules().isEmpty();
        this.executor = new BlockingHttpCollapseExecutor(http, core);
    }

    /**
     * Creates a request that collapses when it is executed.
     *
     * @param uri the address
     * @param method the method
     * @param delegate creates the request that is sent
     * @return a request; one that accepts a streamed body if the delegate's does
     * @throws IOException if the delegate throws it
     */
    @Override
    protected ClientHttpRequest createRequest(URI uri, HttpMethod method, ClientHttpRequestFactory delegate)
            throws IOException {
        ClientHttpRequest request = delegate.createRequest(uri, method);
        if (!collapses) {
            return request;
        }
        RequestPath path = RequestPath.through(delegate);
        return request instanceof StreamingHttpOutputMessage
                ? new CollapsingRequest.Streaming(method, uri, request, executor, path)
                : new CollapsingRequest(method, uri, request, executor, path);
    }
}
