package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseExecutorAsyncSupport;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Input;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The writers' side: gathers what is handed in for each group, and writes each batch on a writer's thread, with a connection of the data
 * source.
 *
 * @param <I> what callers hand in
 * @param <O> what they get
 */
final class GatheredWrites<I, O> extends CollapseExecutorAsyncSupport<Submission<I>, O, List<@Nullable Outcome<O>>> {

    /** So many callers are woken up in about the time that it takes to wake up one more writer. */
    private static final int FEW = 64;

    // immutable
    private final ReturningCallers returning = new ReturningCallers();
    private final WriteReporter reporter;
    private final DataSource dataSource;
    private final BiFunction<BatchConnections, List<I>, List<Outcome<O>>> work;

    // mutable, by any writer's thread: any value is a true one
    private volatile @Nullable Outage outage;

    /** When a connection was last waited for in vain, and why. */
    private record Outage(long endedAt, Exception failure) {}

    /** @param work gives each input's outcome, in order; what it throws, all get, so it must have written nothing then */
    GatheredWrites(
            GroupCommitOptions options,
            DataSource dataSource,
            BiFunction<BatchConnections, List<I>, List<Outcome<O>>> work) {
        super(gathering(options));
        this.dataSource = requireNonNull(dataSource, "dataSource");
        this.work = work;
        this.reporter = new WriteReporter(options);
        setExecutor(WriterThreads.INSTANCE);
    }

    private static CollapseOptions gathering(GroupCommitOptions options) {
        CollapseListener listener = requireNonNull(options, "options").listener();
        return listener == null
                ? options.gathering()
                : options.gathering().toBuilder()
                        .listener(new WriterListener(listener))
                        .build();
    }

    /** Hands something in; the future is that of its outcome. */
    CompletableFuture<O> handIn(Submission<I> submission) {
        return returning.handIn(submission.group(), () -> execute(submission));
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
        if (inputs.size() == 1 && counts().gathering() == 0) {
            return null; // a lone caller has nobody to share the next batch with
        }
        Object group = inputs.iterator().next().value().group();
        return returning.expect(group, inputs.size(), nanosOfBatch);
    }
}
