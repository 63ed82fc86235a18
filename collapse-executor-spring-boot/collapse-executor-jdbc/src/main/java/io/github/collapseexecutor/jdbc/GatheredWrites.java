package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.Bundle;
import io.github.collapseexecutor.core.CollapseExecutorAsyncSupport;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.Input;
import io.github.collapseexecutor.jdbc.connection.BatchConnections;
import io.github.collapseexecutor.jdbc.connection.DataSourceOfOneDatabase;
import io.github.collapseexecutor.jdbc.writer.ReturningCallers;
import io.github.collapseexecutor.jdbc.writer.Writer;
import io.github.collapseexecutor.jdbc.writer.WriterListener;
import io.github.collapseexecutor.jdbc.writer.WriterThreads;
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
final class GatheredWrites<I, O>
        extends CollapseExecutorAsyncSupport<Submission<I>, O, List<@Nullable WriteResult<O>>> {

    /** So many callers are woken up in about the time that it takes to wake up one more writer. */
    private static final int FEW = 64;

    // immutable
    private final ReturningCallers returning = new ReturningCallers();
    private final WriteReporter reporter;
    private final DataSource dataSource;
    private final BiFunction<BatchConnections, List<I>, List<WriteResult<O>>> work;

    // mutable, by any writer's thread: any value is a true one
    private volatile @Nullable Outage outage;

    /** When a connection was last waited for in vain, and why. */
    private record Outage(long endedAt, Exception failure) {}

    /** @param work gives each input's outcome, in order; what it throws, all get, so it must have written nothing then */
    GatheredWrites(
            WriteOptions options,
            DataSource dataSource,
            BiFunction<BatchConnections, List<I>, List<WriteResult<O>>> work) {
        super(gathering(options));
        this.dataSource = DataSourceOfOneDatabase.checked(dataSource);
        this.work = work;
        this.reporter = new WriteReporter(options);
        setExecutor(WriterThreads.INSTANCE);
    }

    private static CollapseOptions gathering(WriteOptions options) {
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
    protected void bindingOutput(
            List<@Nullable WriteResult<O>> outcomes, List<Bundle<Submission<I>, CompletableFuture<O>>> bundles) {
        for (int index = 0; index < bundles.size(); index++) {
            WriteResult<O> outcome = outcomes.get(index);
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
    @Override
    protected List<@Nullable WriteResult<O>> doExecute(Collection<Input<Submission<I>>> inputs) throws SQLException {
        Outage last = outage;
        if (last != null && inputs.stream().allMatch(input -> input.value().isOlderThan(last.endedAt()))) {
            reporter.notWritten(inputs.size());
            return Collections.nCopies(inputs.size(), WriteResult.failed(last.failure()));
        }
        Writer writer = Writer.beginning();
        try (BatchConnections connections = connections(inputs.size())) {
            return write(connections, inputs, writer);
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

    /** Writes the inputs whose callers have not withdrawn them; there is no result for the others. */
    private List<@Nullable WriteResult<O>> write(
            BatchConnections connections, Collection<Input<Submission<I>>> inputs, @Nullable Writer writer) {
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
        List<@Nullable WriteResult<O>> outcomes = new ArrayList<>(Collections.nCopies(position, null));
        if (!taken.isEmpty()) {
            List<WriteResult<O>> written = written(connections, taken);
            for (int index = 0; index < taken.size(); index++) {
                outcomes.set(positions.get(index), written.get(index));
            }
        }
        // The future of a caller that does not wait may have dependents, which are code of the user's: they run when it
        // is
        // answered.
        if (writer != null
                && position <= FEW
                && inputs.stream().allMatch(input -> input.value().isAwaited())) {
            writer.answers(returning(inputs, System.nanoTime() - start));
        }
        return outcomes;
    }

    /** The listener is told here, while the thread keeps no batch that the listener's code could wait for. */
    private List<WriteResult<O>> written(BatchConnections connections, List<I> rows) {
        List<WriteResult<O>> written;
        try {
            written = work.apply(connections, rows);
        } catch (Throwable failure) {
            reporter.notWritten(rows.size());
            throw failure;
        }
        reporter.written(written, connections.commits());
        return written;
    }

    /** The callers that the writer waits for before the next batch; null for none. */
    private ReturningCallers.@Nullable Awaited returning(Collection<Input<Submission<I>>> inputs, long nanosOfBatch) {
        if (inputs.size() == 1 && counts().gathering() == 0) {
            return null; // a lone caller has nobody to share the next batch with
        }
        Object group = inputs.iterator().next().value().group();
        return returning.expect(group, inputs.size(), nanosOfBatch);
    }
}
