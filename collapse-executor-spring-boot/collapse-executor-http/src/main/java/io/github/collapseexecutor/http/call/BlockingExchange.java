package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.http.rules.HttpRequestView;
import io.github.collapseexecutor.http.rules.HttpResponseView;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request of a blocking client on its way; what an adapter implements so that
 * {@link BlockingHttpCollapseExecutor} can do the rest.
 *
 * <p>Used by one thread only, the one that makes the request.
 *
 * @param <RESPONSE> the client's type of response
 */
public interface BlockingExchange<RESPONSE> {

    /** {@return the request; a live view, which shows after {@link #send()} what was added on the way} */
    HttpRequestView request();

    /**
     * Returns a signal upon which this request stops waiting, for clients that can cancel a request without interrupting its thread.
     *
     * <p>If {@link #send()} or the body fails because this request was cancelled, the future is done before the failure is
     * thrown. Then the failure is this request's alone: another request of its batch is sent.
     *
     * @return a future that is done when this request is cancelled, which then fails with a
     *     {@link java.util.concurrent.CancellationException}; always the same, or null if only an interrupt does that
     */
    default @Nullable CompletableFuture<?> cancelSignal() {
        return null;
    }

    /**
     * Sends the request and waits for the header section of the response. It is called once at most.
     *
     * @return the response, its body not yet read
     * @throws IOException if the transport fails
     */
    RESPONSE send() throws IOException;

    /**
     * Shows the header section of a response.
     *
     * @param response what {@link #send()} returned
     * @return a view of it
     * @throws IOException if it cannot be read
     */
    HttpResponseView headOf(RESPONSE response) throws IOException;

    /**
     * Opens the body of a response. It is called once at most, and not for a response without a body.
     *
     * @param response what {@link #send()} returned
     * @return the body; closed with the response
     * @throws IOException if it cannot be read
     */
    InputStream bodyOf(RESPONSE response) throws IOException;

    /**
     * Tells whether a failure is one of the transport (connect, reset, time-out, truncated body), after which another caller
     * may try again, see {@link io.github.collapseexecutor.http.LeaderFailurePolicy}.
     *
     * @param failure what {@link #send()} or the body failed with
     * @return true, as here, for an {@link IOException}; false if it is one of the application
     */
    default boolean isTransportFailure(Throwable failure) {
        return failure instanceof IOException;
    }

    /**
     * Returns a response of which a part was read as if it had not been.
     *
     * @param response what {@link #send()} returned
     * @param body what was read, then the rest
     * @return the same response, but with that body; when it is closed, so is the original
     */
    RESPONSE resumed(RESPONSE response, InputStream body);

    /**
     * Returns what the adapters of the followers need from that of the leader and HTTP does not say; they find it as
     * {@link SharedResponse#attachment()}. It is asked for before {@link #close}.
     *
     * @param response what {@link #send()} returned
     * @return anything that holds when the response is closed, or null
     */
    default @Nullable Object attachmentOf(RESPONSE response) {
        return null;
    }

    /**
     * Makes a response of one's own from a shared one.
     *
     * @param response the shared response
     * @param receiver whether this request made the call
     * @return a response that the application may change, read and close without any effect on others
     */
    RESPONSE answer(SharedResponse response, SharedResponse.Receiver receiver);

    /**
     * Adds a value to a header of a response, behind those it has.
     *
     * @param response what {@link #send()} returned; if this throws, it is closed
     * @param name the header's name
     * @param value the value
     * @return the response to use instead; when it is closed, so is the original
     */
    RESPONSE withHeader(RESPONSE response, String name, String value);

    /**
     * Closes a response that the application does not get; it must not throw.
     *
     * @param response what {@link #send()} returned
     */
    void close(RESPONSE response);
}
