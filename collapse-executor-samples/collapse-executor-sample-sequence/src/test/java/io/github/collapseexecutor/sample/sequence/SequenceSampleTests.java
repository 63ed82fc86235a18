package io.github.collapseexecutor.sample.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The sample as a user starts it. */
class SequenceSampleTests {

    private static List<Measurement> measurements;

    @BeforeAll
    static void run() throws Exception {
        measurements = SequenceSample.measure("jdbc:h2:mem:measured;DB_CLOSE_DELAY=-1");
    }

    @Test
    void noNumberIsGivenTwice() {
        assertThat(measurements)
                .hasSize(16)
                .allSatisfy(measurement -> assertThat(measurement.repeated()).isZero());
    }

    @Test
    void withoutCollapsingEveryNumberIsARoundTrip() {
        assertThat(measurements)
                .filteredOn(measurement -> !measurement.collapsing())
                .hasSize(8)
                .allSatisfy(measurement -> assertThat(measurement.roundTrips()).isEqualTo(measurement.numbers()));
    }

    /** How many fewer depends on how long a round trip takes, and on how often callers meet: here, in one process, on chance. */
    @Test
    void withCollapsingManyCallersMakeFewerRoundTrips() {
        assertThat(measurements)
                .filteredOn(measurement -> measurement.collapsing() && measurement.callers() >= 64)
                .hasSize(4)
                .allSatisfy(measurement -> assertThat(measurement.roundTrips()).isLessThan(measurement.numbers()));
    }

    @Test
    void commandPrintsALineForEachMeasurement() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            SequenceSample.main(new String[0]);
        } finally {
            System.setOut(console);
        }
        List<String> lines = printed.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines.get(0)).contains("callers", "numbers", "round trips", "per 1 000", "repeated");
        assertThat(lines.subList(0, 17)).allSatisfy(line -> assertThat(line).hasSameSizeAs(lines.get(0)));
    }

    @Test
    void argumentThatItDoesNotKnowIsNamed() {
        assertThatThrownBy(() -> SequenceSample.main(new String[] {"--uri=x"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--uri=x")
                .hasMessageContaining("--url=");
    }
}
