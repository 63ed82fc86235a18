package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.GroupIndex;
import io.github.collapseexecutor.http.HttpCollapseControl;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.http.message.CacheControl;
import io.github.collapseexecutor.http.message.HeaderPatterns;
import io.github.collapseexecutor.http.message.HttpFields;
import io.github.collapseexecutor.http.message.NormalizedPath;
import io.github.collapseexecutor.http.message.RequestTarget;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** May this request share a call, and with which others? Decided before it is sent (H1 to H13, H34, H36). */
final class RequestRules {

    private static final Set<String> COLLAPSIBLE_METHODS = Set.of("GET", "HEAD");

    private static final String[] OF_RANGES = {"range", "if-range"};

    /** H9: with one of these the response is for one request only, or is not one response. */
    private static final String[] OF_PROTOCOLS = {"expect", "te", "trailer", "early-data"};

    private static final String UPGRADE = "upgrade";
    /** What clients offer by default: Java's HttpClient HTTP/2, Apache's TLS. */
    private static final Set<String> OFFERS = Set.of("h2c", "tls/1.0", "tls/1.1", "tls/1.2", "tls/1.3");

    /** H9: what a client accepts, or a body is, when the response may have no end. */
    private static final String[] STREAMS = {"text/event-stream", "application/grpc"};

    private static final String[] GRPC = {"application/grpc"};

    /** What a {@code Connection} may list on a server without hiding a header from it that a handler still sees (H4). */
    private static final Set<String> HARMLESS_CONNECTION =
            Set.of("close", "keep-alive", "te", UPGRADE, "http2-settings");

    // immutable
    private final boolean configured;
    private final @Nullable HttpCollapseControl control;
    private final HeaderPatterns credentials;
    private final Side side;
    private final HttpTime time;
    private final GroupIndex groups;
    private final RequestKeys keys;

    // mutable, thread-safe by themselves
    private final UnsafeRequests unsafeRequests;
    private final ObstacleLog obstacles;

    RequestRules(
            HttpCollapseOptions options,
            Side side,
            HttpTime time,
            UnsafeRequests unsafeRequests,
            ObstacleLog obstacles) {
        this.configured = !options.rules().isEmpty();
        this.control = options.control();
        this.credentials = HeaderPatterns.credentials(options.credentialHeaders());
        this.side = side;
        this.time = time;
        this.groups = new GroupIndex(options.rules());
        this.keys = new RequestKeys(options.ignoredRequestHeaders(), credentials);
        this.unsafeRequests = unsafeRequests;
        this.obstacles = obstacles;
    }

    RequestDecision decide(HttpRequestView request) {
        if (!configured) {
            return new RequestDecision.Forwarded(Reason.NOT_CONFIGURED);
        }
        if (!COLLAPSIBLE_METHODS.contains(request.method())) {
            return new RequestDecision.Forwarded(Reason.METHOD);
        }
        NormalizedPath path = pathOf(request);
        if (path == null) {
            return new RequestDecision.Forwarded(Reason.PATH);
        }
        CollapseRule rule = groups.ruleFor(path, request.uri());
        if (rule == null) {
            return new RequestDecision.Forwarded(Reason.NOT_CONFIGURED);
        }
        if (control != null && control.isPaused(rule)) {
            return new RequestDecision.Forwarded(Reason.PAUSED);
        }
        CollapsePolicy policy = rule.policy();
        if (isDispatchedElsewhere(request, rule)) {
            return new RequestDecision.Forwarded(Reason.PATH);
        }
        HttpFields fields = fieldsOf(request);
        Reason personal = personalReason(request, fields, policy);
        if (personal != null) {
            return new RequestDecision.Forwarded(personal);
        }
        String obstacle = request.obstacle();
        if (obstacle != null) {
            obstacles.warnOnce(obstacle);
            return new RequestDecision.Forwarded(Reason.OBSTACLE);
        }
        String unseenRedirects = unseenRedirectsOf(request, fields);
        if (unseenRedirects != null) {
            obstacles.warnOnce(unseenRedirects);
            return new RequestDecision.Forwarded(Reason.REDIRECT);
        }
        RequestTarget target = RequestTarget.of(request.method(), request.uri());
        boolean joinsRunningCall = !unsafeRequests.isUnderWay(target) && joinsRunningCall(fields);
        int epoch = unsafeRequests.epochOf(target);
        RequestKey key = keys.keyOf(request, target, fields, policy, epoch);
        return new CollapsibleRequest(key, request.uri(), rule, fields, joinsRunningCall, epoch, time.nanoTime());
    }

    /** H13: the path on the wire and those that the handler is found by must belong to the same group. */
    private boolean isDispatchedElsewhere(HttpRequestView request, CollapseRule ruleOnTheWire) {
        String dispatched = request.dispatchedPath();
        String rewritten = request.rewrittenPath();
        return (dispatched != null && isElsewhere(NormalizedPath.ofDecoded(dispatched), request, ruleOnTheWire))
                || (rewritten != null && isElsewhere(NormalizedPath.of(rewritten), request, ruleOnTheWire));
    }

    private boolean isElsewhere(@Nullable NormalizedPath path, HttpRequestView request, CollapseRule ruleOnTheWire) {
        CollapseRule rule = path == null ? null : groups.ruleFor(path, request.uri());
        return rule == null || rule.policy() != ruleOnTheWire.policy() || rule.joinMode() != ruleOnTheWire.joinMode();
    }

    /** Whether a request might share a call by its method and address. */
    boolean isInGroup(HttpRequestView request) {
        return configured && COLLAPSIBLE_METHODS.contains(request.method()) && ruleOf(request) != null;
    }

    /** Whether a request of this path might share a call, whatever its method and host. */
    boolean mayBeInGroup(String rawPath) {
        NormalizedPath path = NormalizedPath.of(rawPath);
        return path != null && groups.covers(path);
    }

    /** Returns the group that a request belongs to, whether or not it may share a call; null if there is none. */
    @Nullable CollapseRule ruleOf(HttpRequestView request) {
        NormalizedPath path = pathOf(request);
        return path == null ? null : groups.ruleFor(path, request.uri());
    }

    private static @Nullable NormalizedPath pathOf(HttpRequestView request) {
        String received = request.receivedPath();
        return NormalizedPath.of(received == null ? request.uri().getRawPath() : received);
    }

    /**
     * The headers of a request. On a server, an offer to speak HTTP/2 ({@code Upgrade: h2c}) or TLS (RFC 2817) that has come so far
     * was not taken up, and says nothing any more.
     */
    HttpFields fieldsOf(HttpRequestView request) {
        HttpFields fields = HttpFields.copyOf(request::forEachHeader);
        List<String> offers = side == Side.SERVER ? fields.members(UPGRADE) : List.of();
        return !offers.isEmpty() && OFFERS.containsAll(offers)
                ? fields.without(List.of(UPGRADE, "http2-settings"))
                : fields;
    }

    /** Returns why the response to a request is for that request only, whatever the response says; null if it need not be. */
    private @Nullable Reason personalReason(HttpRequestView request, HttpFields fields, CollapsePolicy policy) {
        Reason reason = reasonForOneOnly(request, fields);
        return reason == null && isOfOneUserOnly(request, fields, policy) ? Reason.CREDENTIALS : reason;
    }

    /** H4 (of a server), H6, H8 (no-store) and H9; null if none of them applies. */
    private @Nullable Reason reasonForOneOnly(HttpRequestView request, HttpFields fields) {
        if (request.hasBody()) {
            return Reason.BODY;
        }
        if (fields.cacheControl().has("no-store")) {
            return Reason.NO_STORE;
        }
        if (fields.containsAnyOf(OF_RANGES)) {
            return Reason.RANGE;
        }
        if (fields.contains(UPGRADE) || fields.containsAnyOf(OF_PROTOCOLS)) {
            return Reason.PROTOCOL;
        }
        if (fields.hasMemberThatBegins("accept", STREAMS) || fields.hasMemberThatBegins("content-type", GRPC)) {
            return Reason.STREAM;
        }
        return side == Side.SERVER && !HARMLESS_CONNECTION.containsAll(fields.members("connection"))
                ? Reason.CONNECTION
                : null;
    }

    /** H5: the headers alone do not identify a user to a server, so authenticated requests never collapse by default. */
    private boolean isOfOneUserOnly(HttpRequestView request, HttpFields fields, CollapsePolicy policy) {
        return side == Side.SERVER
                && !policy.shareAcrossUsers()
                && (request.identifiesUser() || credentials.containAnyOf(fields.names()));
    }

    /** H42: returns why redirects that nobody sees may make a response that of one user; null if there are none, or no user. */
    @Nullable String unseenRedirectsOf(HttpRequestView request, HttpFields fields) {
        boolean saysWho =
                credentials.containAnyOf(fields.names()) || request.uri().getRawUserInfo() != null;
        return saysWho ? request.unseenRedirects() : null;
    }

    /** H8. */
    private static boolean joinsRunningCall(HttpFields fields) {
        CacheControl control = fields.cacheControl();
        return !control.has("no-cache")
                && control.seconds("max-age") != 0
                && !fields.members("pragma").contains("no-cache");
    }

    /**
     * Returns the headers of a request after it was sent: those that its key was made of, if address and headers look as before,
     * so that nothing is copied; otherwise a copy.
     */
    HttpFields sentFieldsOf(CollapsibleRequest leader, HttpRequestView sent) {
        boolean looksAsBefore = leader.method().equals(sent.method())
                && leader.uri().equals(sent.uri())
                && leader.fields().areThoseOf(sent::forEachHeader);
        return looksAsBefore ? leader.fields() : fieldsOf(sent);
    }

    /**
     * Returns why the response to a request that was sent is for that request only: what was added to it meanwhile, say
     * credentials by an interceptor nearer to the wire, is unknown to the others' keys (H36). Null if nothing was.
     *
     * @param sentFields what {@link #sentFieldsOf} returned
     */
    @Nullable Reason reasonOfChange(CollapsibleRequest leader, HttpRequestView sent, HttpFields sentFields) {
        if (isOfOneUserOnly(sent, sentFields, leader.policy())) {
            return Reason.CREDENTIALS;
        }
        boolean unchanged = sentFields == leader.fields()
                ? !sent.hasBody()
                : reasonForOneOnly(sent, sentFields) == null
                        && keys.keyOf(
                                        sent,
                                        RequestTarget.of(sent.method(), sent.uri()),
                                        sentFields,
                                        leader.policy(),
                                        leader.epoch())
                                .equals(leader.key());
        return unchanged ? null : Reason.CHANGED;
    }

    /** Says what is in the way that has shown itself only when the request was sent. */
    void warnOf(String obstacle) {
        obstacles.warnOnce(obstacle);
    }

    /** Says which headers were changed behind the adapter of a client; a server may change its own requests. */
    void warnOfChange(CollapsibleRequest leader, HttpFields sentFields) {
        if (side == Side.CLIENT) {
            obstacles.warnOnce("something behind the adapter changes the address or these headers of a request: "
                    + sentFields.namesThatDiffer(leader.fields())
                    + "; have it done before the request gets to the adapter, so that it is known who asks");
        }
    }
}
