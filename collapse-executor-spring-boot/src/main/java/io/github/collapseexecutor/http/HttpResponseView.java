package io.github.collapseexecutor.http;

import java.util.List;
import java.util.function.BiConsumer;

/** The header section of a response as the rules see it; each adapter shows its framework's response through one. */
public interface HttpResponseView {

    /**
     * Returns the status code.
     *
     * @return the code, of three digits
     */
    int status();

    /**
     * Returns the reason phrase of the status line.
     *
     * @return the phrase, empty where there is none
     */
    String reason();

    /**
     * Shows every header.
     *
     * @param action is handed each name and all values of that name, in order; it keeps neither
     */
    void forEachHeader(BiConsumer<? super String, ? super List<String>> action);

    /**
     * Tells whether the response is for the request that made the call only, although nothing in its header section says so:
     * for example because of a redirect that led to it. It has the effect of {@code Cache-Control: no-store}.
     *
     * @return true if the response must not be shared; false, the default, if the header section decides
     */
    default boolean isForLeaderOnly() {
        return false;
    }

    /**
     * Tells whether the response may be shared within this instance only, because receivers get something that does not go to another
     * one: for example the address that a redirect led to.
     *
     * @return true if the response must not leave the instance; false, the default, if it may
     */
    default boolean isForThisInstanceOnly() {
        return false;
    }
}
