package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.LeaderFailurePolicy;
import io.github.collapseexecutor.http.message.HttpFields;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A complete response that may answer several requests; each receiver makes a response of its own framework from it.
 *
 * <p>It holds the status, reason, body and every end-to-end header of the origin's response. Hop-by-hop headers are
 * dropped. Immutable: a receiver that changes the headers it was shown, or reads the body,
 * changes nothing for the others.
 */
public final class SharedResponse {

    // immutable
    private final ShareableHead head;
    private final HttpFields leaderFields;
    private final HttpFields followerFields;
    private final byte[] body;
    private final @Nullable Object attachment;

    SharedResponse(ShareableHead head, byte[] body, @Nullable Object attachment) {
        this.head = head;
        this.leaderFields = head.endToEnd();
        HttpFields others = head.othersFields();
        String added = head.cacheStatus();
        this.followerFields = added == null ? others : others.appending(CacheStatus.HEADER, added);
        this.body = body;
        this.attachment = attachment;
    }

    /** {@return the origin's status code} */
    public int status() {
        return head.status();
    }

    /** {@return the origin's reason phrase; empty where there is none} */
    public String reason() {
        return head.reason();
    }

    /**
     * Shows every header that a receiver gets.
     *
     * @param receiver whether the request that made the call receives them, or one of the others: those get no
     *     {@code Set-Cookie} where the policy strips it
     * @param action is handed each name as the origin wrote it and all its values in order, unmodifiable
     */
    public void forEachHeader(Receiver receiver, BiConsumer<? super String, ? super List<String>> action) {
        HttpFields fields = receiver == Receiver.LEADER ? leaderFields : followerFields;
        fields.forEachHeader(action);
    }

    /**
     * {@return what collapsing itself adds to {@code Cache-Status} (RFC 9211) for the followers, behind the values of the origin; null if nothing is
     * added}
     */
    public @Nullable String cacheStatus() {
        return head.cacheStatus();
    }

    /** Who receives a shared response. */
    public enum Receiver {
        /** The request that made the call. */
        LEADER,
        /** A request answered by another's call. */
        FOLLOWER
    }

    /** {@return a reader of the body, at its begin; a stream of its own for each call, which needs no close} */
    public InputStream body() {
        return new ByteArrayInputStream(body);
    }

    /** {@return the length of the body, in bytes} */
    public int bodyLength() {
        return body.length;
    }

    /**
     * Returns a copy of a part of the body.
     *
     * @param from the index of its first byte
     * @param to the index behind its last byte, at most the length of the body
     * @return an array of its own for each call
     */
    public byte[] part(int from, int to) {
        return Arrays.copyOfRange(body, from, to);
    }

    /** {@return what the leader's adapter attached for the adapters of the followers, say how to decode a body; null if nothing} */
    public @Nullable Object attachment() {
        return attachment;
    }

    /**
     * Tells whether this response may answer a request that was gathered with the leader's, besides the leader's own.
     *
     * <p>Not if the origin chose it by a header in which the two differ (H14), and not if it is valid only for
     * requests that were waiting when it came (H17, H19) and this one came later.
     *
     * @param follower a request with the leader's key
     * @return false if the request must be regrouped or forwarded
     */
    public boolean mayAnswer(CollapsibleRequest follower) {
        return mayRegroup(follower) && head.suits(follower);
    }

    /**
     * Tells whether a request that this response may not answer may be answered by one more call together with others like it
     * (RFC 9111 section 4.1): those with equal values of the headers that the response was chosen by.
     *
     * @param follower a request with the leader's key that this response may not answer
     * @return false if the request came too late and must be forwarded alone
     */
    public boolean mayRegroup(CollapsibleRequest follower) {
        return !head.isTooOldFor(follower);
    }

    /**
     * Returns what a request that this response may not answer has in common with others like it.
     *
     * @param follower a request that {@linkplain #mayRegroup may regroup}
     * @return a value with {@code equals} and {@code hashCode}
     */
    public Object regroupBy(CollapsibleRequest follower) {
        return head.varyMatch().regroupBy(follower.fields());
    }

    /**
     * {@return whether the call failed as {@link LeaderFailurePolicy} understands it, with a server error that has no rule of its own: 5xx but 501
     * (as final as any answer) and 503 (shared, so that the origin may recover)}
     */
    public boolean isErrorResponse() {
        return head.isErrorResponse();
    }
}
