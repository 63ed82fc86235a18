package io.github.collapseexecutor.http.webflux;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.function.Supplier;
import org.springframework.util.ClassUtils;
import reactor.util.context.ContextView;

/**
 * Shows a subscriber's Reactor context as thread-locals, by Micrometer's context-propagation library, in the place of those that
 * another request has left on the thread. Without the library, nothing is shown.
 */
final class SubscriberContext {

    private static final boolean PROPAGATES = ClassUtils.isPresent(
            "io.micrometer.context.ContextSnapshotFactory", SubscriberContext.class.getClassLoader());

    private SubscriberContext() {}

    static <T> T within(ContextView context, Supplier<T> call) {
        return PROPAGATES ? Propagation.within(context, call) : call.get();
    }

    /** A class of its own, so that the library is not missed. */
    private static final class Propagation {

        // immutable
        private static final ContextSnapshotFactory SNAPSHOTS =
                ContextSnapshotFactory.builder().clearMissing(true).build();

        private Propagation() {}

        static <T> T within(ContextView context, Supplier<T> call) {
            ContextSnapshot.Scope scope = SNAPSHOTS.setThreadLocalsFrom(context);
            try {
                return call.get();
            } finally {
                scope.close();
            }
        }
    }
}
