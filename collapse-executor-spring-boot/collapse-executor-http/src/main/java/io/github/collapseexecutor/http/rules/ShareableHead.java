package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.message.HttpFields;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The header section of a response that may answer several requests, as soon as its body is complete; made by
 * {@link SharingRules#shareable}.
 *
 * <p>Immutable. Public for other packages of the library only.
 */
public final class ShareableHead implements ResponseDecision {

    private static final String CONTENT_LENGTH = "content-length";

    /** A number of so many digits fits into a long. */
    private static final int MOST_DIGITS = 18;

    /** RFC 9110 section 7.6.1: they end with the connection; {@code Trailer} announces what is not passed on. */
    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade");

    // immutable
    private final int status;
    private final String reason;
    private final HttpFields fields;
    private final boolean bodiless;
    private final VaryMatch varyMatch;
    private final @Nullable Long waitingSince;
    private final boolean stripSetCookie;
    private final @Nullable String cacheStatus;

    ShareableHead(
            int status,
            String reason,
            HttpFields fields,
            boolean bodiless,
            VaryMatch varyMatch,
            @Nullable Long waitingSince,
            boolean stripSetCookie,
            @Nullable String cacheStatus) {
        this.status = status;
        this.reason = reason;
        this.fields = fields;
        this.bodiless = bodiless;
        this.varyMatch = varyMatch;
        this.waitingSince = waitingSince;
        this.stripSetCookie = stripSetCookie;
        this.cacheStatus = cacheStatus;
    }

    /** Whether a header section announces no length, or one that every recipient reads alike (RFC 9110 section 8.6). */
    static boolean hasPlainLength(HttpFields fields) {
        List<@Nullable String> values = fields.values(CONTENT_LENGTH);
        if (values == null) {
            return true;
        }
        String value = values.size() == 1 ? values.get(0) : null;
        return value != null && isPlainNumber(value);
    }

    private static boolean isPlainNumber(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < '0' || value.charAt(i) > '9') {
                return false;
            }
        }
        return !value.isEmpty() && value.length() <= MOST_DIGITS;
    }

    /** The length of a body as a head announces it, or -1 if there is none, or none that every recipient reads alike. */
    public static long bodyLength(String method, int status, HttpFields fields) {
        if (ResponseRules.isBodiless(method, status)) {
            return 0;
        }
        List<@Nullable String> values = fields.values(CONTENT_LENGTH);
        String value = values == null || !hasPlainLength(fields) ? null : values.get(0);
        return value == null ? -1 : Long.parseLong(value);
    }

    /** Whether the response is only for requests that waited when it came, and a request came later (H17, H19). */
    public boolean isTooOldFor(CollapsibleRequest follower) {
        return waitingSince != null && follower.arrivedAt() - waitingSince > 0;
    }

    /** Whether the origin chose the response by nothing in which a request differs from the leader (H14, H30). */
    public boolean suits(CollapsibleRequest follower) {
        return varyMatch.includes(follower.fields());
    }

    /** {@return whether this response has no body, whatever its headers say: it answers a HEAD, or its status is 204 or 304} */
    public boolean isBodiless() {
        return bodiless;
    }

    /** {@return the length that the response announces for its body, in bytes; -1 if it announces none or {@link #isBodiless()}} */
    public long contentLength() {
        List<@Nullable String> values = fields.values(CONTENT_LENGTH);
        String value = bodiless || values == null || values.isEmpty() ? null : values.get(0);
        return value == null ? -1 : Long.parseLong(value);
    }

    /**
     * Tells whether a body is as long as the response announces.
     *
     * @param bodyLength the length of the whole body, in bytes
     * @return true if the response announces this length or none, or {@link #isBodiless()}
     */
    public boolean fits(int bodyLength) {
        long announced = contentLength();
        return announced < 0 || announced == bodyLength;
    }

    /**
     * Completes the response.
     *
     * @param body the whole body as it was received; kept, not copied
     * @param attachment what the leader's adapter hands to those of the followers, or null
     * @return the response to share
     * @throws IllegalArgumentException if the body does not {@linkplain #fits fit}: the leader keeps what it has, the others
     *     are forwarded
     */
    public SharedResponse complete(byte[] body, @Nullable Object attachment) {
        if (!fits(body.length)) {
            throw new IllegalArgumentException(
                    "body: " + body.length + " bytes are not the announced " + contentLength());
        }
        return new SharedResponse(this, body, attachment);
    }

    /** The headers that the leader gets. */
    HttpFields endToEnd() {
        return fields.without(HOP_BY_HOP).without(fields.members("connection"));
    }

    /** The headers that others than the leader get, but for what this adapter adds. */
    HttpFields othersFields() {
        HttpFields endToEnd = endToEnd();
        return stripSetCookie ? endToEnd.without(Set.of(ResponseRules.SET_COOKIE)) : endToEnd;
    }

    int status() {
        return status;
    }

    String reason() {
        return reason;
    }

    @Nullable String cacheStatus() {
        return cacheStatus;
    }

    VaryMatch varyMatch() {
        return varyMatch;
    }

    /** Whether the response is for requests only that waited when it came (H17, H19). */
    boolean isForWaitingOnly() {
        return waitingSince != null;
    }

    /** Whether followers get this response only if a failure is shared, as {@link SharedResponse#isErrorResponse()} says. */
    public boolean isErrorResponse() {
        return status >= 500 && status != 501 && status != 503;
    }

    /** Whether no other instance gets this response, as {@link #isOfOneInstance(int)} says. */
    public boolean isOfOneInstance() {
        return isOfOneInstance(status);
    }

    /**
     * Tells whether a response may come from what lies between one instance and the origin, or may be meant for that instance: a limit of its
     * own, or a proxy that is sick. It is shared with those that wait on that instance (H19), and with no other instance.
     *
     * @return true for 429 and 5xx but 501
     */
    public static boolean isOfOneInstance(int status) {
        return status == 429 || (status >= 500 && status != 501);
    }
}
