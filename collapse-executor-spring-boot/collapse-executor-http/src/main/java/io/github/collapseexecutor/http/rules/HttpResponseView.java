package io.github.collapseexecutor.http.rules;

import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** The header section of a response as the rules see it; each adapter shows its framework's response through one. */
public interface HttpResponseView {

    /** {@return the status code, of three digits} */
    int status();

    /** {@return the reason phrase of the status line; empty, the default, where there is none} */
    default String reason() {
        return "";
    }

    /**
     * Shows every header.
     *
     * @param action is handed each name and all values of that name, in order; it keeps neither
     */
    void forEachHeader(BiConsumer<? super String, ? super List<String>> action);

    /**
     * {@return whether the response is for the request that made the call only, although nothing in its header section says so, for example because
     * the client has added cookies for another address; false, the default, if the header section decides} It has the effect of
     * {@code Cache-Control: no-store}.
     */
    default boolean isForLeaderOnly() {
        return false;
    }

    /**
     * Returns the responses that the client has got before this one and acted upon by itself: redirects that it has followed, failures
     * after which it has sent the request again. The response is shared only if each of them may be shared.
     *
     * @return a view of each, in any order, {@link #unknown()} of one whose header section the client does not show; empty, the default, if
     *     the client has followed nothing
     */
    default List<HttpResponseView> followed() {
        return List.of();
    }

    /**
     * {@return the view of a response of which nothing is known but that there was one, for {@link #followed()}; it has the status 0, which is never
     * shared}
     */
    static HttpResponseView unknown() {
        return new StatusOnly(0);
    }

    /**
     * {@return the headers of the request, beside those of its key, that a server's handler has written into the response without saying so, in lower
     * case; empty, the default, for clients and where nobody sees what a handler looks at} The response is shared only with requests in which they
     * are equal, as those that {@code Vary} names.
     */
    default Set<String> shown() {
        return Set.of();
    }

    /**
     * {@return whether the response may be shared within this instance only, because receivers get something that does not go to another one, for
     * example the address that a redirect led to; false by default}
     */
    default boolean isForThisInstanceOnly() {
        return false;
    }
}
