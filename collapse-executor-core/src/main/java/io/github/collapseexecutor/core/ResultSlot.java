package io.github.collapseexecutor.core;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A place for one caller's output or failure, which is written once: the first binding counts. */
class ResultSlot {

    private static final AtomicReferenceFieldUpdater<ResultSlot, @Nullable Object> CONTENT =
            AtomicReferenceFieldUpdater.newUpdater(ResultSlot.class, Object.class, "content");

    private static final Object NULL_OUTPUT = new Object();

    // mutable; by CAS from null, once: unbound -> an output, NULL_OUTPUT or a Failure
    private volatile @Nullable Object content;

    final boolean isBound() {
        return content != null;
    }

    final boolean bind(@Nullable Object output) {
        return content == null && CONTENT.compareAndSet(this, null, output == null ? NULL_OUTPUT : output);
    }

    /**
     * Binds an output where nothing is bound and nobody else binds. A bound result is read after the batch has been published, so that this needs neither
     * a CAS nor a fence.
     */
    final void bindAlone(@Nullable Object output) {
        CONTENT.lazySet(this, output == null ? NULL_OUTPUT : output);
    }

    final boolean bindFailure(Throwable failure) {
        return content == null && CONTENT.compareAndSet(this, null, new Failure(requireNonNull(failure, "failure")));
    }

    /** Takes over what another place was bound to. */
    final void bindAs(ResultSlot other) {
        CONTENT.compareAndSet(this, null, other.content);
    }

    /** The failure that was bound, or null if an output was. */
    final @Nullable Throwable failure() {
        Object bound = content;
        return bound instanceof Failure ? ((Failure) bound).cause : null;
    }

    /** The output that was bound; not to be asked of a failure. */
    final @Nullable Object output() {
        Object bound = content;
        return bound == NULL_OUTPUT ? null : bound;
    }

    /**
     * Takes an object, or null, for what the caller knows it to be.
     *
     * <p>The one place where a type variable stands for a type that may include null: without its JSpecify mode, which
     * needs a newer javac than this build does, NullAway takes every type variable for non-null.
     */
    @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
    static <T extends @Nullable Object> T cast(@Nullable Object object) {
        return (T) object;
    }

    private static final class Failure {

        final Throwable cause;

        Failure(Throwable cause) {
            this.cause = cause;
        }
    }
}
