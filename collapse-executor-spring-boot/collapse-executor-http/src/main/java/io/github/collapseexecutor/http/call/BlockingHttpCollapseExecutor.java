package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.rules.CollapsibleRequest;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.HttpTime;
import io.github.collapseexecutor.http.rules.SharingRules;
import io.github.collapseexecutor.http.rules.Side;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Collapses the exchanges of one blocking HTTP client; the part that the adapters of such clients have in common.
 *
 * <p>A request that may share a call is gathered with others of an equal key, and one of them sends it. If the response may
 * be shared, it is read into memory and everybody gets a copy. If not, the leader gets it untouched, and the others are
 * forwarded at once, each on its own thread, as many at a time as {@link HttpCollapseOptions#fanOutLimit()} allows; for a
 * while, requests of that key are not gathered any more. A response chosen by a header ({@code Vary}) in which some differ
 * from the leader lets those regroup by that header; a request without an answer after that is forwarded.
 *
 * <p>Safe for use by any number of threads. Every request is sent, if at all, by the thread that made it.
 */
public final class BlockingHttpCollapseExecutor {

    // immutable
    private final SharingRules rules;
    private final GatheringExecutors<BlockingCallableGroupCollapseExecutor> executors;

    /**
     * Creates an executor with no call in flight.
     *
     * @param http what is collapsed
     * @param core how calls are gathered; {@code maxPending} bounds the requests that are gathered or wait for a call
     */
    public BlockingHttpCollapseExecutor(HttpCollapseOptions http, CollapseOptions core) {
        this(http, core, HttpTime.SYSTEM);
    }

    BlockingHttpCollapseExecutor(HttpCollapseOptions http, CollapseOptions core, HttpTime time) {
        this.rules = new SharingRules(http, Side.CLIENT, time, core.name());
        this.executors = GatheringExecutors.of(core, BlockingCallableGroupCollapseExecutor::new, rules);
    }

    /**
     * Makes an exchange, or has another's response answer it.
     *
     * @param exchange one request on its way
     * @param <RESPONSE> the client's type of response
     * @return the response for this request alone, to be read and closed by the caller
     * @throws IOException as the transport threw it for the request that was sent; a {@link java.io.InterruptedIOException}
     *     if the thread is interrupted while it waits, with its interrupt status set; a
     *     {@link java.net.SocketTimeoutException} if {@code callTimeout} has passed, or {@code followerTimeout} and it is to
     *     fail then
     * @throws java.util.concurrent.CancellationException if the request is {@linkplain BlockingExchange#cancelSignal()
     *     cancelled} while it waits
     * @throws java.util.concurrent.RejectedExecutionException if {@code maxPending} requests are waiting already
     */
    public <RESPONSE> RESPONSE execute(BlockingExchange<RESPONSE> exchange) throws IOException {
        if (!(rules.arrived(exchange.request()) instanceof CollapsibleRequest request)) {
            return forward(exchange);
        }
        return new BlockingDriver<>(new CallMachine(rules, request, executors.core()), exchange, rules.time())
                .run(executors);
    }

    private <RESPONSE> RESPONSE forward(BlockingExchange<RESPONSE> exchange) throws IOException {
        HttpRequestView request = exchange.request();
        HttpResponseView head = null;
        try {
            RESPONSE response = exchange.send();
            head = rules.isWatched(request) ? headIn(exchange, response) : null;
            return response;
        } finally {
            rules.forwarded(request, head);
        }
    }

    /** The head of a response, or null if it cannot be read, which its caller finds out by itself. */
    private static <RESPONSE> @Nullable HttpResponseView headIn(
            BlockingExchange<RESPONSE> exchange, RESPONSE response) {
        try {
            return exchange.headOf(response);
        } catch (IOException | RuntimeException unreadable) {
            return null;
        }
    }
}
