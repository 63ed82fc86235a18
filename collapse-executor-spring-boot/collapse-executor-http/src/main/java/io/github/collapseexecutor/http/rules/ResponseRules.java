package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.message.CacheControl;
import io.github.collapseexecutor.http.message.HeaderNames;
import io.github.collapseexecutor.http.message.HeaderPatterns;
import io.github.collapseexecutor.http.message.HttpFields;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * May this response answer others than its leader? Decided from its header section, and from what has become of the request on
 * its way (H6, H14 to H19, H27, H29, H30, H36, H42).
 */
final class ResponseRules {

    /**
     * H18: with one of these the response says something to or about one receiver; with a header by which requests say who asks, it gives
     * that receiver such a value.
     */
    private static final HeaderPatterns PERSONAL = HeaderPatterns.of(
            List.of(
                    "set-cookie2",
                    "www-authenticate",
                    "proxy-authenticate",
                    "authentication-info",
                    "proxy-authentication-info",
                    "clear-site-data",
                    "x-subject-token",
                    "x-csrf-token",
                    "x-xsrf-token"),
            HeaderNames.CREDENTIALS);

    static final String SET_COOKIE = "set-cookie";

    /** Failures after which a client sends the same request again by itself: they say nothing about the response that follows (H42). */
    private static final Set<Integer> REPEATED = Set.of(408, 421, 503);

    /** The JDK's client follows it by a GET, also if it has asked by a HEAD; then its caller sees a body that nobody else is to get. */
    private static final int SEE_OTHER = 303;

    /** Bodies without an end of their own: to wait for their end may be to wait for ever. */
    private static final String[] STREAMS = {
        "text/event-stream",
        "multipart/x-mixed-replace",
        "application/grpc",
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/json-seq",
        "application/stream+json"
    };

    // immutable
    private final RequestRules requests;
    private final List<String> credentialHeaders;
    private final HeaderPatterns credentials;
    private final long maxBodySize;
    private final @Nullable String cacheStatus;
    private final HttpTime time;

    ResponseRules(HttpCollapseOptions options, RequestRules requests, HttpTime time) {
        this.requests = requests;
        this.credentialHeaders = Stream.of(HeaderNames.CREDENTIALS, options.credentialHeaders())
                .flatMap(Collection::stream)
                .toList();
        this.credentials = HeaderPatterns.credentials(options.credentialHeaders());
        this.maxBodySize = options.maxBodySize();
        this.cacheStatus = CacheStatus.collapsed(options);
        this.time = time;
    }

    /**
     * Decides about a response.
     *
     * @param leader the request that made the call, as its key was made of it
     * @param sent the same request as it was sent
     */
    ResponseDecision decide(CollapsibleRequest leader, HttpRequestView sent, HttpResponseView response) {
        String obstacle = sent.obstacle();
        if (obstacle != null) {
            requests.warnOf(obstacle);
            return new ResponseDecision.ForLeaderOnly(Reason.CHANGED);
        }
        HttpFields sentFields = requests.sentFieldsOf(leader, sent);
        Reason change = requests.reasonOfChange(leader, sent, sentFields);
        if (change != null) {
            requests.warnOfChange(leader, sentFields);
            return new ResponseDecision.ForLeaderOnly(change);
        }
        if (response.isForLeaderOnly()) {
            return new ResponseDecision.ForLeaderOnly(reasonOfKept(leader.policy(), sentFields, response));
        }
        String unseenRedirects = requests.unseenRedirectsOf(sent, sentFields);
        if (unseenRedirects != null) {
            requests.warnOf(unseenRedirects);
            return new ResponseDecision.ForLeaderOnly(Reason.REDIRECT);
        }
        List<HttpFields> steps = new ArrayList<>();
        for (HttpResponseView step : response.followed()) {
            HttpFields fields = HttpFields.copyOf(step::forEachHeader);
            boolean mayBeAGet = step.status() == SEE_OTHER && sent.method().equals("HEAD");
            if (mayBeAGet || !isStepForEverybody(leader.policy(), sentFields, step.status(), fields)) {
                return new ResponseDecision.ForLeaderOnly(Reason.REDIRECT);
            }
            steps.add(fields);
        }
        return decide(leader.policy(), sent, sentFields, response, steps);
    }

    /** What the header section says comes first: a user can do something about that. */
    private Reason reasonOfKept(CollapsePolicy policy, HttpFields sent, HttpResponseView response) {
        HttpFields fields = HttpFields.copyOf(response::forEachHeader);
        Reason said = reason(policy, sent, response.status(), fields, fields.cacheControl(), fields.members("vary"));
        return said == null ? Reason.ADAPTER : said;
    }

    /**
     * H42: whether a response that the client has acted upon by itself may be shared, as the final one must be. A cookie that it sets may be
     * part of the next request, whatever a policy says of final responses.
     */
    private boolean isStepForEverybody(CollapsePolicy policy, HttpFields sent, int status, HttpFields fields) {
        int judged = REPEATED.contains(status) ? 200 : status;
        return reason(policy, sent, judged, fields, fields.cacheControl(), fields.members("vary")) == null
                && !fields.contains(SET_COOKIE);
    }

    private ResponseDecision decide(
            CollapsePolicy policy,
            HttpRequestView request,
            HttpFields sent,
            HttpResponseView response,
            List<HttpFields> steps) {
        HttpFields fields = HttpFields.copyOf(response::forEachHeader);
        CacheControl control = fields.cacheControl();
        int status = response.status();
        List<String> vary = new ArrayList<>(fields.members("vary"));
        steps.forEach(step -> vary.addAll(step.members("vary")));
        vary.addAll(response.shown());
        if (policy.shareAcrossUsers() && request.unseenRedirects() != null) {
            vary.addAll(
                    credentialHeaders); // a client may follow none with credentials, and says of nothing that it has
        }
        Reason reason = reason(policy, sent, status, fields, control, vary);
        if (reason != null) {
            return new ResponseDecision.ForLeaderOnly(reason);
        }
        boolean forWaitingOnly = isStaleAtOnce(control)
                || isSharedWithWaiting(status)
                || steps.stream().anyMatch(step -> isStaleAtOnce(step.cacheControl()));
        ShareableHead head = new ShareableHead(
                status,
                response.reason(),
                fields,
                isBodiless(request.method(), status),
                new VaryMatch(vary, fields.members("content-encoding"), sent),
                forWaitingOnly ? time.nanoTime() : null,
                policy.stripSetCookie(),
                cacheStatus);
        return head.contentLength() > maxBodySize ? new ResponseDecision.ForLeaderOnly(Reason.TOO_LARGE) : head;
    }

    /** Returns why the header section says that the response is for the leader only; null if it does not. */
    private @Nullable Reason reason(
            CollapsePolicy policy,
            HttpFields sent,
            int status,
            HttpFields fields,
            CacheControl control,
            List<String> vary) {
        if (!isSharedStatus(status, fields, control, sent)) {
            return Reason.STATUS;
        }
        if (control.has("no-store")) {
            return Reason.NO_STORE;
        }
        if (control.has("no-cache")) {
            return Reason.NO_CACHE;
        }
        if (control.has("private")) {
            if (!isPrivateToTheKey(policy, sent)) {
                return Reason.PRIVATE;
            }
        } else if (isForOneAuthorization(policy, control, sent)) {
            return Reason.AUTHORIZATION;
        }
        if (fields.contains(SET_COOKIE) && !policy.stripSetCookie()) {
            return Reason.SET_COOKIE;
        }
        if (PERSONAL.containAnyOf(fields.names())) {
            return Reason.PERSONAL;
        }
        if (vary.contains("*")) {
            return Reason.VARY;
        }
        if (!ShareableHead.hasPlainLength(fields)) {
            return Reason.LENGTH;
        }
        return fields.hasMemberThatBegins("content-type", STREAMS) ? Reason.STREAM : null;
    }

    private boolean isSharedStatus(int status, HttpFields fields, CacheControl control, HttpFields sent) {
        if (isNeverShared(status)) {
            return false;
        }
        if (status == 304) {
            // H7: equal keys have equal validators, so every request that shares it has sent one
            return sent.contains("if-none-match") || sent.contains("if-modified-since");
        }
        return isSharedByItself(status) || isSharedWithWaiting(status) || isExplicitlyFresh(fields, control);
    }

    /** H6 and H19: however fresh. */
    private static boolean isNeverShared(int status) {
        return status < 200 || status > 599 || status == 206 || status == 401 || status == 407;
    }

    /** H19: without explicit freshness (RFC 9110 section 15.1). */
    private static boolean isSharedByItself(int status) {
        return switch (status) {
            case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501 -> true;
            default -> false;
        };
    }

    /** H19: only with followers that already wait, so that not each of them asks an origin in distress. */
    private static boolean isSharedWithWaiting(int status) {
        return status == 429 || status >= 500;
    }

    private boolean isExplicitlyFresh(HttpFields fields, CacheControl control) {
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

    /** H16: what is private is shared only where the key holds credentials, so that everybody in the batch sent the same ones. */
    private boolean isPrivateToTheKey(CollapsePolicy policy, HttpFields sent) {
        List<String> present =
                sent.names().stream().filter(credentials::contain).toList();
        boolean allInKey = !policy.shareAcrossUsers() || policy.requestHeaders().containsAll(present);
        return !present.isEmpty() && allInKey;
    }

    /**
     * H16: a response that answers an authorisation without a word that others may have it (RFC 9111 section 3.5) is shared
     * only where the key holds that authorisation.
     */
    private static boolean isForOneAuthorization(CollapsePolicy policy, CacheControl control, HttpFields sent) {
        boolean authorizationInKey =
                !policy.shareAcrossUsers() || policy.requestHeaders().contains(HeaderNames.AUTHORIZATION);
        return sent.contains(HeaderNames.AUTHORIZATION)
                && !authorizationInKey
                && !control.has("public")
                && !control.has("s-maxage")
                && !control.has("must-revalidate");
    }

    /** RFC 9110 section 6.4.1. */
    static boolean isBodiless(String method, int status) {
        return method.equals("HEAD") || status == 204 || status == 304;
    }
}
