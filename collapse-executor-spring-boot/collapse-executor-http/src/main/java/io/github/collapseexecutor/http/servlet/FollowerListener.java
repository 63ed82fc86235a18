package io.github.collapseexecutor.http.servlet;

import jakarta.servlet.http.HttpServletRequest;

/**
 * Learns of each request that another's handler answers, for example to have metrics and traces name its route.
 *
 * <pre>{@code
 * FollowerListener routes = request -> timer.tag(request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE));
 * }</pre>
 */
@FunctionalInterface
public interface FollowerListener {

    /**
     * A follower is about to be answered: its request has the attributes by which Spring says where the leader's request was
     * dispatched to. The thread that answers the request calls this, inside the filters before the collapsing one.
     *
     * @param request the follower's request
     */
    void answering(HttpServletRequest request);
}
