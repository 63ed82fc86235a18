package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.LibraryThreads;
import io.github.collapseexecutor.jdbc.connection.CarriedFailure;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The callers' way in, the same for rows and for merged updates: looks after the caller's transaction, hands its input to the
 * writers, and tells a caller that leaves what is certain about it.
 *
 * @param <I> what callers hand in
 * @param <O> what they get
 */
final class WriteExecutor<I, O> {

    private static final String MAYBE = ": it may or may not have been committed";

    // immutable
    private final WriteOptions options;
    private final CallerTransaction transaction;
    private final GatheredWrites<I, O> writes;
    private final CloseAtShutdown shutdown;

    WriteExecutor(WriteOptions options, CallerTransaction transaction, GatheredWrites<I, O> writes) {
        this.options = options;
        this.transaction = transaction;
        this.writes = writes;
        this.shutdown = CloseAtShutdown.of(options.closeAtShutdown(), writes);
    }

    CollapseCounts counts() {
        return writes.counts();
    }

    boolean close(Duration drain) {
        shutdown.cancel();
        return writes.close(drain);
    }

    O execute(Object group, I input) throws SQLException, InterruptedException {
        if (transaction.isActive()) {
            throw new IllegalStateException(
                    options.name() + " was called inside a transaction, which the write would not be part of: call it "
                            + "outside, or hand it in with submit and WriteInTransaction.AFTER_COMMIT");
        }
        Submission<I> submission = new Submission<>(input, group, true);
        CompletableFuture<O> future = writes.handIn(submission);
        Duration callTimeout = options.callTimeout();
        try {
            return callTimeout == null ? future.get() : future.get(callTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw CarriedFailure.rethrow(e);
        } catch (InterruptedException e) {
            if (submission.withdraw()) {
                future.cancel(false);
                throw e;
            }
            Thread.currentThread().interrupt();
            return outcomeOfLeaving(future, "The caller was interrupted while its write was under way", e);
        } catch (TimeoutException e) {
            if (submission.withdraw()) {
                future.cancel(false);
                throw notWrittenInTime(requireNonNull(callTimeout), e);
            }
            return outcomeOfLeaving(future, underWay(requireNonNull(callTimeout)), e);
        }
    }

    private SQLTimeoutException notWrittenInTime(Duration callTimeout, @Nullable Exception cause) {
        return new SQLTimeoutException(
                options.name() + " did not get to the write within " + bound(callTimeout) + "; it is not written",
                cause);
    }

    private static String underWay(Duration callTimeout) {
        return "The write was under way when " + bound(callTimeout) + " had passed";
    }

    private static String bound(Duration callTimeout) {
        return "callTimeout = " + callTimeout.toMillis() + " ms";
    }

    CompletableFuture<O> submit(Object group, I input) {
        if (!transaction.isActive()) {
            return handIn(group, input);
        }
        if (options.inTransaction() == WriteInTransaction.REFUSE) {
            throw new IllegalStateException(options.name()
                    + " was called inside a transaction, which the write would not be part of: call it outside, or set "
                    + "WriteInTransaction.AFTER_COMMIT to have it written when that has committed");
        }
        CompletableFuture<O> deferred = new CompletableFuture<>();
        transaction.atEnd(end -> {
            switch (end) {
                case COMMITTED -> writeDeferred(group, input, deferred);
                case NOT_COMMITTED -> drop(deferred, "The caller's transaction did not commit");
                case ROLLED_BACK_TO_SAVEPOINT ->
                    drop(deferred, "The caller's transaction was rolled back to a savepoint from before the call");
            }
        });
        return deferred;
    }

    private void drop(CompletableFuture<O> deferred, String why) {
        deferred.completeExceptionally(new CancellationException(why + ", so nothing was written"));
    }

    private void writeDeferred(Object group, I input, CompletableFuture<O> deferred) {
        if (deferred.isDone()) {
            return;
        }
        try {
            CompletableFuture<O> unused = handIn(group, input).whenComplete((value, failure) -> {
                if (failure == null) {
                    deferred.complete(value);
                } else {
                    deferred.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException refused) { // by maxPending; there is no caller here to throw it to
            deferred.completeExceptionally(refused);
        }
    }

    /** Hands an input in for a caller that does not wait, but for at most the call's time. */
    private CompletableFuture<O> handIn(Object group, I input) {
        Submission<I> submission = new Submission<>(input, group, false);
        CompletableFuture<O> future = writes.handIn(submission);
        Duration callTimeout = options.callTimeout();
        if (callTimeout != null) {
            Future<?> timer = LibraryThreads.after(callTimeout.toNanos(), () -> {
                Throwable failure = submission.withdraw()
                        ? notWrittenInTime(callTimeout, null)
                        : new OutcomeUnknownException(underWay(callTimeout) + MAYBE, null);
                future.completeExceptionally(failure);
            });
            CompletableFuture<?> unused = future.whenComplete((value, failure) -> timer.cancel(false));
        }
        return future;
    }

    /** The outcome, if it came in the very moment; else that it is unknown. */
    private static <O> O outcomeOfLeaving(CompletableFuture<O> future, String message, Exception cause)
            throws SQLException {
        if (!future.cancel(false)) {
            try {
                return future.getNow(null);
            } catch (CompletionException e) {
                throw CarriedFailure.rethrow(e);
            }
        }
        throw new OutcomeUnknownException(message + MAYBE, cause);
    }
}
