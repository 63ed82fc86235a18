package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.jdbc.connection.FailureKind;
import java.io.EOFException;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a failure is taken for, of those that cannot be brought about here. */
class FailureKindTests {

    private static SQLException withState(String state) {
        return new SQLException("message", state);
    }

    @Test
    void aStatementThatMayHaveBeenDoneIsALostConnection() {
        assertThat(Stream.of(
                        withState("08S01"),
                        withState("08007"), // transaction resolution unknown
                        withState("40003"), // statement completion unknown
                        withState("57P01"), // PostgreSQL: the administrator shuts the server down
                        withState("25S03"), // MariaDB's driver: it has connected to a server again
                        new SQLRecoverableException(),
                        new SQLNonTransientConnectionException(),
                        new SQLTransientConnectionException(),
                        new SQLException("message", "HY000", new EOFException()),
                        new IllegalStateException(new EOFException())))
                .allMatch(failure -> FailureKind.of(failure) == FailureKind.CONNECTION);
    }

    @Test
    void aRollbackByTheDatabaseIsALostTransaction() {
        assertThat(Stream.of(withState("40001"), withState("40P01"), new SQLTransactionRollbackException()))
                .allMatch(failure -> FailureKind.of(failure) == FailureKind.TRANSACTION);
    }

    @Test
    void anythingElseConcernsTheStatementAlone() {
        assertThat(Stream.of(
                        withState("23505"),
                        withState(null),
                        withState("HY000"),
                        withState("08P01"), // PostgreSQL: it could not read the message, as with a zero in a text
                        new SQLTransientConnectionException("message", "45000"), // MariaDB's driver: a trigger
                        new SQLTransientConnectionException("message", "25S03", 1644), // the same
                        new IllegalStateException("a driver's")))
                .allMatch(failure -> FailureKind.of(failure) == FailureKind.STATEMENT);
    }

    @Test
    void ofSeveralFailuresTheFarthestReachingCounts() {
        BatchUpdateException batch = new BatchUpdateException("message", "23505", 0, new int[0]);
        batch.setNextException(withState("40001"));
        assertThat(FailureKind.of(batch)).isEqualTo(FailureKind.TRANSACTION);
        batch.setNextException(withState("08006"));
        assertThat(FailureKind.of(batch)).isEqualTo(FailureKind.CONNECTION);
    }

    @Test
    void aFailureIsAnAnswerOnlyIfTheConnectionWorksAfterwards() throws SQLException {
        Connection connection = DriverManager.getConnection(Database.H2.url());
        assertThat(FailureKind.isRefusal(withState("HY000"), connection)).isTrue();
        assertThat(FailureKind.isRefusal(withState("08006"), connection)).isFalse();
        connection.close();
        assertThat(FailureKind.isRefusal(withState("HY000"), connection)).isFalse();
        // Only the database can have said so, when it looked at the row.
        assertThat(FailureKind.isRefusal(withState("23505"), connection)).isTrue();
    }

    @Test
    void aCommitIsRefusedForCertainOnlyWhereTheDatabaseSaysSo() throws SQLException {
        try (Connection h2 = DriverManager.getConnection(Database.H2.url());
                Connection postgres = DriverManager.getConnection(Database.POSTGRESQL.url())) {
            assertThat(FailureKind.isRefusalOfCommit(withState("23505"), h2)).isTrue();
            assertThat(FailureKind.isRefusalOfCommit(withState("40001"), h2)).isTrue();
            assertThat(FailureKind.isRefusalOfCommit(withState("HY000"), h2)).isFalse();
            assertThat(FailureKind.isRefusalOfCommit(new IllegalStateException(), h2))
                    .isFalse();
            assertThat(FailureKind.isRefusalOfCommit(withState("P0001"), postgres))
                    .isTrue();
            assertThat(FailureKind.isRefusalOfCommit(withState("08006"), postgres))
                    .isFalse();
        }
    }
}
