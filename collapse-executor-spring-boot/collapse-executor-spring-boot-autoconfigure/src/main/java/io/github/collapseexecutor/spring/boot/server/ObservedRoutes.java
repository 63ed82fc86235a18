package io.github.collapseexecutor.spring.boot.server;

import io.github.collapseexecutor.http.servlet.FollowerListener;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.util.ClassUtils;
import org.springframework.web.filter.ServerHttpObservationFilter;

/**
 * Gives the observation of a follower the route that its leader was dispatched to, so that {@code http.server.requests} and
 * traces name it (H40): as Spring MVC does when it dispatches a request, which a follower never sees.
 */
final class ObservedRoutes {

    /** {@code HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE} of Spring MVC, which need not be on the class path. */
    private static final String PATTERN = "org.springframework.web.servlet.HandlerMapping.bestMatchingPattern";

    private static final boolean IS_OBSERVATION_PRESENT =
            ClassUtils.isPresent("io.micrometer.observation.Observation", ObservedRoutes.class.getClassLoader());

    private ObservedRoutes() {}

    /** Returns a listener for the followers of one filter. */
    static FollowerListener listener() {
        return IS_OBSERVATION_PRESENT ? ObservedRoutes::observe : follower -> {};
    }

    private static void observe(HttpServletRequest follower) {
        if (follower.getAttribute(PATTERN) instanceof String pattern) {
            ServerHttpObservationFilter.findObservationContext(follower)
                    .ifPresent(observed -> observed.setPathPattern(pattern));
        }
    }
}
