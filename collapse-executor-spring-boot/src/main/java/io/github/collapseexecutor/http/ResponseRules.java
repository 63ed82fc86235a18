package io.github.collapseexecutor.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** May this response answer others than its leader? Decided from its header section (H6, H14 to H19, H30). */
final class ResponseRules {

    /** H19: shared without further ado (RFC 9110 section 15.1), but for 206. */
    private static final Set<Integer> SHARED = Set.of(200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501);

    /** H19: shared with those who already wait, so that an origin in distress is not asked by each of them. */
    private static final Set<Integer> SHARED_WITH_WAITING = Set.of(429, 503);

    /** H6 and H19: never shared, however fresh. */
    private static final Set<Integer> NEVER_SHARED = Set.of(206, 401, 407);

    /** H18: with one of these the response says something to or about one receiver. */
    private static final List<String> PERSONAL = List.of(
            "set-cookie2",
            "www-authenticate",
            "proxy-authenticate",
            "authentication-info",
            "proxy-authentication-info",
            "clear-site-data");

    static final String SET_COOKIE = "set-cookie";

    /** Bodies that end when somebody leaves, not when all is said; to wait for their end may be to wait for ever. */
    private static final List<String> STREAMS = List.of(
            "text/event-stream",
            "multipart/x-mixed-replace",
            "application/grpc",
            "application/x-ndjson",
            "application/stream+json");

    private ResponseRules() {}

    static @Nullable ShareableHead decide(
            CollapsibleRequest leader,
            String method,
            HttpFields sent,
            HttpResponseView response,
            HeaderPatterns credentials,
            @Nullable String cacheStatus,
            HttpTime time) {
        HttpFields fields = HttpFields.copyOf(response::forEachHeader);
        CacheControl control = fields.cacheControl();
        int status = response.status();
        List<String> vary = fields.members("vary");
        boolean shareable = isSharedStatus(status, fields, control, sent, time)
                && !control.has("no-store")
                && !control.has("no-cache")
                && !isForOthersCredentials(leader.policy(), credentials, control, sent)
                && !isPersonal(leader.policy(), fields)
                && !vary.contains("*")
                && ShareableHead.hasPlainLength(fields)
                && !isStream(fields);
        if (!shareable) {
            return null;
        }
        boolean forWaitingOnly = isStaleAtOnce(control) || SHARED_WITH_WAITING.contains(status) || status >= 500;
        return new ShareableHead(
                status,
                response.reason(),
                fields,
                isBodiless(method, status),
                new Selection(vary, fields.members("content-encoding"), sent),
                forWaitingOnly ? time.nanoTime() : null,
                leader.policy().stripSetCookie(),
                cacheStatus);
    }

    private static boolean isSharedStatus(
            int status, HttpFields fields, CacheControl control, HttpFields sent, HttpTime time) {
        if (status < 200 || status > 599 || NEVER_SHARED.contains(status)) {
            return false;
        }
        if (status == 304) {
            // H7: equal keys have equal validators, so that whoever shares it has sent one
            return sent.contains("if-none-match") || sent.contains("if-modified-since");
        }
        return SHARED.contains(status)
                || SHARED_WITH_WAITING.contains(status)
                || status >= 500
                || isExplicitlyFresh(fields, control, time);
    }

    private static boolean isExplicitlyFresh(HttpFields fields, CacheControl control, HttpTime time) {
        long age = control.has("s-maxage") ? control.seconds("s-maxage") : control.seconds("max-age");
        if (age != CacheControl.ABSENT) {
            return age > 0;
        }
        Instant expires = instant(fields.values("expires"));
        if (expires == null) {
            return false;
        }
        Instant date = instant(fields.values("date"));
        return expires.isAfter(date == null ? time.now() : date);
    }

    private static @Nullable Instant instant(@Nullable List<@Nullable String> values) {
        String value = values == null || values.size() != 1 ? null : values.get(0);
        if (value == null) {
            return null;
        }
        try {
            return DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** H17. */
    private static boolean isStaleAtOnce(CacheControl control) {
        return control.seconds("max-age") == 0 || control.seconds("s-maxage") == 0;
    }

    /**
     * H16: what is private, or answers an authorisation without a word that others may have it (RFC 9111 section 3.5), is
     * shared only where the key holds credentials, so that everybody in the batch sent the same ones.
     */
    private static boolean isForOthersCredentials(
            CollapsePolicy policy, HeaderPatterns credentials, CacheControl control, HttpFields sent) {
        if (control.has("private")) {
            List<String> present =
                    sent.names().stream().filter(credentials::contain).toList();
            boolean allInKey =
                    !policy.shareAcrossUsers() || policy.requestHeaders().containsAll(present);
            return present.isEmpty() || !allInKey;
        }
        boolean authorizationInKey =
                !policy.shareAcrossUsers() || policy.requestHeaders().contains(HeaderNames.AUTHORIZATION);
        return sent.contains(HeaderNames.AUTHORIZATION)
                && !authorizationInKey
                && !control.has("public")
                && !control.has("s-maxage")
                && !control.has("must-revalidate");
    }

    /** H18. */
    private static boolean isPersonal(CollapsePolicy policy, HttpFields fields) {
        if (fields.contains(SET_COOKIE) && !policy.stripSetCookie()) {
            return true;
        }
        for (String name : PERSONAL) {
            if (fields.contains(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isStream(HttpFields fields) {
        for (String type : STREAMS) {
            if (fields.hasMemberThatBegins("content-type", type)) {
                return true;
            }
        }
        return false;
    }

    /** RFC 9110 section 6.4.1. */
    private static boolean isBodiless(String method, int status) {
        return method.equals("HEAD") || status == 204 || status == 304;
    }
}
