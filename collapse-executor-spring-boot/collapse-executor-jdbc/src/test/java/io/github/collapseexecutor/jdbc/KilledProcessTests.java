package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.sequence.LocalRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that takes numbers with many threads is killed without warning, another goes on, and is killed too: no number is
 * seen twice. With the embedded H2, the database is killed along with the process.
 */
class KilledProcessTests {

    private static final int NUMBERS_BEFORE_THE_KILL = Integer.getInteger("sequence.numbers", 200) * 5;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void sequenceRepeatsNothing(Database database) throws Exception {
        database.execute("CREATE SEQUENCE killed");
        assertNothingIsRepeated(NumberTaker.Kind.SEQUENCE, database.url());
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void rowRepeatsNothing(Database database) throws Exception {
        database.execute(
                "CREATE TABLE killed_row (name VARCHAR(100) PRIMARY KEY, last_number BIGINT NOT NULL)",
                "INSERT INTO killed_row VALUES ('killed', 0)");
        assertNothingIsRepeated(NumberTaker.Kind.ROW, database.url());
    }

    @Test
    void embeddedDatabaseThatIsKilledTooRepeatsNothing() throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("killed") + ";WRITE_DELAY=0";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SEQUENCE killed");
            statement.execute("CREATE TABLE killed_row (name VARCHAR(100) PRIMARY KEY, last_number BIGINT NOT NULL)");
            statement.execute("INSERT INTO killed_row VALUES ('killed', 0)");
        }
        assertNothingIsRepeated(NumberTaker.Kind.SEQUENCE, url);
        assertNothingIsRepeated(NumberTaker.Kind.ROW, url);
    }

    @Test
    void redisRepeatsNothing() throws Exception {
        assertNothingIsRepeated(NumberTaker.Kind.REDIS, LocalRedis.url());
    }

    private static void assertNothingIsRepeated(NumberTaker.Kind kind, String url) throws Exception {
        List<Long> numbers = new ArrayList<>(numbersOfKilledProcess(kind, url));
        long greatest = numbers.stream().mapToLong(number -> number).max().orElseThrow();
        List<Long> afterRestart = numbersOfKilledProcess(kind, url);
        assertThat(afterRestart).allSatisfy(number -> assertThat(number).isGreaterThan(greatest));
        numbers.addAll(afterRestart);
        assertThat(numbers)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThanOrEqualTo(2 * NUMBERS_BEFORE_THE_KILL)
                .doesNotContainNull();
    }

    /** Kills a process as soon as it has written enough, and returns all that it wrote. */
    private static List<Long> numbersOfKilledProcess(NumberTaker.Kind kind, String url)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NumberTaker.class.getName(),
                        kind.name(),
                        url)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<Long> numbers = new ArrayList<>();
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                numbers.add(Long.valueOf(line));
                if (numbers.size() == NUMBERS_BEFORE_THE_KILL) {
                    process.toHandle().destroyForcibly(); // leaves the pipe open, in which there may be more
                }
            }
        } finally {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
        return numbers;
    }
}
