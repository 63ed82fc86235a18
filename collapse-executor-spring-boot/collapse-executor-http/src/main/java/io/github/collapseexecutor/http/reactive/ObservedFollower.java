package io.github.collapseexecutor.http.reactive;

import io.micrometer.observation.Observation;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.function.client.ClientRequestObservationContext;
import org.springframework.web.reactive.function.client.ClientResponse;
import reactor.util.context.ContextView;

/**
 * Shows the response of a follower to the observation of its request. {@code WebClient} does so behind all filters, where a follower's
 * request never comes: without that, it would be observed as one without a response.
 */
final class ObservedFollower {

    private static final boolean OBSERVES =
            ClassUtils.isPresent("io.micrometer.observation.Observation", ObservedFollower.class.getClassLoader());

    private ObservedFollower() {}

    static void answered(ContextView context, ClientResponse response) {
        if (OBSERVES) {
            Known.answered(context, response);
        }
    }

    /** A class of its own, so that the library is not missed. */
    private static final class Known {

        /** The key of the observation in a Reactor context, by Micrometer's {@code ObservationThreadLocalAccessor}. */
        private static final String OBSERVATION = "micrometer.observation";

        private Known() {}

        static void answered(ContextView context, ClientResponse response) {
            if (context.getOrDefault(OBSERVATION, null) instanceof Observation observation
                    && observation.getContext() instanceof ClientRequestObservationContext request) {
                request.setResponse(response);
            }
        }
    }
}
