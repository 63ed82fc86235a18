package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.rowset.serial.SerialBlob;
import javax.sql.rowset.serial.SerialClob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A parameter that can be read once is stored whole, however often its batch is tried. */
class ReadOnceParametersTests {

    private static final RowStatement INSERT = RowStatement.of("INSERT INTO read_once (id, content) VALUES (?, ?)");

    private enum Kind {
        STREAM("LONGBLOB", "BYTEA", "BLOB"),
        READER("LONGTEXT", "TEXT", "CLOB"),
        BLOB("LONGBLOB", "OID", "BLOB"),
        CLOB("LONGTEXT", "OID", "CLOB"),
        XML("LONGTEXT", "XML", "CLOB");

        private final String onMariaDb;
        private final String onPostgres;
        private final String onH2;

        Kind(String onMariaDb, String onPostgres, String onH2) {
            this.onMariaDb = onMariaDb;
            this.onPostgres = onPostgres;
            this.onH2 = onH2;
        }

        String type(Database database) {
            return switch (database) {
                case MARIADB -> onMariaDb;
                case POSTGRESQL -> onPostgres;
                case H2 -> onH2;
            };
        }

        /** A value that gives its content once. */
        Object value(String text) throws SQLException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return switch (this) {
                case STREAM -> new ByteArrayInputStream(bytes);
                case READER -> new StringReader(text);
                case BLOB -> new SerialBlob(bytes);
                case CLOB -> new SerialClob(text.toCharArray());
                case XML -> new OneTimeXml(text);
            };
        }

        ParameterSetter setter(int id, Object value) {
            return statement -> {
                statement.setInt(1, id);
                switch (this) {
                    case STREAM -> statement.setBinaryStream(2, (InputStream) value);
                    case READER -> statement.setCharacterStream(2, (StringReader) value);
                    case BLOB -> statement.setBlob(2, (SerialBlob) value);
                    case CLOB -> statement.setClob(2, (SerialClob) value);
                    case XML -> statement.setSQLXML(2, (OneTimeXml) value);
                }
            };
        }

        /** A query for the content as text. */
        String content(Database database) {
            String column = "content";
            if (database == Database.POSTGRESQL) {
                column = switch (this) {
                    case STREAM -> "convert_from(content, 'UTF8')";
                    case BLOB, CLOB -> "convert_from(lo_get(content), 'UTF8')";
                    case READER, XML -> "content::text";
                };
            } else if (database == Database.H2 && (this == STREAM || this == BLOB)) {
                column = "UTF8TOSTRING(content)";
            }
            return "SELECT " + column + " FROM read_once ORDER BY id";
        }
    }

    static Stream<Arguments> kinds() {
        return Stream.of(Database.values())
                .flatMap(database -> Stream.of(Kind.values())
                        .flatMap(kind -> Stream.of(true, false).map(own -> Arguments.of(database, kind, own))))
                // MariaDB's driver has no XML of its own to set.
                .filter(arguments -> !(arguments.get()[0] == Database.MARIADB
                        && arguments.get()[1] == Kind.XML
                        && arguments.get()[2].equals(true)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void isStoredWholeThoughABadRowHasItsBatchTriedAgain(Database database, Kind kind, boolean ownSetter)
            throws Exception {
        database.execute(
                "DROP TABLE IF EXISTS read_once",
                "CREATE TABLE read_once (id INT PRIMARY KEY, content " + kind.type(database) + ")");
        try (HikariDataSource pool = database.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(9));
            List<CompletableFuture<RowOutcome>> futures = new ArrayList<>();
            for (int row = 0; row < 9; row++) {
                int id = row == 8 ? 3 : row;
                Object value = kind.value("<row>" + row + "</row>");
                futures.add(
                        ownSetter ? commits.submit(INSERT, kind.setter(id, value)) : commits.submit(INSERT, id, value));
            }
            assertThatThrownBy(futures.get(8)::join).hasCauseInstanceOf(SQLException.class);
            assertThat(futures.subList(0, 8))
                    .allSatisfy(
                            future -> assertThat(future.join().updateCount()).isEqualTo(1));
            assertThat(database.query(kind.content(database)))
                    .containsExactlyElementsOf(IntStream.range(0, 8)
                            .mapToObj(row -> "<row>" + row + "</row>")
                            .toList());
        }
    }

    private static InputStream zeros(long length) {
        return new InputStream() {
            private long left = length;

            @Override
            public int read() {
                return left-- > 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] bytes, int offset, int count) {
                if (left == 0 && count > 0) {
                    return -1;
                }
                int read = (int) Math.min(left, count);
                left -= read;
                return read;
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void isRefusedIfItIsTooLongToBeKept(Database database) throws Exception {
        database.execute(
                "DROP TABLE IF EXISTS read_once",
                "CREATE TABLE read_once (id INT PRIMARY KEY, content " + Kind.STREAM.type(database) + ")");
        try (HikariDataSource pool = database.pool(1)) {
            GroupCommit commits = new GroupCommit(pool, GroupCommitTests.full(2));
            long tooLong = ParameterCopy.MAX_LENGTH + 1L;
            assertThatThrownBy(() -> commits.submit(INSERT, 1, zeros(tooLong)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("byte[]");
            CompletableFuture<RowOutcome> refused = commits.submit(INSERT, Kind.STREAM.setter(1, zeros(tooLong)));
            CompletableFuture<RowOutcome> good = commits.submit(INSERT, Kind.STREAM.setter(2, zeros(10)));
            assertThatThrownBy(refused::join).hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(good.join().updateCount()).isEqualTo(1);
            assertThat(database.query("SELECT id FROM read_once")).containsExactly("2");
        }
    }

    @Test
    void isKeptOnceForEachRowThoughItsSetterMakesItAnewEachTime() {
        Database.H2.execute(
                "DROP TABLE IF EXISTS read_once", "CREATE TABLE read_once (id INT PRIMARY KEY, content BLOB)");
        Queue<WeakReference<InputStream>> made = new ConcurrentLinkedQueue<>();
        AtomicInteger madeBeforeTheCommit = new AtomicInteger();
        try (WatchedDataSource watched = new WatchedDataSource(Database.H2.pool(1))) {
            watched.before = step -> {
                if (step.equals("commit")) {
                    madeBeforeTheCommit.set(made.size());
                    Eventually.until(() -> {
                        System.gc();
                        return made.stream()
                                        .filter(stream -> stream.get() != null)
                                        .count()
                                <= 64;
                    });
                }
            };
            GroupCommit commits = new GroupCommit(watched, GroupCommitTests.full(64));
            List<CompletableFuture<RowOutcome>> writes = IntStream.range(0, 64)
                    .mapToObj(row -> commits.submit(INSERT, statement -> {
                        InputStream content = zeros(100);
                        made.add(new WeakReference<>(content));
                        statement.setInt(1, List.of(20, 40, 60).contains(row) ? 1 : row);
                        statement.setBinaryStream(2, content);
                    }))
                    .toList();
            assertThat(writes.stream()
                            .filter(write -> write.handle((outcome, failure) -> failure == null)
                                    .join()))
                    .hasSize(61);
            assertThat(madeBeforeTheCommit.get()).isGreaterThanOrEqualTo(128);
        }
    }

    @Test
    void isRefusedAtTheCallIfItCannotBeRead() {
        Reader broken = new Reader() {
            @Override
            public int read(char[] buffer, int offset, int length) throws IOException {
                throw new IOException("mine");
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> ParameterSetter.of(1, broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mine")
                .hasCauseInstanceOf(IOException.class);
    }
}
