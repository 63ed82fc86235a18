package io.github.collapseexecutor.http.webflux;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * What a handler leaves in its exchange for what comes after it: the attributes by which WebFlux says where the request was dispatched
 * to, failures, and the same for the observation of the request.
 *
 * @param attributes by name
 * @param observed what the observation shows of the route; null if nothing is observed
 */
record RouteAttributes(
        Map<String, Object> attributes, @Nullable Observed observed) {

    /**
     * What an observation shows.
     *
     * @param pathPattern the route; null if there is none
     * @param error what an exception handler has made a response of; null if there is none
     */
    record Observed(@Nullable String pathPattern, @Nullable Throwable error) {}

    private static final String MAPPING = "org.springframework.web.reactive.HandlerMapping.";
    private static final String FUNCTIONAL =
            "org.springframework.web.reactive.function.server.RouterFunctions.matchingPattern";

    private static final boolean OBSERVES =
            ClassUtils.isPresent("io.micrometer.observation.Observation", RouteAttributes.class.getClassLoader());

    static RouteAttributes in(ServerWebExchange exchange) {
        Map<String, Object> left = new HashMap<>();
        exchange.getAttributes().forEach((name, value) -> {
            if (name.startsWith(MAPPING) || name.equals(FUNCTIONAL) || value instanceof Throwable) {
                left.put(name, value);
            }
        });
        return new RouteAttributes(left, OBSERVES ? Observation.of(exchange) : null);
    }

    /** Leaves the same in another exchange. */
    void leaveIn(ServerWebExchange exchange) {
        exchange.getAttributes().putAll(attributes);
        if (observed != null) {
            Observation.show(observed, exchange);
        }
    }

    /** A class of its own, so that Micrometer is not missed. */
    private static final class Observation {

        private Observation() {}

        static @Nullable Observed of(ServerWebExchange exchange) {
            return ServerRequestObservationContext.findCurrent(exchange.getAttributes())
                    .map(context -> new Observed(context.getPathPattern(), context.getError()))
                    .orElse(null);
        }

        static void show(Observed observed, ServerWebExchange exchange) {
            ServerRequestObservationContext.findCurrent(exchange.getAttributes())
                    .ifPresent(context -> {
                        if (observed.pathPattern() != null) {
                            context.setPathPattern(observed.pathPattern());
                        }
                        if (observed.error() != null) {
                            context.setError(observed.error());
                        }
                    });
        }
    }
}
