package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.dryrun.BodyWatch;
import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request of a non-blocking client or server on its way; what an adapter implements so that
 * {@link FutureHttpCollapseExecutor} can do the rest.
 *
 * <p>The exchange of a leader is made on behalf of all callers that wait for its response: it goes on when the leader's caller leaves,
 * and is cancelled when nobody waits any more. Its methods are called one at a time, but on any thread: that of its caller,
 * of another caller, of one that ends another call, or of the timer. None of them may block.
 *
 * @param <RESPONSE> the framework's type of response
 */
public interface FutureExchange<RESPONSE> {

    /** {@return the request; a live view, which shows after {@link #send()} what was added on the way} */
    HttpRequestView request();

    /**
     * {@return what belongs to the caller and is not on its thread, for the {@linkplain HttpCallSummary#callerContext() listener}; null, as here, if
     * there is nothing}
     */
    default @Nullable Object callerContext() {
        return null;
    }

    /**
     * Gathers this request once more, when another's call has left it without an answer: on the thread that ended that call, which may have
     * the context of another caller.
     *
     * @param gathering has the caller's context taken
     * @param <T> what it gives
     * @return what it gave
     */
    default <T> T asCaller(Supplier<T> gathering) {
        return gathering.get();
    }

    /**
     * Learns that this request has opened a batch that does not start at once: it is the one that is going to be sent unless its
     * caller leaves first. The submitting thread calls this before the executor's {@code execute} returns.
     */
    default void opened() {}

    /**
     * Learns, before {@link #send()}, that nobody else will get the response: {@link #request()} need not show what is added on the
     * way. It is not called where that is not known in time.
     */
    default void alone() {}

    /**
     * Sends the request (a server: has its own handler run). It is called once at most, and not at all if another's
     * response answers the request.
     *
     * @return a future of the response, complete as soon as its header section is there, at the latest when more of the body
     *     has come than may be shared; cancelling it cancels the exchange, and a response that comes nevertheless is released
     *     by the adapter
     */
    CompletableFuture<RESPONSE> send();

    /**
     * Shows the header section of a response.
     *
     * @param response what {@link #send()} gave
     * @return a view of it
     */
    HttpResponseView headOf(RESPONSE response);

    /**
     * Collects the body of a response into memory until its end, or until there is more of it than may be shared; a response
     * to a HEAD, and others without a body, come to their end at once. It is called once at most.
     *
     * @param response what {@link #send()} gave; it is not used otherwise from then on
     * @param limit the largest body that may be shared, in bytes
     * @return a future of the body; if it fails, the response has been released; cancelling it releases the response
     */
    CompletableFuture<BoundedBody<RESPONSE>> collect(RESPONSE response, long limit);

    /**
     * Has the body of a response watched as its reader reads it, at the reader's pace and without being kept.
     *
     * @param response what {@link #send()} gave; it is not used otherwise from then on
     * @param watch sees the body
     * @return the response to use instead
     */
    RESPONSE watched(RESPONSE response, BodyWatch watch);

    /**
     * Makes a response of one's own from a shared one.
     *
     * @param response the shared response
     * @param receiver whether this request made the call
     * @return a response that the application may change, read and close without any effect on others
     */
    RESPONSE answer(SharedResponse response, SharedResponse.Receiver receiver);

    /**
     * {@return whether {@link #answer} can make a response of one that another instance has received, to which no adapter attached anything; true
     * here} If not, such a response is not asked for, and the request is sent.
     */
    default boolean answersWithoutAttachment() {
        return true;
    }

    /**
     * Adds a value to a header of a response, behind those it has.
     *
     * @param response what {@link #send()} gave
     * @param name the header's name
     * @param value the value
     * @return the response to use instead
     */
    RESPONSE withHeader(RESPONSE response, String name, String value);

    /**
     * Releases a response that nobody gets; it must not throw.
     *
     * @param response one that this exchange made
     */
    void close(RESPONSE response);

    /**
     * Tells whether a failure is one of the transport (connect, reset, time-out, truncated body), after which another caller
     * may try again, see {@link LeaderFailurePolicy}.
     *
     * @param failure what {@link #send()} or {@link #collect} failed with
     * @return false if it is one of the application, for example of a server's handler
     */
    boolean isTransportFailure(Throwable failure);
}
