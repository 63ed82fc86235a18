package io.github.collapseexecutor.http.client;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.BlockingHttpCollapseExecutor;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import java.io.IOException;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Lets concurrent requests of a {@code RestTemplate} or {@code RestClient} that ask for the same thing share one call.
 *
 * <pre>{@code
 * HttpCollapseOptions http = HttpCollapseOptions.builder()
 *         .groups(List.of(CollapseGroup.of(CollapsePolicy.strict(), "/user/*")))
 *         .build();
 * RestClient client = RestClient.builder()
 *         .requestInterceptor(new CollapseHttpRequestInterceptor(http, CollapseOptions.defaults()))
 *         .build();
 * }</pre>
 *
 * <p>A GET or HEAD whose path belongs to a group is gathered with those that have the same key, one of them is sent, and each
 * receives a response of its own. Everything else, and whatever may not share the response, is sent as if this interceptor
 * were not there.
 *
 * <p>Interceptors before this one see every request; those after it see only the requests that are sent. Whatever tells
 * users apart has to be on the request when it gets here, so place this interceptor after those that add credentials. If one
 * after it changes a header that counts, the response is not shared; if one replaces the request by another, that goes
 * unnoticed.
 *
 * <p>One instance may serve any number of clients and threads. A request is sent by the thread that made it. A request that
 * waits for another's response can be interrupted, and leaves then with a {@link java.io.InterruptedIOException}.
 */
public final class CollapseHttpRequestInterceptor implements ClientHttpRequestInterceptor {

    // immutable
    private final BlockingHttpCollapseExecutor executor;

    /**
     * Creates an interceptor with no request in flight.
     *
     * @param http what is collapsed; without a group, nothing
     * @param core how requests are gathered
     */
    public CollapseHttpRequestInterceptor(HttpCollapseOptions http, CollapseOptions core) {
        this.executor = new BlockingHttpCollapseExecutor(http, core);
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
        return executor.execute(new SpringExchange(request, body, execution));
    }
}
