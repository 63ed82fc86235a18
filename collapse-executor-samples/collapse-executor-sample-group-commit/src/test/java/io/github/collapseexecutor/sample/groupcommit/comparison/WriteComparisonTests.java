package io.github.collapseexecutor.sample.groupcommit.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.figures.FigureTable;
import io.github.collapseexecutor.figures.Section;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each way writes what its callers were told, and has a row of figures; options that mean nothing are refused. */
class WriteComparisonTests {

    @Test
    void eachWayIsMeasuredAndLosesNothing() throws Exception {
        Section section = WriteComparison.compare(ComparisonOptions.parse(
                "--databases=h2", "--callers=2,20", "--rounds=2", "--milliseconds=50", "--warm-up=50"));
        assertThat(section.mistakes()).isEmpty();
        FigureTable table = section.tables().get(0);
        assertThat(table.rows())
                .extracting(row -> row.get(2) + " " + row.get(3))
                .containsExactly(
                        "2 single rows",
                        "2 home-made queue",
                        "2 group commit",
                        "20 single rows",
                        "20 home-made queue",
                        "20 group commit");
        assertThat(table.rows())
                .allSatisfy(row -> assertThat((double) row.get(5)).isPositive());
        assertThat(section.charts()).hasSize(2);
    }

    @Test
    void aLostRowIsAMistake() throws Exception {
        try (ComparedDatabase.Running running = ComparedDatabase.H2.start();
                Ways ways = ComparedWork.INSERTS.on(running)) {
            for (Ways.Way way : ways.all()) {
                assertThat(way.write().call()).isTrue();
            }
            assertThat(ways.difference()).isZero();
            ways.expecting("SELECT COUNT(*) - 1 FROM order_info", () -> 3);
            assertThat(ways.difference()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--callers=0 | --callers holds \"0\": it must be a whole number from 1 to 9999999",
                "--callers=5,,5 | --callers holds \"\": it must be a whole number from 1 to 9999999",
                "--databases=oracle | --databases holds \"oracle\": it must be one of h2, mariadb, postgresql",
                "--works=INSERTS | --works holds \"INSERTS\": it must be one of inserts, upserts, deductions",
                "--user=5 | \"--user=5\" is unknown: give any of --databases=…, --works=…, --callers=…, --rounds=…, --milliseconds=…, --warm-up=…",
            })
    void anOptionThatMeansNothingIsRefused(String argument, String message) {
        assertThatThrownBy(() -> ComparisonOptions.parse(argument))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
