package io.github.collapseexecutor.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.jdbc.StockTaker.Way;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two processes that take of the same 50 rows: nothing is lost, no caller sees a deadlock, and it is faster than without. */
class TwoProcessesTests {

    private static final int BALANCE = 100_000_000;
    private static final int SECONDS = Integer.getInteger("write.seconds", 2);

    /** From here on, the time that the JVMs need to compile does not decide which way is faster. */
    private static final int LONG_SECONDS = 10;

    @ParameterizedTest
    @CsvSource({"MARIADB,MERGED,1.5", "MARIADB,GROUPED,1.5", "POSTGRESQL,MERGED,1", "POSTGRESQL,GROUPED,1.5"})
    void twoProcessesLoseNothingAndNoDeadlockReachesACaller(Database database, Way way, double least) throws Exception {
        MergedUpdatesTests.stock(
                database,
                IntStream.generate(() -> BALANCE).limit(StockTaker.GOODS).toArray());
        long together = takenByTwo(database, way);
        assertThat(database.query("SELECT SUM(balance) FROM stock"))
                .containsExactly(String.valueOf((long) BALANCE * StockTaker.GOODS - together));
        if (SECONDS >= LONG_SECONDS) {
            long apart = takenByTwo(database, Way.SINGLE);
            System.out.printf(
                    "%s: two processes took %d/s %s and %d/s one by one%n",
                    database, together / SECONDS, way, apart / SECONDS);
            assertThat((double) together / apart).isGreaterThanOrEqualTo(least);
        }
    }

    /** Has two processes take at the same time; returns how many both took, none of which failed. */
    private static long takenByTwo(Database database, Way way) throws IOException {
        List<Process> processes = new ArrayList<>();
        try {
            for (int number = 0; number < 2; number++) {
                processes.add(start(database, way));
            }
            List<BufferedReader> outputs =
                    processes.stream().map(Process::inputReader).toList();
            for (BufferedReader output : outputs) {
                assertThat(output.readLine()).isEqualTo("ready");
            }
            for (Process process : processes) {
                process.outputWriter().append('\n').flush();
            }
            long taken = 0;
            for (BufferedReader output : outputs) {
                taken += Long.parseLong(output.readLine());
                assertThat(output.readLine()).as("calls that failed").isEqualTo("0");
            }
            return taken;
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static Process start(Database database, Way way) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StockTaker.class.getName(),
                        way.name(),
                        database.url(),
                        String.valueOf(SECONDS))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
