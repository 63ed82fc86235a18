package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A batch that PostgreSQL gets as one statement may be its own commit; each caller is told what is certain all the same. */
class StatementCommitTests {

    private static final Database DATABASE = Database.POSTGRESQL;
    private static final RowStatement INSERT = RowStatement.of("INSERT INTO by_itself (text) VALUES (?)");
    private static final WriteOptions OPTIONS = GroupCommitTests.full(3).toBuilder()
            .multiRowInserts(true)
            .commitInStatement(true)
            .build();

    @BeforeEach
    void createTable() {
        DATABASE.table("by_itself");
    }

    private static List<Object> write(GroupCommit commits, Object... texts) {
        return Stream.of(texts).map(text -> commits.submit(INSERT, text)).toList().stream()
                .map(StatementCommitTests::outcome)
                .toList();
    }

    private static Object outcome(CompletableFuture<RowOutcome> future) {
        return future.handle((outcome, failure) -> failure == null ? (Object) outcome.updateCount() : failure)
                .join();
    }

    private static List<String> rows() {
        return DATABASE.query("SELECT text FROM by_itself ORDER BY text");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void batchIsItsOwnCommitIfThatIsAskedFor(boolean asked) {
        try (WatchedDataSource watched = new WatchedDataSource(DATABASE.pool(1))) {
            GroupCommit commits = new GroupCommit(
                    watched, OPTIONS.toBuilder().commitInStatement(asked).build());
            assertThat(write(commits, "a", "b", "c")).containsExactly(1, 1, 1);
            assertThat(watched.steps("execute", "executeUpdate", "commit"))
                    .containsExactlyElementsOf(asked ? List.of("execute") : List.of("executeUpdate", "commit"));
        }
        assertThat(rows()).containsExactly("a", "b", "c");
    }

    @Test
    void badRowFailsAlone() {
        DATABASE.execute("INSERT INTO by_itself (text) VALUES ('taken')");
        try (HikariDataSource pool = DATABASE.pool(1)) {
            List<Object> outcomes = write(new GroupCommit(pool, OPTIONS), "a", "taken", "c");
            assertThat(outcomes.get(1)).isInstanceOf(SQLException.class);
            assertThat(List.of(outcomes.get(0), outcomes.get(2))).containsExactly(1, 1);
        }
        assertThat(rows()).containsExactly("a", "c", "taken");
    }

    /** As it was not there when the catalogue was looked at. */
    @Test
    void triggerThatLeavesRowsOutTakesTheStatementBack() {
        try (HikariDataSource pool = DATABASE.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, OPTIONS);
            assertThat(write(commits, "a", "b", "c")).containsExactly(1, 1, 1);
            DATABASE.execute(
                    "CREATE OR REPLACE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS"
                            + " $$ BEGIN RETURN CASE WHEN NEW.text = 'out' THEN NULL ELSE NEW END; END $$",
                    "CREATE TRIGGER leave_out BEFORE INSERT ON by_itself FOR EACH ROW EXECUTE FUNCTION leave_out()");
            assertThat(write(commits, "d", "out", "f")).containsExactly(1, 0, 1);
        }
        assertThat(rows()).containsExactly("a", "b", "c", "d", "f");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void outcomeOfAllRowsIsUnknownIfTheConnectionBreaks(boolean afterTheServerHasActed) throws Exception {
        try (NetworkPath path = new NetworkPath(DATABASE.port());
                HikariDataSource pool = Database.pool(2, path.through(DATABASE.url()))) {
            path.breakAt("INSERT INTO by_itself", afterTheServerHasActed);
            List<Object> outcomes = write(new GroupCommit(pool, OPTIONS), "a", "b", "c");
            assertThat(outcomes).hasSize(3).hasOnlyElementsOfType(OutcomeUnknownException.class);
            assertThat(outcomes).doesNotHaveDuplicates();
        }
        assertThat(rows()).containsExactlyElementsOf(afterTheServerHasActed ? List.of("a", "b", "c") : List.of());
    }

    @Test
    void deadlockIsTriedAgain() {
        try (WatchedDataSource watched = new WatchedDataSource(DATABASE.pool(1))) {
            watched.before = step -> {
                if (step.equals("execute") && watched.steps("execute").size() == 1) {
                    throw new SQLException("deadlock detected", "40P01");
                }
            };
            assertThat(write(new GroupCommit(watched, OPTIONS), "a", "b", "c")).containsExactly(1, 1, 1);
            assertThat(watched.steps("execute")).hasSize(2);
        }
        assertThat(rows()).containsExactly("a", "b", "c");
    }
}
