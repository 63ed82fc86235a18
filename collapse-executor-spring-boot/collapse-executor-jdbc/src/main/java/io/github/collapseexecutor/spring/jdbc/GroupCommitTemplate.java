package io.github.collapseexecutor.spring.jdbc;

import static java.util.Objects.requireNonNull;

import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.OutcomeUnknownException;
import io.github.collapseexecutor.jdbc.ParameterSetter;
import io.github.collapseexecutor.jdbc.RowOutcome;
import io.github.collapseexecutor.jdbc.RowStatement;
import java.sql.SQLException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.support.SQLExceptionTranslator;

/**
 * Writes single rows as Spring's {@code JdbcTemplate} does, through a {@link GroupCommit}: the rows of concurrent callers leave as one
 * batch with one commit.
 *
 * <pre>{@code
 * int changed = template.update("UPDATE account SET state = ? WHERE id = ?", "open", 7L);
 * long id = template.insert("INSERT INTO note (text) VALUES (?)", "id", "durable when this returns");
 * }</pre>
 *
 * <p>A call promises the same as the {@link GroupCommit}: a call that returns has its row committed, once, and a row is no
 * part of a transaction that its caller is in. Failures are the {@link DataAccessException}s that a {@code JdbcTemplate} throws for them,
 * and two more:
 *
 * <ul>
 *   <li>an {@link OutcomeUnknownException}, as it is: the row may or may not have been written. It is no {@code DataAccessException}, so
 *       that code which tries again after one does not double a row;
 *   <li>a {@link DataAccessResourceFailureException} whose cause is an {@link InterruptedException}: the calling thread was interrupted before
 *       the row's turn came, its interrupt flag is set again, and the row is not written.
 * </ul>
 *
 * <p>To hand in a row and go on, use {@link GroupCommit#submit(RowStatement, Object...)}.
 *
 * <p>A call that is refused, because too many callers are waiting or the writer is closed, throws a {@link
 * TransientDataAccessResourceException}; its row is not written. All methods are thread-safe.
 */
public final class GroupCommitTemplate {

    // immutable
    private final GroupCommit commits;
    private final SQLExceptionTranslator translator;

    /**
     * Creates a template.
     *
     * @param commits writes the rows
     * @param translator tells what kind of failure an {@link SQLException} is, for example that of a {@code JdbcTemplate} for the same
     *     data source
     */
    public GroupCommitTemplate(GroupCommit commits, SQLExceptionTranslator translator) {
        this.commits = requireNonNull(commits, "commits");
        this.translator = requireNonNull(translator, "translator");
    }

    /**
     * Writes a row and waits until it is durable.
     *
     * @param sql one INSERT, UPDATE, DELETE or MERGE with JDBC's {@code ?} for parameters
     * @param arguments the values of its parameters, in order, as a {@code JdbcTemplate} takes them
     * @return how many rows have changed
     * @throws DataAccessException why the row was not written
     * @throws OutcomeUnknownException if the row may or may not have been written
     * @throws IllegalStateException if the calling thread is in a transaction
     */
    public int update(String sql, @Nullable Object... arguments) {
        return execute(RowStatement.of(sql), arguments).updateCount();
    }

    /**
     * Writes a row whose key the database makes, and waits until it is durable.
     *
     * @param sql one INSERT with JDBC's {@code ?} for parameters
     * @param keyColumn the generated column
     * @param arguments the values of the parameters, in order, as a {@code JdbcTemplate} takes them
     * @return the generated key
     * @throws DataAccessException why the row was not written
     * @throws OutcomeUnknownException if the row may or may not have been written
     * @throws IllegalStateException if the calling thread is in a transaction
     */
    public long insert(String sql, String keyColumn, @Nullable Object... arguments) {
        return execute(RowStatement.of(sql).generatedKeys(keyColumn), arguments).generatedKey();
    }

    /**
     * Writes a row and waits until it is durable.
     *
     * @param statement writes the row
     * @param arguments the values of its parameters, in order, as a {@code JdbcTemplate} takes them
     * @return the row's own outcome
     * @throws DataAccessException why the row was not written
     * @throws OutcomeUnknownException if the row may or may not have been written
     * @throws IllegalStateException if the calling thread is in a transaction
     */
    public RowOutcome execute(RowStatement statement, @Nullable Object... arguments) {
        return write(statement, TemplateArguments.setter(arguments));
    }

    /**
     * Writes a row and waits until it is durable.
     *
     * @param statement writes the row
     * @param parameters sets the row's parameters, as {@link ParameterSetter} says; a {@code JdbcTemplate}'s setters serve
     * @return the row's own outcome
     * @throws DataAccessException why the row was not written
     * @throws OutcomeUnknownException if the row may or may not have been written
     * @throws IllegalStateException if the calling thread is in a transaction
     */
    public RowOutcome execute(RowStatement statement, PreparedStatementSetter parameters) {
        return write(statement, parameters::setValues);
    }

    private RowOutcome write(RowStatement statement, ParameterSetter parameters) {
        try {
            return commits.execute(statement, parameters);
        } catch (SQLException e) {
            throw translated(statement, e);
        } catch (RejectedExecutionException e) {
            throw refused(statement, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DataAccessResourceFailureException(
                    "Interrupted before the row was written, by [" + statement + "]", e);
        }
    }

    private DataAccessException translated(RowStatement statement, SQLException failure) {
        DataAccessException translated = translator.translate("GroupCommit", statement.sql(), failure);
        return translated != null ? translated : new UncategorizedSQLException("GroupCommit", statement.sql(), failure);
    }

    private static DataAccessException refused(RowStatement statement, RejectedExecutionException refusal) {
        return new TransientDataAccessResourceException(
                refusal.getMessage() + "; not written, by [" + statement + "]", refusal);
    }
}
