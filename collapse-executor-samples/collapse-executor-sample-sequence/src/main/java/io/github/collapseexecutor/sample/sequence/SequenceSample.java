package io.github.collapseexecutor.sample.sequence;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.figures.SectionFile;
import io.github.collapseexecutor.jdbc.DatabaseSequences;
import io.github.collapseexecutor.jdbc.SequenceTable;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.sequence.Sequences;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * Many callers take numbers from a sequence of a database and from a row of a table, each by itself and all together, and a
 * table shows what that took.
 *
 * <p>By default the database is an H2 inside this process; {@code --url=jdbc:…} names another one, of H2, PostgreSQL or
 * MariaDB. It makes a sequence {@code sample_number} and a table {@code sample_sequence} there, and drops them at the end.
 */
public final class SequenceSample {

    private static final String EMBEDDED = "jdbc:h2:mem:sample;DB_CLOSE_DELAY=-1";
    private static final String URL = "--url=";
    private static final List<Integer> CALLERS = List.of(1, 8, 64, 200);
    private static final int NUMBERS = 12_800;
    private static final int CONNECTIONS = 10;
    private static final String NAME = "sample_number";

    private SequenceSample() {}

    /** Runs it; takes {@code --url=jdbc:…}. */
    public static void main(String[] arguments) throws Exception {
        String url = EMBEDDED;
        for (String argument : arguments) {
            if (!argument.startsWith(URL)) {
                throw new IllegalArgumentException(
                        "Unknown argument " + argument + ": give " + URL + "jdbc:… or nothing for an embedded H2");
            }
            url = argument.substring(URL.length());
        }
        List<Measurement> measurements = measure(url);
        System.out.println(SequenceReport.table(measurements).aligned(2));
        System.out.println("""
                without  every caller makes a round trip of its own for each number
                with     callers who wait share one round trip""");
        SectionFile.offer(List.of(SequenceReport.section(url, measurements)));
    }

    static List<Measurement> measure(String url) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            create(pool);
            try {
                List<Measurement> measurements = new ArrayList<>();
                measureAll("a sequence", new DatabaseSequences(pool), measurements);
                measureAll("a row", new SequenceTable(pool, "sample_sequence", "name", "last_number"), measurements);
                return measurements;
            } finally {
                drop(pool);
            }
        }
    }

    private static void measureAll(String what, SequenceSource source, List<Measurement> measurements)
            throws Exception {
        LongAdder roundTrips = new LongAdder();
        SequenceSource counted = (name, count) -> {
            roundTrips.increment();
            return source.take(name, count);
        };
        Sequences sequences = Sequences.of(counted);
        // Both ways are run once before anything is measured, so that the first is not slower for being first.
        measure(what, false, 8, roundTrips, () -> counted.take(NAME, 1)[0]);
        measure(what, true, 8, roundTrips, () -> sequences.next(NAME));
        for (int callers : CALLERS) {
            measurements.add(measure(what, false, callers, roundTrips, () -> counted.take(NAME, 1)[0]));
            measurements.add(measure(what, true, callers, roundTrips, () -> sequences.next(NAME)));
        }
    }

    private static Measurement measure(
            String what, boolean collapsing, int callers, LongAdder roundTrips, Callable<Long> next) throws Exception {
        roundTrips.reset();
        long begin = System.nanoTime();
        long[] numbers = new NumberCallers(callers, NUMBERS / callers).take(next);
        long nanos = System.nanoTime() - begin;
        long repeated = numbers.length - Arrays.stream(numbers).distinct().count();
        return new Measurement(what, collapsing, callers, numbers.length, roundTrips.sum(), nanos, repeated);
    }

    private static void create(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SEQUENCE " + NAME);
            statement.execute(
                    "CREATE TABLE sample_sequence (name VARCHAR(100) PRIMARY KEY, last_number BIGINT NOT NULL)");
            statement.execute("INSERT INTO sample_sequence VALUES ('" + NAME + "', 0)");
        }
    }

    private static void drop(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP SEQUENCE " + NAME);
            statement.execute("DROP TABLE sample_sequence");
        }
    }
}
