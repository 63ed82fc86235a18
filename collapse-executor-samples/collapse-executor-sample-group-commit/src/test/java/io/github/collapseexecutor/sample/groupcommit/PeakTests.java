package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PeakTests {

    @Test
    void peakIsWhereTheCurveTurns() {
        Peak peak = Peak.of(ramp(60, second -> 3_000 - Math.abs(second - 20) * 50));
        assertThat(peak.users()).isEqualTo(200);
        assertThat(peak.index()).isEqualTo(19);
        assertThat(peak.perSecond()).isEqualTo(3_000 - 60);
        assertThat(peak.enoughUsers()).isEqualTo(160);
    }

    @Test
    void singleSecondIsNoPeak() {
        Peak peak = Peak.of(ramp(60, second -> second == 50 ? 2_600 : 2_000 - Math.abs(second - 20) * 30));
        assertThat(peak.users()).isEqualTo(200);
    }

    @Test
    void flatCurveIsReachedWhereItBegins() {
        Peak peak = Peak.of(ramp(60, second -> second < 10 ? second * 100 : 1_000 + second));
        assertThat(peak.users()).isEqualTo(580);
        assertThat(peak.enoughUsers()).isEqualTo(120);
    }

    @Test
    void shortRampIsOneMean() {
        Peak peak = Peak.of(ramp(2, second -> second));
        assertThat(peak.users()).isEqualTo(15);
        assertThat(peak.perSecond()).isEqualTo(1.5);
        assertThat(peak.index()).isEqualTo(1);
    }

    /** Ten users more each second. */
    private static List<RampSample> ramp(int seconds, IntToDoubleFunction perSecond) {
        return IntStream.rangeClosed(1, seconds)
                .mapToObj(second -> new RampSample(
                        second,
                        10 * second,
                        perSecond.applyAsDouble(second),
                        1,
                        1,
                        OptionalDouble.empty(),
                        ProcessUse.UNKNOWN,
                        ProcessUse.UNKNOWN))
                .toList();
    }
}
