package io.github.collapseexecutor.http;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The header section of a response that may answer several requests, as soon as its body is complete; made by
 * {@link SharingRules#shareable}.
 *
 * <p>Immutable.
 */
public final class ShareableHead {

    private static final String CONTENT_LENGTH = "content-length";
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    /** RFC 9110 section 7.6.1: they end with the connection; {@code Trailer} announces what is not passed on. */
    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade");

    // immutable
    private final int status;
    private final String reason;
    private final HttpFields fields;
    private final boolean bodiless;
    private final Selection selection;
    private final @Nullable Long waitingSince;
    private final boolean stripSetCookie;
    private final @Nullable String cacheStatus;

    ShareableHead(
            int status,
            String reason,
            HttpFields fields,
            boolean bodiless,
            Selection selection,
            @Nullable Long waitingSince,
            boolean stripSetCookie,
            @Nullable String cacheStatus) {
        this.status = status;
        this.reason = reason;
        this.fields = fields;
        this.bodiless = bodiless;
        this.selection = selection;
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
        return value != null && LENGTH.matcher(value).matches();
    }

    /**
     * Tells whether this response has no body, whatever its headers say: it answers a HEAD, or its status is 204 or 304.
     *
     * @return true if there is nothing to read
     */
    public boolean isBodiless() {
        return bodiless;
    }

    /**
     * Returns the length that the response announces for its body.
     *
     * @return bytes, or -1 if it announces none or {@link #isBodiless()}
     */
    public long contentLength() {
        List<@Nullable String> values = fields.values(CONTENT_LENGTH);
        String value = bodiless || values == null || values.isEmpty() ? null : values.get(0);
        return value == null ? -1 : Long.parseLong(value);
    }

    /**
     * Completes the response.
     *
     * @param body the whole body as it was received; kept, not copied
     * @param attachment what the leader's adapter hands to those of the followers
     * @return the response to share, or null if the body is not as long as announced: the leader keeps what it has, the
     *     others are forwarded
     */
    @Nullable SharedResponse complete(byte[] body, @Nullable Object attachment) {
        long announced = contentLength();
        if (announced >= 0 && announced != body.length) {
            return null;
        }
        HttpFields endToEnd = fields.without(HOP_BY_HOP).without(fields.members("connection"));
        HttpFields others = stripSetCookie ? endToEnd.without(Set.of(ResponseRules.SET_COOKIE)) : endToEnd;
        if (cacheStatus != null) {
            others = others.appending(SharingRules.CACHE_STATUS, cacheStatus);
        }
        return new SharedResponse(status, reason, endToEnd, others, body, selection, waitingSince, attachment);
    }

    /**
     * Completes the response without an attachment.
     *
     * @param body the whole body as it was received; kept, not copied
     * @return the response to share, or null if the body is not as long as announced
     */
    public @Nullable SharedResponse complete(byte[] body) {
        return complete(body, null);
    }
}
