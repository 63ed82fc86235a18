package io.github.collapseexecutor.sample.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.collapseexecutor.figures.Section;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sample as a user starts it, with three processes and a Redis. */
class ClusterSampleTests {

    private static final SampleOptions OPTIONS = new SampleOptions(3, 20, Duration.ofMillis(1_200));

    private static List<Measurement> measurements;

    @BeforeAll
    static void run() throws Exception {
        measurements = ClusterSample.measure(OPTIONS);
    }

    @Test
    void noCallFailsAndNoAnswerIsOlderThanItsQuestion() {
        assertThat(measurements)
                .extracting(Measurement::way)
                .containsExactly("without", "in each instance", "across instances", "across, Redis stops");
        assertThat(measurements).allMatch(Measurement::isRight);
        assertThat(ClusterReport.section(OPTIONS, measurements).mistakes()).isEmpty();
    }

    @Test
    void withoutCollapsingEveryAnswerIsACallOfTheBackend() {
        assertThat(measurements.get(0).backendCalls())
                .isEqualTo(measurements.get(0).result().answers());
    }

    /** How many fewer depends on what the machine is busy with. */
    @Test
    void sharingCallersMakeFewerCalls() {
        assertThat(measurements.subList(1, 3))
                .allSatisfy(one -> assertThat(one.callsPerThousand()).isLessThan(500));
    }

    @Test
    void mistakesAreReported() {
        LoadResult wrong = new LoadResult(10, 1, 2, 50_000, 60_000);
        Section section = ClusterReport.section(
                OPTIONS, List.of(new Measurement("across instances", wrong, 5, Duration.ofSeconds(1))));
        assertThat(section.mistakes()).containsExactly("across instances: of 10 answers, 1 failed and 2 were too old");
        assertThat(section.tables().get(0).aligned(1)).contains("per 1 000", "500");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--instances=0", "--instances=1.5", "--callers=many", "--seconds=-1", "--seconds="})
    void aNumberThatIsNoneIsRefused(String argument) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SampleOptions.parse(argument))
                .withMessageContaining(argument)
                .withMessageContaining("a number from 1 to 10000");
    }

    @Test
    void anArgumentThatItDoesNotKnowIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SampleOptions.parse("--port=1"))
                .withMessageContaining("--port=1")
                .withMessageContaining("--instances=3");
    }
}
