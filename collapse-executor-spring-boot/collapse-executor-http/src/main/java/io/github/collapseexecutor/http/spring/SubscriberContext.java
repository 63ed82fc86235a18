package io.github.collapseexecutor.http.spring;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.util.function.Supplier;
import org.springframework.util.ClassUtils;
import reactor.util.context.ContextView;

/**
 * Shows a subscriber's Reactor context as thread-locals, by Micrometer's context-propagation library. Without the library, nothing is
 * shown. Public for other packages of the library only.
 */
public final class SubscriberContext {

    private static final boolean PROPAGATES = ClassUtils.isPresent(
            "io.micrometer.context.ContextSnapshotFactory", SubscriberContext.class.getClassLoader());

    private SubscriberContext() {}

    /**
     * Makes a call while the thread has what the context says.
     *
     * @param ofOthers whether others have left thread-locals on this thread, which do not count where the context has nothing
     */
    public static <T> T within(ContextView context, boolean ofOthers, Supplier<T> call) {
        return PROPAGATES ? Propagation.within(context, ofOthers, call) : call.get();
    }

    /** A class of its own, so that the library is not missed. */
    private static final class Propagation {

        // immutable
        private static final ContextSnapshotFactory BESIDE =
                ContextSnapshotFactory.builder().build();

        private static final ContextSnapshotFactory INSTEAD =
                ContextSnapshotFactory.builder().clearMissing(true).build();

        private Propagation() {}

        static <T> T within(ContextView context, boolean ofOthers, Supplier<T> call) {
            ContextSnapshotFactory snapshots = ofOthers ? INSTEAD : BESIDE;
            ContextSnapshot.Scope scope = snapshots.setThreadLocalsFrom(context);
            try {
                return call.get();
            } finally {
                scope.close();
            }
        }
    }
}
