package io.github.collapseexecutor.http.rules;

import java.net.URI;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A request as the rules see it; each adapter shows its framework's request through one.
 *
 * <p>A view is live: a header that is added to the request later shows up in it.
 */
public interface HttpRequestView {

    /** {@return the method as it is sent; case-sensitive (RFC 9110 section 9.1)} */
    String method();

    /** {@return the absolute address as it is sent; its raw path and raw query are what counts} */
    URI uri();

    /**
     * Shows every header.
     *
     * @param action is handed each name and all values of that name, in order, null where the framework has a null value; it
     *     keeps neither
     */
    void forEachHeader(BiConsumer<? super String, ? super List<String>> action);

    /** {@return whether the request carries content: a body of at least one byte, or of unknown length} */
    boolean hasBody();

    /**
     * {@return whether something beside the headers says on whose behalf the request is made: on a server, a principal, a client certificate or a
     * session; false, the default, for clients}
     */
    default boolean identifiesUser() {
        return false;
    }

    /**
     * {@return the client that sends the request, with {@code equals} and {@code hashCode}; null, the default, if all requests of the adapter are of
     * one client} Requests whose clients are not equal never share a call: a client may add credentials below the adapter, where nobody sees them.
     */
    default @Nullable Object client() {
        return null;
    }

    /**
     * Tells why this request must not share a call, although nothing in it says so: for example because something behind the
     * adapter may still change on whose behalf it is made. It is asked before the request is sent and, of a request that may share,
     * again when the header section of its response has arrived: an obstacle that has shown itself by then keeps the response from
     * being shared.
     *
     * @return the reason and the remedy for the log, without any data of the request; null, the default, if nothing is known
     *     to be in the way
     */
    default @Nullable String obstacle() {
        return null;
    }

    /**
     * Names the setting by which the client follows redirects that its responses do not show. Then a request with credentials is not
     * shared: nobody knows whether a redirect was for its user only. It is asked when {@link #obstacle()} is.
     *
     * @return the client, the setting and the remedy for the log, without any data of the request; null, the default, if the client follows
     *     no redirect, or its responses show those that it has followed
     */
    default @Nullable String unseenRedirects() {
        return null;
    }

    /**
     * {@return the raw path on the wire, where the address has been changed since, as filters of a server do; null, the default, if it is that of
     * {@link #uri()}}
     */
    default @Nullable String receivedPath() {
        return null;
    }

    /**
     * {@return the path that a server finds the handler by, decoded, from the context path on; null, the default, if it is that of {@link #uri()}}
     */
    default @Nullable String dispatchedPath() {
        return null;
    }

    /**
     * Returns the path that filters of a server have put in the place of the one on the wire, although the server does not find the handler by
     * it: a framework may do so within its own handler.
     *
     * @return the raw path, from the context path on; null, the default, if it is the one on the wire
     */
    default @Nullable String rewrittenPath() {
        return null;
    }

    /**
     * {@return what else a server finds the handler by, or where a client sends the request if that is not the address which was asked for, in a
     * fixed order; empty, the default, for clients that send what they are asked for} These parts always take part in the key.
     */
    default List<@Nullable String> dispatchedTo() {
        return List.of();
    }

    /** {@return the IP address of the client that a server has the request from; null, the default, for clients} */
    default @Nullable String clientAddress() {
        return null;
    }
}
