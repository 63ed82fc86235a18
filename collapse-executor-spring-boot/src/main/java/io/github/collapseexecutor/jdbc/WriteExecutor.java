package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutorAsyncSupport;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Input;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The callers' way in, the same for rows and for merged updates: looks after the caller's transaction, has the core gather,
 * and tells a caller that leaves what is certain about its input.
 *
 * @param <I> what callers hand in
 * @param <O> what they get
 */
final class WriteExecutor<I, O> {

    private static final String MAYBE = ": it may or may not have been committed";

    /** So many callers are woken up in about the time that it takes to wake up one more writer. */
    private static final int FEW = 64;

    // immutable
    private final GroupCommitOptions options;
    private final CallerTransaction transaction;
    private final Gathering gathering;
    private final ReturningCallers returning = new ReturningCallers();
    private final WriteReporter reporter;
    private final CloseAtShutdown shutdown;
    private final DataSource dataSource;
    private final BiFunction<BatchConnections, List<I>, List<Outcome<O>>> work;

    // mutable, by any writer's thread: any value is a true one
    private volatile @Nullable Outage outage;

    /** When a connection was last waited for in vain, and why. */
    private record Outage(long endedAt, Exception failure) {}

    /** @param work gives each input's outcome, in order; what it throws, all get, so it must have written nothing then */
    WriteExecutor(
            GroupCommitOptions options,
            CallerTransaction transaction,
            DataSource dataSource,
            BiFunction<BatchConnections, List<I>, List<Outcome<O>>> work) {
        this.options = requireNonNull(options, "options");
        this.transaction = transaction;
        this.dataSource = requireNonNull(dataSource, "dataSource");
        this.work = work;
        this.reporter = new WriteReporter(options);
        this.gathering = new Gathering(options);
        this.shutdown = CloseAtShutdown.of(options.closeAtShutdown(), gathering);
    }

    CollapseCounts counts() {
        return gathering.counts();
    }

    boolean close(Duration drain) {
        shutdown.cancel();
        return gathering.close(drain);
    }

    O execute(Object group, I input) throws SQLException, InterruptedException {
        if (transaction.isActive()) {
            throw new IllegalStateException(
                    options.name() + " was called inside a transaction, which the write would not be part of: call it "
                            + "outside, or hand it in with submit and WriteInTransaction.AFTER_COMMIT");
        }
        Submission<I> submission = new Submission<>(input, group, true);
        CompletableFuture<O> future = returning.handIn(group, () -> gathering.execute(submission));
        Duration callTimeout = options.callTimeout();
        try {
            return callTimeout == null ? future.get() : future.get(callTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw rethrow(e);
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
        CompletableFuture<O> future = returning.handIn(group, () -> gathering.execute(submission));
        Duration callTimeout = options.callTimeout();
        if (callTimeout != null) {
            Deadline.of(future, callTimeout, () -> {
                Throwable failure = submission.withdraw()
                        ? notWrittenInTime(callTimeout, null)
                        : new OutcomeUnknownException(underWay(callTimeout) + MAYBE, null);
                future.completeExceptionally(failure);
            });
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
                throw rethrow(e);
            }
        }
        throw new OutcomeUnknownException(message + MAYBE, cause);
    }

    /** Throws what the batch gave this caller, as it is. */
    private static RuntimeException rethrow(Exception wrapped) throws SQLException {
        Throwable failure = requireNonNull(wrapped.getCause());
        if (failure instanceof SQLException sql) {
            throw sql;
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        // A parameter setter that throws what it does not declare.
        return new IllegalStateException(failure);
    }

    /**
     * Writes a batch. If it has gathered while another one waited for a connection in vain, it fails as that one did: were each
     * to wait for itself, the last callers of a database that is down would be answered after hours.
     */
    private List<@Nullable Outcome<O>> write(Collection<Input<Submission<I>>> inputs) throws SQLException {
        Outage last = outage;
        if (last != null && inputs.stream().allMatch(input -> input.value().isOlderThan(last.endedAt()))) {
            reporter.notWritten(inputs.size());
            return Collections.nCopies(inputs.size(), Outcome.failed(last.failure()));
        }
        try (BatchConnections connections = connections(inputs.size())) {
            return write(connections, inputs);
        }
    }

    private BatchConnections connections(int rows) throws SQLException {
        try {
            BatchConnections connections = BatchConnections.of(dataSource);
            outage = null;
            return connections;
        } catch (SQLException | RuntimeException failure) {
            outage = new Outage(System.nanoTime(), failure);
            reporter.notWritten(rows);
            throw failure;
        }
    }

    /** Writes what nobody has withdrawn; there is no outcome for the others. */
    private List<@Nullable Outcome<O>> write(BatchConnections connections, Collection<Input<Submission<I>>> inputs) {
        long start = System.nanoTime();
        List<I> taken = new ArrayList<>(inputs.size());
        List<Integer> positions = new ArrayList<>(inputs.size());
        int position = 0;
        for (Input<Submission<I>> input : inputs) {
            if (input.value().take()) {
                taken.add(input.value().input());
                positions.add(position);
            }
            position++;
        }
        List<@Nullable Outcome<O>> outcomes = new ArrayList<>(Collections.nCopies(position, null));
        if (!taken.isEmpty()) {
            List<Outcome<O>> written = written(connections, taken);
            for (int index = 0; index < taken.size(); index++) {
                outcomes.set(positions.get(index), written.get(index));
            }
        }
        // What depends on the future of a caller that does not wait is code of the user's, and runs when that is
        // answered.
        if (position <= FEW && inputs.stream().allMatch(input -> input.value().isAwaited())) {
            WriterThreads.keepNext(returning(inputs, System.nanoTime() - start));
        }
        return outcomes;
    }

    /** The listener is told here, while the thread keeps no batch that the listener's code could wait for. */
    private List<Outcome<O>> written(BatchConnections connections, List<I> rows) {
        List<Outcome<O>> written;
        try {
            written = work.apply(connections, rows);
        } catch (Throwable failure) {
            reporter.notWritten(rows.size());
            throw failure;
        }
        reporter.written(written, connections.commits());
        return written;
    }

    /** Those whom the writer of the next batch is to wait for; null for nobody. */
    private ReturningCallers.@Nullable Awaited returning(Collection<Input<Submission<I>>> inputs, long nanosOfBatch) {
        if (inputs.size() == 1 && gathering.counts().gathering() == 0) {
            return null; // a lone caller has nobody to share the next batch with
        }
        Object group = inputs.iterator().next().value().group();
        return returning.expect(group, inputs.size(), nanosOfBatch);
    }

    private static CollapseOptions gathering(GroupCommitOptions options) {
        CollapseListener listener = options.listener();
        return listener == null
                ? options.gathering()
                : options.gathering().toBuilder()
                        .listener(new WriterListener(listener))
                        .build();
    }

    /** Gathers for each group and writes on the writers' threads. */
    private final class Gathering extends CollapseExecutorAsyncSupport<Submission<I>, O, List<@Nullable Outcome<O>>> {

        Gathering(GroupCommitOptions options) {
            super(gathering(options));
            setExecutor(WriterThreads.INSTANCE);
        }

        @Override
        protected Object groupOf(Submission<I> submission) {
            return submission.group();
        }

        @Override
        protected List<@Nullable Outcome<O>> doExecute(Collection<Input<Submission<I>>> inputs) throws SQLException {
            return write(inputs);
        }

        @Override
        protected void bindingOutput(
                List<@Nullable Outcome<O>> outcomes, List<Bundle<Submission<I>, CompletableFuture<O>>> bundles) {
            for (int index = 0; index < bundles.size(); index++) {
                Outcome<O> outcome = outcomes.get(index);
                if (outcome == null) {
                    bundles.get(index).bindError(new CancellationException("The caller has withdrawn its write"));
                } else if (outcome.failure() != null) {
                    bundles.get(index).bindError(outcome.failure());
                } else {
                    bundles.get(index).bindOutput(CompletableFuture.completedFuture(outcome.value()));
                }
            }
        }
    }
}
