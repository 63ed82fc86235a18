package io.github.collapseexecutor.sample.springboot.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The load run as it is started by hand, with servers in processes of their own, but for a moment. */
class LoadRunTests {

    /** Without those that another one repeats with a slower backend. */
    private static final List<LoadScenario> SCENARIOS = Stream.of(LoadScenario.values())
            .filter(scenario -> !scenario.name().endsWith("_MS"))
            .toList();

    @Test
    void everybodyIsAnsweredRightlyInEveryScenarioAndWay() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = System.out;
        boolean right;
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            right = new LoadRun(20, 1, 0.1, SCENARIOS).run();
        } finally {
            System.setOut(out);
        }
        String printed = bytes.toString(StandardCharsets.UTF_8);
        assertThat(right).as(printed).isTrue();
        for (LoadScenario scenario : SCENARIOS) {
            assertThat(printed).contains(scenario.title());
            scenario.goals().forEach(goal -> assertThat(printed).containsPattern("(met: |missed:) +" + goal.text()));
        }
        assertThat(printed).containsPattern("fresh +[0-9.]+ +[0-9]+");
        assertThat(printed.split("met: +every request is a run of its own")).hasSize(1 + 5);
    }

    @Test
    void thePageOfSamplesStartsIt() throws IOException {
        assertThat(Files.readString(Path.of("../../docs/maintainers/samples.md")))
                .contains("-Dspring-boot.run.main-class=" + LoadRun.class.getName() + " ");
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "1, 0, 1", "1, 1, 0", "1, 1, -1"})
    void argumentsAreChecked(int connections, int rounds, double seconds) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadRun(connections, rounds, seconds, List.of()))
                .withMessageContaining("must be positive");
    }
}
