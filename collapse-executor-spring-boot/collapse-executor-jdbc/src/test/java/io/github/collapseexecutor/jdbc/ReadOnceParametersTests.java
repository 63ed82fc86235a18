package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A parameter that may be read once only is refused, before its row is sent and for its caller alone. */
class ReadOnceParametersTests {

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO read_once (id, content) VALUES (?, ?)");

    private enum Kind {
        STREAM,
        STREAM_OF_A_LENGTH,
        CHARACTERS,
        BLOB,
        CLOB,
        NATIONAL,
        XML,
        OBJECT;

        Object value(Connection connection) throws SQLException {
            return switch (this) {
                case STREAM, STREAM_OF_A_LENGTH, OBJECT -> new ByteArrayInputStream(new byte[2]);
                case CHARACTERS -> new StringReader("ab");
                case BLOB -> connection.createBlob();
                case CLOB -> connection.createClob();
                case NATIONAL -> connection.createNClob();
                case XML -> connection.createSQLXML();
            };
        }

        void set(PreparedStatement statement, Object value) throws SQLException {
            switch (this) {
                case STREAM -> statement.setBinaryStream(2, (InputStream) value);
                case STREAM_OF_A_LENGTH -> statement.setBinaryStream(2, (InputStream) value, 2);
                case CHARACTERS -> statement.setCharacterStream(2, (Reader) value);
                case BLOB -> statement.setBlob(2, (Blob) value);
                case CLOB -> statement.setClob(2, (Clob) value);
                case NATIONAL -> statement.setNClob(2, (NClob) value);
                case XML -> statement.setSQLXML(2, (SQLXML) value);
                case OBJECT -> statement.setObject(2, value);
            }
        }
    }

    @BeforeEach
    void makeTable() {
        Database.H2.execute(
                "DROP TABLE IF EXISTS read_once", "CREATE TABLE read_once (id INT PRIMARY KEY, content VARCHAR(20))");
    }

    @ParameterizedTest
    @EnumSource
    void isRefusedAsAValueAtTheCall(Kind kind) throws SQLException {
        try (Connection connection = DriverManager.getConnection(Database.H2.url())) {
            Object value = kind.value(connection);
            assertThatThrownBy(() -> ParameterSetter.of(1, value))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Parameter 2 ")
                    .hasMessageContaining(value.getClass().getName())
                    .hasMessageContaining("byte[] or String");
        }
    }

    @ParameterizedTest
    @EnumSource
    void isRefusedFromASetterForItsRowAlone(Kind kind) throws SQLException {
        try (Connection connection = DriverManager.getConnection(Database.H2.url());
                HikariDataSource pool = Database.H2.pool(1)) {
            Object value = kind.value(connection);
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(3));
            CompletableFuture<RowOutcome> refused = commits.submit(INSERT, statement -> {
                statement.setInt(1, 1);
                kind.set(statement, value);
            });
            List<CompletableFuture<RowOutcome>> good = Stream.of(2, 3)
                    .map(id -> commits.submit(INSERT, id, "text"))
                    .toList();
            assertThatThrownBy(refused::join)
                    .hasCauseInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Parameter 2 ")
                    .hasMessageContaining("byte[] or String");
            good.forEach(CompletableFuture::join);
            assertThat(Database.H2.query("SELECT id FROM read_once ORDER BY id"))
                    .containsExactly("2", "3");
        }
    }
}
