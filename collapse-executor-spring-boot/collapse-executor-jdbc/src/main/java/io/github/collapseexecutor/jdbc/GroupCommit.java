package io.github.collapseexecutor.jdbc;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.core.CollapseCounts;
import io.github.collapseexecutor.core.CollapseExecutor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of concurrent callers as one batch with one commit, and tells each what became of its own.
 *
 * <pre>{@code
 * GroupCommit commits = new GroupCommit(dataSource);
 * RowStatement insert = RowStatement.of("INSERT INTO note (text) VALUES (?)").generatedKeys("id");
 *
 * long id = commits.execute(insert, "durable when this returns").generatedKey();
 * }</pre>
 *
 * <p><b>Guarantees.</b> A call that returns has its row committed, once. A call that throws has not written, with one
 * exception: an {@link OutcomeUnknownException} says that nobody knows. A row that the database refuses fails alone, with
 * its own {@link SQLException}; the others of its batch are committed. Rows of one statement are written in order of
 * submission, as long as one batch is in flight at a time, which is the default, and they have no {@linkplain
 * RowStatement#lockOrder lock order}.
 *
 * <p><b>When.</b> Rows of equal statements form a batch, one at a time by default: while it is written the next one
 * gathers, and leaves when the present one has ended or, beside it, if more are {@linkplain
 * WriteOptions#maxConcurrentBatches() allowed}. A lone caller does not wait for others.
 *
 * <p><b>Threads.</b> Batches are written on threads of their own, which hold one connection each, for as long as the
 * batch takes. A caller that waits holds none, so that any number of callers can share a pool of any size.
 *
 * <p><b>Life cycle.</b> The threads are daemons: a JVM that ends does not wait for what was submitted. {@link
 * #close(Duration)} does, or {@link WriteOptions#closeAtShutdown()} has the JVM do so.
 *
 * <p><b>Transactions.</b> A write is no part of a transaction that its caller is in; such a call is refused, or deferred, as
 * {@link WriteInTransaction} says. Spring's transactions are noticed; a transaction that the caller has begun itself, on a
 * connection or by a {@code UserTransaction} of JTA, cannot be.
 *
 * <p><b>Memory consistency.</b> Actions before a call happen-before its {@link ParameterSetter} runs, and the commit
 * happens-before the return.
 */
public final class GroupCommit implements CollapseExecutor {

    // immutable
    private final WriteExecutor<Write, RowOutcome> executor;

    /** What a caller hands in. */
    private record Write(RowStatement statement, Row row) {}

    /**
     * Creates a writer with {@linkplain WriteOptions#defaults() default options}.
     *
     * @param dataSource gives connections to the target, best from a pool
     */
    public GroupCommit(DataSource dataSource) {
        this(dataSource, WriteOptions.defaults());
    }

    /**
     * Creates a writer.
     *
     * @param dataSource gives connections to the target, best from a pool; whose statements commit where this object says
     *     so. It is asked by threads that are in no transaction; one of JTA has to allow local transactions
     * @param options how it gathers and what it does about failures
     */
    public GroupCommit(DataSource dataSource, WriteOptions options) {
        this(dataSource, options, CallerTransaction.of(GroupCommit.class.getClassLoader()));
    }

    GroupCommit(DataSource dataSource, WriteOptions options, CallerTransaction transaction) {
        BatchWriter writer = new BatchWriter(options);
        executor = new WriteExecutor<>(
                options,
                transaction,
                new GatheredWrites<>(
                        options,
                        dataSource,
                        (connections, writes) -> writer.write(
                                connections,
                                writes.get(0).statement(),
                                writes.stream().map(Write::row).toList())));
    }

    /**
     * Writes a row and waits until it is durable.
     *
     * @param statement writes the row
     * @param values the values of its parameters, in order, as for {@link ParameterSetter#of}
     * @return the row's own outcome
     * @throws SQLException why the row was not written
     * @throws java.sql.SQLTimeoutException if {@code callTimeout} passed before the row's turn came; it is not written
     * @throws OutcomeUnknownException if the row may or may not have been written
     * @throws InterruptedException if the calling thread was interrupted before the row's turn came; it is not written
     * @throws IllegalStateException if the calling thread is in a transaction
     * @throws java.util.concurrent.RejectedExecutionException if {@code maxPending} callers are waiting already
     */
    public RowOutcome execute(RowStatement statement, @Nullable Object... values)
            throws SQLException, InterruptedException {
        return execute(statement, ParameterSetter.of(values));
    }

    /**
     * Writes a row and waits until it is durable.
     *
     * @param statement writes the row
     * @param parameters sets the row's parameters
     * @return the row's own outcome
     * @throws SQLException why the row was not written; what the setter throws comes as it is
     * @throws java.sql.SQLTimeoutException if {@code callTimeout} passed before the row's turn came; it is not written
     * @throws OutcomeUnknownException if the row may or may not have been written
     * @throws InterruptedException if the calling thread was interrupted before the row's turn came; it is not written
     * @throws IllegalStateException if the calling thread is in a transaction
     * @throws java.util.concurrent.RejectedExecutionException if {@code maxPending} callers are waiting already
     */
    public RowOutcome execute(RowStatement statement, ParameterSetter parameters)
            throws SQLException, InterruptedException {
        return executor.execute(statement, write(statement, parameters));
    }

    /**
     * Hands in a row and returns.
     *
     * @param statement writes the row
     * @param values the values of its parameters, in order, as for {@link ParameterSetter#of}
     * @return completes when the row is durable, or with why it is not: what {@link #execute(RowStatement, Object...)}
     *     throws. A caller that cancels it does not learn whether the row was written. In a transaction, with {@link
     *     WriteInTransaction#AFTER_COMMIT}, it is cancelled if that does not commit
     * @throws IllegalStateException if the calling thread is in a transaction and writes are not deferred
     * @throws java.util.concurrent.RejectedExecutionException if {@code maxPending} callers are waiting already
     */
    public CompletableFuture<RowOutcome> submit(RowStatement statement, @Nullable Object... values) {
        return submit(statement, ParameterSetter.of(values));
    }

    /**
     * Hands in a row and returns.
     *
     * @param statement writes the row
     * @param parameters sets the row's parameters
     * @return completes when the row is durable, or with why it is not: what {@link #execute(RowStatement,
     *     ParameterSetter)} throws. A caller that cancels it does not learn whether the row was written. In a transaction, with
     *     {@link WriteInTransaction#AFTER_COMMIT}, it is cancelled if that does not commit
     * @throws IllegalStateException if the calling thread is in a transaction and writes are not deferred
     * @throws java.util.concurrent.RejectedExecutionException if {@code maxPending} callers are waiting already
     */
    public CompletableFuture<RowOutcome> submit(RowStatement statement, ParameterSetter parameters) {
        return executor.submit(statement, write(statement, parameters));
    }

    /**
     * Counts what is in this writer: callers that wait for their outcome, and batches that are being written. A call that waits for the
     * end of its caller's transaction does not count yet.
     *
     * @return the counts; each statement is counted at one moment, one after another
     */
    @Override
    public CollapseCounts counts() {
        return executor.counts();
    }

    /**
     * Closes this writer: refuses further calls with an {@link io.github.collapseexecutor.core.ExecutorClosedException}, and
     * waits until those that are present have been answered. If the deadline passes first, or the calling thread is interrupted,
     * the calls whose batch has not started fail with that exception, and are not written. The batches that are being written
     * go on, and their callers get their answers.
     *
     * <p>The data source has to stay open for as long. A Spring context that makes this object a bean closes it before the
     * data source that it was given.
     *
     * @param drain how long to wait at most; zero or negative not at all
     * @return whether nothing was left when this returned
     */
    @Override
    public boolean close(Duration drain) {
        return executor.close(requireNonNull(drain, "drain"));
    }

    private static Write write(RowStatement statement, ParameterSetter parameters) {
        return new Write(requireNonNull(statement, "statement"), new Row(requireNonNull(parameters, "parameters")));
    }
}
