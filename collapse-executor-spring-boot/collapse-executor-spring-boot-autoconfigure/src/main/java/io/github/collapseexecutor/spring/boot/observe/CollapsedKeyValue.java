package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationRegistry;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.client.observation.ClientRequestObservationContext;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import reactor.util.context.ContextView;

/**
 * Marks the observations of RestTemplate, RestClient and WebClient: {@code http.client.requests} has the key {@code collapsed}, which is {@code
 * true} if the request was not sent because another's call answered it. Then the calls that were made are those with {@code false}. Of
 * several attempts within one observation, the last one counts.
 *
 * <p>A key of the one observation, and no observation of another name: dashboards and alerts on {@code http.client.requests} go on to
 * see what callers see, and one condition more shows what the origin sees.
 *
 * <p>A blocking request ends on its caller's thread, inside the scope of the observation that its client has opened. WebClient's
 * observation is in the Reactor context.
 */
final class CollapsedKeyValue implements ExecutorObserver, ObservationFilter {

    private static final String KEY = "collapsed";

    /** In the observation's context, where it is until the observation stops. */
    private static final Object MARK = CollapsedKeyValue.class;

    /** The key of the observation in a Reactor context, by Micrometer's {@code ObservationThreadLocalAccessor}. */
    private static final String OBSERVATION = "micrometer.observation";

    private static final boolean REACTIVE = ClassUtils.isPresent(
            "org.springframework.web.reactive.function.client.ClientRequestObservationContext",
            CollapsedKeyValue.class.getClassLoader());

    // immutable
    private final SingletonSupplier<ObservationRegistry> registry;

    CollapsedKeyValue(ObjectProvider<ObservationRegistry> registry) {
        this.registry = SingletonSupplier.of(() -> registry.getIfAvailable(() -> ObservationRegistry.NOOP));
    }

    @Override
    public HttpCollapseListener ofRequests(String section) {
        return new HttpCollapseListener() {
            @Override
            public void requestEnded(HttpCallSummary request) {
                mark(request.callerContext(), request.isSaved());
            }

            /** A blocking request that could share no call is about to be sent. Of one of WebClient, nobody knows the context. */
            @Override
            public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
                mark(null, false);
            }
        };
    }

    /** An observation may see several attempts, of which the last one counts. */
    private void mark(@Nullable Object callerContext, boolean collapsed) {
        Observation observation = callerContext == null
                ? registry.obtain().getCurrentObservation()
                : ReactiveObservation.of(callerContext);
        if (observation == null) {
            return;
        }
        Observation.Context context = observation.getContext(); // if it is not of a client, a mark has no effect
        if (collapsed) {
            context.put(MARK, true);
        } else {
            context.remove(MARK);
        }
    }

    private static boolean isOfClient(Observation.ContextView context) {
        return context instanceof ClientRequestObservationContext
                || (REACTIVE && ReactiveObservation.isOfClient(context));
    }

    /** A class of its own, so that none of its libraries is missed. */
    private static final class ReactiveObservation {

        private ReactiveObservation() {}

        /** The observation that WebClient puts into the Reactor context of a request. */
        static @Nullable Observation of(Object callerContext) {
            return callerContext instanceof ContextView context
                            && context.getOrDefault(OBSERVATION, null) instanceof Observation observation
                    ? observation
                    : null;
        }

        static boolean isOfClient(Observation.ContextView context) {
            return context instanceof org.springframework.web.reactive.function.client.ClientRequestObservationContext;
        }
    }

    @Override
    public Observation.Context map(Observation.Context context) {
        if (isOfClient(context)) {
            context.addLowCardinalityKeyValue(KeyValue.of(KEY, Boolean.toString(context.containsKey(MARK))));
        }
        return context;
    }
}
