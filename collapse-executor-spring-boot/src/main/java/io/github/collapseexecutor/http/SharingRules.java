package io.github.collapseexecutor.http;

import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one adapter: which requests may share a call, and which response may answer several.
 *
 * <pre>{@code
 * CollapsibleRequest request = rules.collapsible(view);
 * if (request == null) {
 *     return forward(view); // between rules.forwarding(view) and rules.forwarded(view)
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
            List.of("range", "if-range", "expect", "upgrade", "te", "trailer", "early-data");

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
    private final GroupIndex groups;
    private final RequestKeys keys;

    // mutable, thread-safe by themselves
    private final UnsafeRequests unsafeRequests = new UnsafeRequests();
    private final UnsharedKeys unsharedKeys;

    /**
     * Creates the rules of one adapter that stands where requests leave (a client).
     *
     * @param options what is collapsed
     */
    public SharingRules(HttpCollapseOptions options) {
        this(options, Side.CLIENT, System::nanoTime);
    }

    SharingRules(HttpCollapseOptions options, Side side, LongSupplier nanoTime) {
        this.options = options;
        this.side = side;
        this.groups = new GroupIndex(options.groups());
        this.keys = new RequestKeys(options.ignoredRequestHeaders());
        this.unsharedKeys = new UnsharedKeys(options.passTtl(), nanoTime);
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
        HttpFields fields = HttpFields.copyOf(request::forEachHeader);
        if (isForOneOnly(request, fields) || isOfOneUserOnly(request, fields, policy)) {
            return null;
        }
        int epoch = unsafeRequests.epochOf(request.uri());
        RequestKey key = keys.keyOf(request, fields, policy, epoch);
        return new CollapsibleRequest(key, policy, fields, joinsRunningCall(fields), epoch, System.nanoTime());
    }

    private @Nullable CollapsePolicy policyFor(HttpRequestView request) {
        NormalizedPath path = NormalizedPath.of(request.uri().getRawPath());
        return path == null ? null : groups.policyFor(path);
    }

    /** H6, H8 (no-store) and H9. */
    private static boolean isForOneOnly(HttpRequestView request, HttpFields fields) {
        if (request.hasBody() || fields.cacheControl().has("no-store")) {
            return true;
        }
        for (String name : FOR_ONE_ONLY) {
            if (fields.contains(name)) {
                return true;
            }
        }
        return names(fields, "accept", "text/event-stream")
                || names(fields, "accept", "application/grpc")
                || names(fields, "content-type", "application/grpc");
    }

    /** H5: a server cannot tell by the headers alone who is who, and so keeps those apart who are somebody. */
    private boolean isOfOneUserOnly(HttpRequestView request, HttpFields fields, CollapsePolicy policy) {
        return side == Side.SERVER
                && !policy.shareAcrossUsers()
                && (request.identifiesUser() || HeaderNames.CREDENTIALS.stream().anyMatch(fields::contains));
    }

    private static boolean names(HttpFields fields, String header, String mediaType) {
        return fields.members(header).stream().anyMatch(member -> member.startsWith(mediaType));
    }

    /** H8. */
    private static boolean joinsRunningCall(HttpFields fields) {
        CacheControl control = fields.cacheControl();
        return !control.has("no-cache")
                && control.seconds("max-age") != 0
                && !fields.members("pragma").contains("no-cache");
    }

    /**
     * Tells the rules that a request starts as a call of its own. Must be called before it is sent, for every request that
     * is not collapsible: after an unsafe one, reads do not join earlier reads of the same address (H11).
     *
     * @param request the request
     */
    public void forwarding(HttpRequestView request) {
        countIfUnsafe(request);
    }

    /**
     * Tells the rules that such a call has ended, with a response or a failure.
     *
     * @param request the request
     */
    public void forwarded(HttpRequestView request) {
        countIfUnsafe(request);
    }

    private void countIfUnsafe(HttpRequestView request) {
        if (!options.groups().isEmpty() && UnsafeRequests.isUnsafe(request.method())) {
            unsafeRequests.count(request.uri());
        }
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
        HttpFields sentFields = HttpFields.copyOf(sent::forEachHeader);
        boolean unchanged = !isForOneOnly(sent, sentFields)
                && !isOfOneUserOnly(sent, sentFields, leader.policy())
                && keys.keyOf(sent, sentFields, leader.policy(), leader.epoch()).equals(leader.key());
        ShareableHead head = unchanged
                ? ResponseRules.decide(leader, sent.method(), sentFields, response, cacheStatus("collapsed"))
                : null;
        if (head == null || head.contentLength() > options.maxBodySize()) {
            unsharedKeys.rememberForHead(leader.key());
            return null;
        }
        unsharedKeys.forget(leader.key(), head.isBodiless() || head.contentLength() >= 0);
        return head;
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

    Deadline deadlineOf(CollapsibleRequest request) {
        return Deadline.of(request, options.followerTimeout());
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
