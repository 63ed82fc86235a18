package io.github.collapseexecutor.http.reactive;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.function.Supplier;
import org.springframework.util.ClassUtils;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Shows a subscriber's Reactor context to the carrier of an executor, which looks at the thread: as thread-locals, by Micrometer's
 * context-propagation library. On an event loop that is in the place of those that another request has left there; any other thread is
 * the subscriber's own, whose thread-locals count where the context has nothing. Without the library, nothing is shown.
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
        private static final ContextSnapshotFactory ON_OWN_THREAD =
                ContextSnapshotFactory.builder().build();

        private static final ContextSnapshotFactory ON_EVENT_LOOP =
                ContextSnapshotFactory.builder().clearMissing(true).build();

        private Propagation() {}

        static <T> T within(ContextView context, Supplier<T> call) {
            ContextSnapshotFactory snapshots = Schedulers.isInNonBlockingThread() ? ON_EVENT_LOOP : ON_OWN_THREAD;
            ContextSnapshot.Scope scope = snapshots.setThreadLocalsFrom(context);
            try {
                return call.get();
            } finally {
                scope.close();
            }
        }
    }
}
