package io.github.collapseexecutor.http;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one adapter: which requests may share a call, and which response may answer several.
 *
 * <pre>{@code
 * CollapsibleRequest request = rules.collapsible(view);
 * if (request == null) {
 *     return forward(view); // and say rules.forwarded(view, response) before the caller goes on
 * }
 * }</pre>
 *
 * <p>Every adapter instance has its own rules, because they remember the unsafe requests that went through it. Safe for use
 * by any number of threads; no method blocks.
 */
public final class SharingRules {

    private static final Set<String> COLLAPSIBLE_METHODS = Set.of("GET", "HEAD");

    /** H6 and H9: with one of these the response is for one request only, or is not one response. */
    private static final List<String> FOR_ONE_ONLY =
            List.of("range", "if-range", "expect", "te", "trailer", "early-data");

    private static final String UPGRADE = "upgrade";

    /** What a {@code Connection} may list on a server without hiding a header from it that a handler still sees (H4). */
    private static final Set<String> HARMLESS_CONNECTION =
            Set.of("close", "keep-alive", "te", UPGRADE, "http2-settings");

    /** A client that changes ever other headers must not fill the log. */
    private static final int MOST_WARNINGS = 20;

    private static final System.Logger LOGGER = System.getLogger(SharingRules.class.getName());

    static final String CACHE_STATUS = "Cache-Status";

    /** Where an adapter stands. */
    enum Side {
        /** Where requests leave: who sends them is in their headers. */
        CLIENT,
        /** Where requests arrive: who sent them may be known otherwise. */
        SERVER
    }

    // immutable
    private final HttpCollapseOptions options;
    private final Side side;
    private final HttpTime time;
    private final GroupIndex groups;
    private final RequestKeys keys;

    // mutable, thread-safe by themselves
    private final UnsafeRequests unsafeRequests = new UnsafeRequests();
    private final UnsharedKeys unsharedKeys;
    private final Set<String> obstacles = ConcurrentHashMap.newKeySet();

    /**
     * Creates the rules of one adapter that stands where requests leave (a client).
     *
     * @param options what is collapsed
     */
    public SharingRules(HttpCollapseOptions options) {
        this(options, Side.CLIENT, HttpTime.SYSTEM);
    }

    SharingRules(HttpCollapseOptions options, Side side, HttpTime time) {
        this.options = options;
        this.side = side;
        this.time = time;
        this.groups = new GroupIndex(options.groups());
        this.keys = new RequestKeys(options.ignoredRequestHeaders(), options.credentials());
        this.unsharedKeys = new UnsharedKeys(options.passTtl(), time);
    }

    /**
     * Decides whether a request may share a call, before it is sent.
     *
     * @param request the request as it has arrived
     * @return the request with its key, or null if it is to be forwarded as a call of its own
     */
    public @Nullable CollapsibleRequest collapsible(HttpRequestView request) {
        if (options.groups().isEmpty() || !COLLAPSIBLE_METHODS.contains(request.method())) {
            return null;
        }
        CollapsePolicy policy = policyFor(request);
        if (policy == null) {
            return null;
        }
        HttpFields fields = fieldsOf(request);
        if (isForOneOnly(request, fields) || isOfOneUserOnly(request, fields, policy) || isObstructed(request)) {
            return null;
        }
        int epoch = unsafeRequests.epochOf(request.uri());
        RequestKey key = keys.keyOf(request, fields, policy, epoch);
        return new CollapsibleRequest(
                key, request.uri(), policy, fields, joinsRunningCall(fields), epoch, time.nanoTime());
    }

    /** H13: the path on the wire and the one that the handler is found by must belong to the same group. */
    private @Nullable CollapsePolicy policyFor(HttpRequestView request) {
        String received = request.receivedPath();
        NormalizedPath path = NormalizedPath.of(received == null ? request.uri().getRawPath() : received);
        CollapsePolicy policy = path == null ? null : groups.policyFor(path);
        String dispatched = request.dispatchedPath();
        if (policy == null || dispatched == null) {
            return policy;
        }
        NormalizedPath dispatchedPath = NormalizedPath.ofDecoded(dispatched);
        return dispatchedPath != null && groups.policyFor(dispatchedPath) == policy ? policy : null;
    }

    /**
     * The headers of a request. On a server, an offer to speak HTTP/2 ({@code Upgrade: h2c}) that has come so far was not taken
     * up, and says nothing any more.
     */
    private HttpFields fieldsOf(HttpRequestView request) {
        HttpFields fields = HttpFields.copyOf(request::forEachHeader);
        return side == Side.SERVER && fields.members(UPGRADE).equals(List.of("h2c"))
                ? fields.without(List.of(UPGRADE, "http2-settings"))
                : fields;
    }

    /** H4 (of a server), H6, H8 (no-store) and H9. */
    private boolean isForOneOnly(HttpRequestView request, HttpFields fields) {
        if (request.hasBody()
                || fields.contains(UPGRADE)
                || fields.cacheControl().has("no-store")) {
            return true;
        }
        for (String name : FOR_ONE_ONLY) {
            if (fields.contains(name)) {
                return true;
            }
        }
        return fields.hasMemberThatBegins("accept", "text/event-stream")
                || fields.hasMemberThatBegins("accept", "application/grpc")
                || fields.hasMemberThatBegins("content-type", "application/grpc")
                || (side == Side.SERVER && !HARMLESS_CONNECTION.containsAll(fields.members("connection")));
    }

    /** H36: the reason is logged once. */
    private boolean isObstructed(HttpRequestView request) {
        String obstacle = request.obstacle();
        if (obstacle == null) {
            return false;
        }
        warnOnce(obstacle);
        return true;
    }

    /** Says why requests are not collapsed; names, but no values, of a request are in it (H33). */
    private void warnOnce(String obstacle) {
        if (obstacles.size() < MOST_WARNINGS && obstacles.add(obstacle)) {
            LOGGER.log(System.Logger.Level.WARNING, "Requests are not collapsed: {0}", obstacle);
        }
    }

    /** H5: a server cannot tell by the headers alone who is who, and so keeps those apart who are somebody. */
    private boolean isOfOneUserOnly(HttpRequestView request, HttpFields fields, CollapsePolicy policy) {
        return side == Side.SERVER
                && !policy.shareAcrossUsers()
                && (request.identifiesUser() || options.credentials().containAnyOf(fields.names()));
    }

    /** H8. */
    private static boolean joinsRunningCall(HttpFields fields) {
        CacheControl control = fields.cacheControl();
        return !control.has("no-cache")
                && control.seconds("max-age") != 0
                && !fields.members("pragma").contains("no-cache");
    }

    /**
     * Tells the rules that a call of its own has ended. Must be called for every request that is not collapsible, before its
     * caller goes on: after an unsafe one, reads do not join earlier reads of the same address (H11), unless it ended with an
     * error response.
     *
     * @param request the request
     * @param response the response, null if nobody knows what it is
     */
    public void forwarded(HttpRequestView request, @Nullable HttpResponseView response) {
        if (isWatched(request) && !isError(response)) {
            unsafeRequests.count(request.uri());
        }
    }

    private static boolean isError(@Nullable HttpResponseView response) {
        try {
            return response != null && response.status() >= 400;
        } catch (RuntimeException unreadable) {
            return false; // nobody knows; the caller finds out by itself
        }
    }

    /** Tells whether {@link #forwarded} wants to know how a request ended. */
    boolean isWatched(HttpRequestView request) {
        return !options.groups().isEmpty() && UnsafeRequests.isUnsafe(request.method());
    }

    /**
     * Decides whether a response may answer several requests, when its header section has arrived and before its body is
     * read.
     *
     * @param leader the request that made the call
     * @param sent the same request as it looks now, after it was sent: what was added to it meanwhile, say credentials by an
     *     interceptor nearer to the wire, is unknown to the others' keys, and so the response is not for them
     * @param response the response
     * @return the head of a response to share, or null if it is for the leader only, which is remembered (H21)
     */
    public @Nullable ShareableHead shareable(
            CollapsibleRequest leader, HttpRequestView sent, HttpResponseView response) {
        HttpFields sentFields = looksAsBefore(leader, sent) ? leader.fields() : fieldsOf(sent);
        boolean unchanged = isUnchanged(leader, sent, sentFields);
        if (!unchanged && side == Side.CLIENT) {
            warnOnce("something behind the adapter changes the address or these headers of a request: "
                    + sentFields.namesThatDiffer(leader.fields())
                    + "; have it done before the request gets to the adapter, so that it is known who asks");
        }
        ShareableHead head = unchanged && !response.isForLeaderOnly()
                ? ResponseRules.decide(
                        leader,
                        sent.method(),
                        sentFields,
                        response,
                        options.credentials(),
                        cacheStatus("collapsed"),
                        time)
                : null;
        if (head == null || head.contentLength() > options.maxBodySize()) {
            unsharedKeys.rememberForHead(leader.key());
            return null;
        }
        unsharedKeys.forget(leader.key(), head.isBodiless() || head.contentLength() >= 0);
        return head;
    }

    /** Whether address and headers of a request are those that its key was made of. */
    private static boolean looksAsBefore(CollapsibleRequest leader, HttpRequestView sent) {
        return leader.method().equals(sent.method())
                && leader.uri().equals(sent.uri())
                && leader.fields().areThoseOf(sent::forEachHeader);
    }

    private boolean isUnchanged(CollapsibleRequest leader, HttpRequestView sent, HttpFields sentFields) {
        if (isOfOneUserOnly(sent, sentFields, leader.policy())) {
            return false;
        }
        if (sentFields == leader.fields()) {
            return !sent.hasBody();
        }
        return !isForOneOnly(sent, sentFields)
                && keys.keyOf(sent, sentFields, leader.policy(), leader.epoch()).equals(leader.key());
    }

    /** The head of a response could not be read, so that nobody knows whether others may have it; its own caller finds out. */
    void headWasUnreadable(CollapsibleRequest leader, Exception failure) {
        unsharedKeys.rememberForHead(leader.key());
        warnOnce("the head of a response cannot be read, which fails with a "
                + failure.getClass().getName() + "; only the request that was sent gets the response");
    }

    /** Has a body turned out to be too large to be shared, its key is remembered too (H21). */
    void bodyWasTooLarge(CollapsibleRequest leader) {
        unsharedKeys.rememberForBody(leader.key());
    }

    /** Whether a request is to be sent at once and by itself, because the last response was of no use to others (H21). */
    boolean passes(CollapsibleRequest request) {
        return unsharedKeys.contains(request.key());
    }

    /** Has a look at the response to a request that {@linkplain #passes passed}: if others may have it, they gather again. */
    void passed(CollapsibleRequest request, HttpRequestView sent, HttpResponseView response) {
        ShareableHead unused = shareable(request, sent, response);
    }

    /** The member of {@code Cache-Status} for a request that was gathered with others and sent alone, null where off (H32). */
    @Nullable String cacheStatusAlone() {
        return cacheStatus("collapsed=?0");
    }

    private @Nullable String cacheStatus(String parameter) {
        String name = options.cacheStatus();
        return name == null ? null : name + "; fwd=uri-miss; " + parameter;
    }

    int fanOutLimit() {
        return options.fanOutLimit();
    }

    HttpTime time() {
        return time;
    }

    Deadline deadlineOf(CollapsibleRequest request) {
        return Deadline.of(request, options.followerTimeout(), time);
    }

    FollowerTimeout onFollowerTimeout() {
        return options.onFollowerTimeout();
    }

    /**
     * Returns how large a body may be to be shared.
     *
     * @return bytes
     */
    public long maxBodySize() {
        return options.maxBodySize();
    }

    /**
     * Returns what becomes of the followers of a call without a response.
     *
     * @return the configured choice, or {@link LeaderFailure#RE_ELECT}
     */
    public LeaderFailure onTransportFailure() {
        LeaderFailure choice = options.onLeaderFailure();
        return choice == null ? LeaderFailure.RE_ELECT : choice;
    }

    /**
     * Returns what becomes of the followers of a call that was answered with a server error.
     *
     * @return the configured choice, or {@link LeaderFailure#SHARE}
     */
    public LeaderFailure onErrorResponse() {
        LeaderFailure choice = options.onLeaderFailure();
        return choice == null ? LeaderFailure.SHARE : choice;
    }
}
