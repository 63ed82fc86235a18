package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Connections, statements and commits as a database in memory sees them. */
class CountingDataSourceTests {

    private static final String INSERT = "INSERT INTO note VALUES (1)";

    // immutable
    private final DataSource plain = new DriverManagerDataSource("jdbc:h2:mem:counting;DB_CLOSE_DELAY=-1");
    private final JdbcTemplate there = new JdbcTemplate(plain);
    private final StatementCounts counts = new StatementCounts();
    private final List<Integer> rowsAtSync = new ArrayList<>();
    private final SlowDisk disk = new SlowDisk(nanos -> rowsAtSync.add(rows()));
    private final DataSource counting = new CountingDataSource(plain, counts, disk);

    @BeforeEach
    void clear() {
        there.execute("DROP TABLE IF EXISTS note");
        there.execute("CREATE TABLE note (id INT)");
        disk.delay(Duration.ofMillis(5));
    }

    @Test
    void commitWaitsForTheDiskBeforeItIsSent() throws SQLException {
        inTransaction(Connection::commit);
        assertThat(rowsAtSync).containsExactly(0);
        assertThat(rows()).isOne();
        assertCounts(1, 1, 1);
    }

    @Test
    void switchToAutomaticCommitWaitsForTheDiskBeforeItIsSent() throws SQLException {
        inTransaction(connection -> connection.setAutoCommit(true));
        assertThat(rowsAtSync).containsExactly(0);
        assertThat(rows()).isOne();
        assertCounts(1, 1, 1);
    }

    @Test
    void statementThatCommitsItselfWaitsForTheDiskBeforeItIsSent() {
        new JdbcTemplate(counting).update("INSERT INTO note VALUES (?)", 1);
        assertThat(rowsAtSync).containsExactly(0);
        assertThat(rows()).isOne();
        assertCounts(1, 1, 1);
    }

    @Test
    void rollbackWaitsForNothing() throws SQLException {
        inTransaction(Connection::rollback);
        assertThat(rowsAtSync).isEmpty();
        assertThat(rows()).isZero();
        assertCounts(1, 1, 0);
    }

    /** What ends a transaction. */
    private interface End {
        void of(Connection connection) throws SQLException;
    }

    private void inTransaction(End end) throws SQLException {
        try (Connection connection = counting.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
                statement.executeUpdate();
            }
            end.of(connection);
        }
    }

    private int rows() {
        return there.queryForList("SELECT id FROM note").size();
    }

    private void assertCounts(long connections, long statements, long commits) {
        assertThat(counts.connections()).isEqualTo(connections);
        assertThat(counts.statements()).isEqualTo(statements);
        assertThat(counts.commits()).isEqualTo(commits);
    }
}
