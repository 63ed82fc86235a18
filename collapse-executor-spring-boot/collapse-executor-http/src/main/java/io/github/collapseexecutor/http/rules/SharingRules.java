package io.github.collapseexecutor.http.rules;

import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one adapter: which requests may share a call, and which response may answer several.
 *
 * <pre>{@code
 * if (rules.collapsible(view) instanceof CollapsibleRequest request) {
 *     // gather it with those of an equal key
 * } else {
 *     // forward it, and say rules.forwarded(view, response) before the caller goes on
 * }
 * }</pre>
 *
 * <p>A response that was of no use to others, and an unsafe request that has ended, are remembered, so that every adapter instance
 * has rules of its own. Safe for use by any number of threads; no method blocks. Public for other packages of the library only.
 */
public final class SharingRules {

    // immutable
    private final HttpCollapseOptions options;
    private final Side side;
    private final HttpTime time;
    private final RequestRules requests;
    private final ResponseRules responses;
    private final HttpReporter reporter;

    // mutable, thread-safe by themselves
    private final UnsafeRequests unsafeRequests = new UnsafeRequests();
    private final HitForMiss hitForMiss;
    private final ObstacleLog obstacles = new ObstacleLog();
    private final InstanceKeys instanceKeys;
    private final UnsharedResponses unshared;

    /**
     * Creates the rules of one adapter.
     *
     * @param options what is collapsed
     * @param name what the log calls the adapter
     */
    public SharingRules(HttpCollapseOptions options, Side side, HttpTime time, String name) {
        this.options = options;
        this.side = side;
        this.time = time;
        this.requests = new RequestRules(options, side, time, unsafeRequests, obstacles);
        this.responses = new ResponseRules(options, requests, time);
        this.reporter = new HttpReporter(options, requests, time);
        this.hitForMiss = new HitForMiss(options.passTtl(), time);
        this.instanceKeys = new InstanceKeys(options);
        this.unshared = new UnsharedResponses(name, options);
    }

    public HttpCollapseOptions options() {
        return options;
    }

    public HttpTime time() {
        return time;
    }

    /** Whether the requests are those that a server receives. */
    public boolean isOfServer() {
        return side == Side.SERVER;
    }

    /**
     * Decides whether a request may share a call, before it is sent.
     *
     * @param request the request as it has arrived
     * @return a {@link CollapsibleRequest} with its key, or the reason why it is to be forwarded as a call of its own
     */
    public RequestDecision collapsible(HttpRequestView request) {
        return requests.decide(request);
    }

    /** Whether a request might share a call by its method and address. */
    public boolean isInGroup(HttpRequestView request) {
        return requests.isInGroup(request);
    }

    /** Whether a request of this path might share a call, whatever its method and host. */
    public boolean mayBeInGroup(String rawPath) {
        return requests.mayBeInGroup(rawPath);
    }

    /** Decides about a request that has arrived, and tells the listener if it is forwarded; to be asked once for each request. */
    public RequestDecision arrived(HttpRequestView request) {
        RequestDecision decision = collapsible(request);
        if (decision instanceof RequestDecision.Forwarded forwarded) {
            reporter.forwarded(request, forwarded.reason());
        }
        return decision;
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

    /**
     * A call of its own begins, which may change something. A server's client may have the response before the handler has ended;
     * a read that comes meanwhile is not to join a call that runs already. To be followed by {@link #forwardingEnded}.
     */
    public void forwardingBegins(HttpRequestView request) {
        if (side == Side.SERVER && isWatched(request)) {
            unsafeRequests.begin(request.uri());
        }
    }

    /** A call of its own has ended, and {@link #forwarded} has been told. */
    public void forwardingEnded(HttpRequestView request) {
        if (side == Side.SERVER && isWatched(request)) {
            unsafeRequests.end(request.uri());
        }
    }

    /** Tells whether {@link #forwarded} wants to know how a request ended. */
    public boolean isWatched(HttpRequestView request) {
        return !options.rules().isEmpty() && UnsafeRequests.isUnsafe(request.method());
    }

    /**
     * Decides whether a response may answer several requests, when its header section has arrived and before its body is
     * read. A response that is for the leader only is remembered (H21).
     *
     * @param leader the request that made the call
     * @param sent the same request as it looks now, after it was sent: what was added to it meanwhile, say credentials by an
     *     interceptor nearer to the wire, is unknown to the others' keys, and so the response is not for them
     * @param response the response
     * @return the {@link ShareableHead} of a response to share, or the reason why it is for the leader only
     */
    public ResponseDecision shareable(CollapsibleRequest leader, HttpRequestView sent, HttpResponseView response) {
        ResponseDecision decision = wouldBeShareable(leader, sent, response);
        if (decision instanceof ResponseDecision.ForLeaderOnly refused) {
            notShared(leader, refused.reason());
        }
        return decision;
    }

    /** Decides and remembers as {@link #shareable} does, and tells nobody: in a dry run, nothing is shared anyway. */
    public ResponseDecision wouldBeShareable(
            CollapsibleRequest leader, HttpRequestView sent, HttpResponseView response) {
        ResponseDecision decision = responses.decide(leader, sent, response);
        if (decision instanceof ShareableHead head) {
            hitForMiss.forget(leader.key(), head.isBodiless() || head.contentLength() >= 0);
        } else {
            hitForMiss.rememberForHead(leader.key());
        }
        return decision;
    }

    /** The head of a response cannot be read, so that nobody knows whether others may have it; its own caller finds out. */
    public void headWasUnreadable(CollapsibleRequest leader, Exception failure) {
        hitForMiss.rememberForHead(leader.key());
        reporter.notShared(leader, Reason.UNREADABLE);
        obstacles.warnOnce("the head of a response cannot be read, which fails with a "
                + failure.getClass().getName() + "; only the request that was sent gets the response");
    }

    /**
     * Others do not get a body, although its header section did not say so: it is larger than may be shared, or a stream. Its key is
     * remembered too (H21).
     */
    public void bodyWasNotShared(CollapsibleRequest leader, Reason reason) {
        hitForMiss.rememberForBody(leader.key());
        notShared(leader, reason);
    }

    /** A body is not as long as its header section said. */
    public void bodyHasAnotherLength(CollapsibleRequest leader) {
        notShared(leader, Reason.LENGTH);
    }

    private void notShared(CollapsibleRequest leader, Reason reason) {
        reporter.notShared(leader, reason);
        unshared.sayOnce(leader, reason);
    }

    /** A request that might have shared a call is sent by itself. */
    public void released(CollapsibleRequest request, Reason reason) {
        reporter.released(request, reason);
    }

    /** What a request is called among instances; null if it is not shared with them. */
    public @Nullable String keyAmongInstances(CollapsibleRequest request) {
        return instanceKeys.of(request);
    }

    /** How many keys pass now. */
    public int passingKeys() {
        return hitForMiss.size();
    }

    public void forgetPassingKeys() {
        hitForMiss.forgetAll();
    }

    public HttpReporter reporter() {
        return reporter;
    }

    /** Tells whether a request is to be sent at once and by itself, because the last response was of no use to others (H21). */
    public boolean passes(CollapsibleRequest request) {
        return hitForMiss.contains(request.key());
    }
}
