package io.github.collapseexecutor.http.call;

import io.github.collapseexecutor.core.Stages;
import io.github.collapseexecutor.http.rules.HttpTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Ends a wait at a deadline (H25); no driver lets it out. */
final class DeadlinePassed extends TimeoutException {

    private static final long serialVersionUID = 1L;

    private final Deadline.Kind kind;

    private DeadlinePassed(Deadline.Kind kind) {
        this.kind = kind;
    }

    Deadline.Kind kind() {
        return kind;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    /**
     * Lets a wait end with this exception after a while, unless it has ended before.
     *
     * @param timeLeft nanoseconds; {@link Long#MAX_VALUE} for no end
     * @param kind which deadline that is
     * @param mayLeave whether the wait may end then, asked at that time
     */
    static void bound(
            CompletableFuture<?> waiting, long timeLeft, Deadline.Kind kind, HttpTime time, BooleanSupplier mayLeave) {
        if (timeLeft == Long.MAX_VALUE || waiting.isDone()) {
            return;
        }
        Future<?> timer = time.schedule(
                () -> {
                    if (mayLeave.getAsBoolean()) {
                        waiting.completeExceptionally(new DeadlinePassed(kind));
                    }
                },
                timeLeft);
        Stages.whenEnded(waiting, (value, failure) -> timer.cancel(false));
    }
}
