package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.rules.SharedResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link FutureExchange} has collected of the body of a response.
 *
 * @param <RESPONSE> the framework's type of response
 */
public final class BoundedBody<RESPONSE> {

    // immutable
    private final byte @Nullable [] bytes;
    private final RESPONSE response;
    private final @Nullable Object attachment;
    private final Reason reason;

    private BoundedBody(byte @Nullable [] bytes, RESPONSE response, @Nullable Object attachment, Reason reason) {
        this.bytes = bytes;
        this.response = Objects.requireNonNull(response, "response");
        this.attachment = attachment;
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /**
     * Returns a body that has come to its end within the limit.
     *
     * @param bytes the whole body; kept, not copied
     * @param response the response as if its body had not been read, for the leader if it is not shared after all; it holds
     *     nothing that has to be released
     * @param attachment what the adapters of the followers need from that of the leader, nothing of the request or response;
     *     see {@link SharedResponse#attachment()}
     * @param <RESPONSE> the framework's type of response
     * @return the body
     */
    public static <RESPONSE> BoundedBody<RESPONSE> complete(
            byte[] bytes, RESPONSE response, @Nullable Object attachment) {
        return new BoundedBody<>(Objects.requireNonNull(bytes, "bytes"), response, attachment, Reason.TOO_LARGE);
    }

    /**
     * Returns a body of which there is more than may be shared.
     *
     * @param response the response as if its body had not been read: what was collected of it, then the rest as it comes
     * @param <RESPONSE> the framework's type of response
     * @return the body
     */
    public static <RESPONSE> BoundedBody<RESPONSE> tooLarge(RESPONSE response) {
        return notShared(response, Reason.TOO_LARGE);
    }

    /**
     * Returns a body that others do not get, although the header section did not say so.
     *
     * @param response the response as if its body had not been read: what was collected of it, then the rest as it comes
     * @param reason why others do not get it: for example {@link Reason#STREAM}
     * @param <RESPONSE> the framework's type of response
     * @return the body
     */
    public static <RESPONSE> BoundedBody<RESPONSE> notShared(RESPONSE response, Reason reason) {
        return new BoundedBody<>(null, response, null, reason);
    }

    byte @Nullable [] bytes() {
        return bytes;
    }

    RESPONSE response() {
        return response;
    }

    @Nullable Object attachment() {
        return attachment;
    }

    /** Why others do not get the body; of no meaning if there are bytes. */
    Reason reason() {
        return reason;
    }
}
