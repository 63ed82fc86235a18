package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.client.observation.ClientRequestObservationContext;

/**
 * Marks the observations of RestTemplate and RestClient: {@code http.client.requests} has the key {@code collapsed}, which is {@code
 * true} if the request was not sent because another's call answered it. Then the calls that were made are those with {@code false}.
 *
 * <p>A key of the one observation, and no observation of another name: dashboards and alerts on {@code http.client.requests} go on to
 * see what callers see, and one condition more shows what the origin sees.
 *
 * <p>A request ends on its caller's thread, inside the scope of the observation that its client has opened.
 */
final class CollapsedKeyValue implements SectionObserver, ObservationFilter {

    private static final String KEY = "collapsed";

    /** In the observation's context, where it is until the observation stops. */
    private static final Object MARK = CollapsedKeyValue.class;

    // immutable
    private final ObjectProvider<ObservationRegistry> registry;

    CollapsedKeyValue(ObjectProvider<ObservationRegistry> registry) {
        this.registry = registry;
    }

    @Override
    public @Nullable CollapseListener ofBatches(String section) {
        return null;
    }

    @Override
    public HttpCollapseListener ofRequests(String section) {
        return new HttpCollapseListener() {
            @Override
            public void requestEnded(HttpCallSummary request) {
                if (request.isSaved()) {
                    mark();
                }
            }
        };
    }

    private void mark() {
        ObservationRegistry present = registry.getIfAvailable();
        Observation current = present == null ? null : present.getCurrentObservation();
        if (current != null && current.getContext() instanceof ClientRequestObservationContext context) {
            context.put(MARK, true);
        }
    }

    @Override
    public Observation.Context map(Observation.Context context) {
        if (context instanceof ClientRequestObservationContext) {
            context.addLowCardinalityKeyValue(KeyValue.of(KEY, Boolean.toString(context.containsKey(MARK))));
        }
        return context;
    }

    @Override
    public void made(HttpSections.Section section) {}
}
