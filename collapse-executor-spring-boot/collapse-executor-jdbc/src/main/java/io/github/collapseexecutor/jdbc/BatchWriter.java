package io.github.collapseexecutor.jdbc;

import io.github.collapseexecutor.jdbc.WriteAttempt.End;
import io.github.collapseexecutor.jdbc.connection.BatchConnections;
import io.github.collapseexecutor.jdbc.connection.FailureKind;
import io.github.collapseexecutor.jdbc.connection.NetworkTimeout;
import io.github.collapseexecutor.jdbc.connection.Tried;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a batch of rows and says of each row what is certain: it is there, it is not there, or nobody knows. Makes as many
 * {@linkplain WriteAttempt attempts} as that takes.
 *
 * <ul>
 *   <li>A batch that was rolled back as a whole is tried again, {@code maxRetries} times, with a random pause before each.
 *   <li>If that does not help, it may be a single row's doing: one that is locked, that a trigger refuses so, that is too large
 *       to be sent. Then the batch is divided into transactions of their own, around the rows that had been sent when it
 *       failed, if those are known, else in halves, down to the row that fails alone.
 *   <li>A batch of which the database refused the commit is halved in the same way.
 *   <li>If nobody knows whether a batch is committed, the rows that were refused before its commit are written again: they are not there, and
 *       what they were refused for, such as another row with the same key, may not be there either.
 *   <li>If all rows that were tried are bad, the others are written one by one, with a round trip each, as without this
 *       library, until one is good. The next batch of the statement starts so.
 *   <li>Rows that could not be taken back for certain, such as those of a table without transactions, are written one by one, each with its own
 *       commit.
 *   <li>Once there is no connection to be had, or too many were lost, or the database was silent for too long, no more is
 *       tried: what is left fails, and is certainly not written.
 * </ul>
 *
 * <p>At most one connection is held, and never while another is waited for.
 */
final class BatchWriter {

    /** So many connections a batch may lose; a row that is too large costs about two for each halving. */
    private static final int LOST_CONNECTIONS_AT_MOST = 40;

    // immutable
    private final int maxRetries;
    private final NetworkTimeout networkTimeout;
    private final boolean multiRowInserts;
    private final boolean commitInStatement;
    private final RetryPause pause;
    private final Map<RowStatement, LearnedStatement> learned = LearnedStatement.memory();

    BatchWriter(WriteOptions options) {
        this(options, RetryPause.RANDOM);
    }

    BatchWriter(WriteOptions options, RetryPause pause) {
        this.maxRetries = options.maxRetries();
        this.networkTimeout = new NetworkTimeout(options.networkTimeout());
        this.multiRowInserts = options.multiRowInserts();
        this.commitInStatement = options.commitInStatement();
        this.pause = pause;
    }

    NetworkTimeout networkTimeout() {
        return networkTimeout;
    }

    private LearnedStatement known(RowStatement statement) {
        return learned.computeIfAbsent(
                statement, key -> new LearnedStatement(key.sql(), multiRowInserts, commitInStatement));
    }

    /** Whether nothing is left of a statement that failed; false if that is not known. */
    boolean isTakenBack(BatchConnections connections, RowStatement statement) {
        return Tried.answer(
                () -> {
                    try (Connection connection = connections.next();
                            NetworkTimeout.Bound bound = networkTimeout.on(connection)) {
                        bound.watched().step();
                        return known(statement).isTakenBack(connection);
                    }
                },
                false);
    }

    /** Writes rows in the order given, or in the statement's lock order; the outcomes are in the order given. */
    List<WriteResult<RowOutcome>> write(BatchConnections connections, RowStatement statement, List<Row> rows) {
        Writing writing = new Writing(connections, statement, known(statement));
        if (statement.lockParameters().isEmpty()) {
            return writing.write(rows, maxRetries);
        }
        List<Integer> order = LockOrder.of(rows, statement.lockParameters());
        List<WriteResult<RowOutcome>> ordered =
                writing.write(order.stream().map(rows::get).toList(), maxRetries);
        List<WriteResult<RowOutcome>> outcomes = new ArrayList<>(ordered);
        for (int index = 0; index < order.size(); index++) {
            outcomes.set(order.get(index), ordered.get(index));
        }
        return outcomes;
    }

    /** One batch on its way. */
    private final class Writing {

        // immutable
        private final BatchConnections connections;
        private final RowStatement statement;
        private final LearnedStatement known;

        // mutable, confined to the writing thread
        private int lostConnections;
        private boolean rolledBack;
        private boolean wentBackTogether;
        private @Nullable Throwable end;

        Writing(BatchConnections connections, RowStatement statement, LearnedStatement known) {
            this.connections = connections;
            this.statement = statement;
            this.known = known;
        }

        List<WriteResult<RowOutcome>> write(List<Row> rows, int retries) {
            if (rows.isEmpty()) {
                return List.of();
            }
            if (end != null) {
                return Collections.nCopies(rows.size(), WriteResult.failed(end));
            }
            if (rows.size() > 1 && known.failsThroughout()) {
                return writeOneByOne(rows);
            }
            WriteAttempt.Result result = attempt(rows);
            for (int retry = 0; result.end() == End.ROLLED_BACK && retry < retries && end == null; retry++) {
                pause.before(retry);
                result = attempt(rows);
            }
            return switch (result.end()) {
                case SETTLED -> settled(result);
                case UNKNOWN -> replaced(result, write(concerned(rows, result), maxRetries));
                case UNAVAILABLE -> result.outcomes();
                case GAVE_UP -> writeRest(rows, result);
                case NOT_TOGETHER ->
                    rows.stream()
                            .flatMap(row -> write(List.of(row), maxRetries).stream())
                            .toList();
                case REFUSED -> rows.size() > 1 ? writeApart(rows, List.of(), retries) : result.outcomes();
                case ROLLED_BACK ->
                    rows.size() > 1 && maxRetries > 0 && end == null
                            ? writeApartAfterLosses(rows, result.concerned())
                            : result.outcomes();
            };
        }

        /** A row that loses its connection by itself is to be known as not written, so that each has a transaction. */
        private List<WriteResult<RowOutcome>> writeApartAfterLosses(List<Row> rows, List<Integer> suspects) {
            rolledBack = true;
            return writeApart(rows, suspects, 0);
        }

        private WriteAttempt.Result attempt(List<Row> rows) {
            WriteAttempt.Result result =
                    WriteAttempt.at(connections, statement, known, rows, networkTimeout, !rolledBack);
            Throwable failure = result.failure();
            if (failure == null) {
                return result;
            }
            boolean lost = result.end() == End.ROLLED_BACK && FailureKind.of(failure) == FailureKind.CONNECTION;
            if (result.end() == End.UNAVAILABLE || (lost && ++lostConnections >= LOST_CONNECTIONS_AT_MOST)) {
                end = failure;
            }
            return result;
        }

        private List<WriteResult<RowOutcome>> settled(WriteAttempt.Result result) {
            if (result.outcomes().stream().anyMatch(outcome -> outcome.failure() == null)) {
                known.failedThroughout(false);
            }
            return result.outcomes();
        }

        /** Writes each part in a transaction of its own: the rows before the suspects, these, and those behind them; or halves. */
        private List<WriteResult<RowOutcome>> writeApart(List<Row> rows, List<Integer> suspects, int retries) {
            int from = suspects.isEmpty() ? 0 : suspects.get(0);
            int to = suspects.isEmpty() ? rows.size() : suspects.get(suspects.size() - 1) + 1;
            boolean all = to - from == rows.size();
            int[] bounds = all ? new int[] {0, rows.size() / 2, rows.size()} : new int[] {0, from, to, rows.size()};
            List<WriteResult<RowOutcome>> outcomes = new ArrayList<>(rows.size());
            for (int index = 1; index < bounds.length; index++) {
                List<Row> part = rows.subList(bounds[index - 1], bounds[index]);
                if (!part.isEmpty()) {
                    outcomes.addAll(write(part, part.size() == 1 ? maxRetries : retries));
                }
            }
            return outcomes;
        }

        /** Writes the rows that an attempt left, one by one until one is good. */
        private List<WriteResult<RowOutcome>> writeRest(List<Row> rows, WriteAttempt.Result result) {
            known.failedThroughout(true);
            return replaced(result, writeOneByOne(concerned(rows, result)));
        }

        private static List<Row> concerned(List<Row> rows, WriteAttempt.Result result) {
            return result.concerned().stream().map(rows::get).toList();
        }

        /** The outcomes of an attempt, with new ones for the rows that it is about. */
        private static List<WriteResult<RowOutcome>> replaced(
                WriteAttempt.Result result, List<WriteResult<RowOutcome>> concerned) {
            List<WriteResult<RowOutcome>> outcomes = new ArrayList<>(result.outcomes());
            for (int index = 0; index < concerned.size(); index++) {
                outcomes.set(result.concerned().get(index), concerned.get(index));
            }
            return outcomes;
        }

        private List<WriteResult<RowOutcome>> writeOneByOne(List<Row> rows) {
            List<WriteResult<RowOutcome>> outcomes = new ArrayList<>(rows.size());
            for (int index = 0; index < rows.size(); index++) {
                outcomes.addAll(write(rows.subList(index, index + 1), maxRetries));
                if (!wentBackTogether && !known.failsThroughout()) {
                    wentBackTogether = true; // once: a batch of which most rows are bad stays apart
                    outcomes.addAll(write(rows.subList(index + 1, rows.size()), maxRetries));
                    return outcomes;
                }
            }
            return outcomes;
        }
    }
}
