package io.github.collapseexecutor.http;

import java.net.URI;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A request as the rules see it; each adapter shows its framework's request through one.
 *
 * <p>A view is live: a header that is added to the request later shows up in it.
 */
public interface HttpRequestView {

    /**
     * Returns the method as it is sent.
     *
     * @return the method, case-sensitive (RFC 9110 section 9.1)
     */
    String method();

    /**
     * Returns the address as it is sent.
     *
     * @return an absolute address; its raw path and raw query are what counts
     */
    URI uri();

    /**
     * Shows every header.
     *
     * @param action is handed each name and all values of that name, in order; it keeps neither
     */
    void forEachHeader(BiConsumer<? super String, ? super List<String>> action);

    /**
     * Tells whether the request carries content.
     *
     * @return true if it has a body of at least one byte, or of unknown length
     */
    boolean hasBody();

    /**
     * Tells whether something beside the headers says on whose behalf the request is made: on a server, a principal, a client
     * certificate or a session.
     *
     * @return false for clients, the default
     */
    default boolean identifiesUser() {
        return false;
    }
}
