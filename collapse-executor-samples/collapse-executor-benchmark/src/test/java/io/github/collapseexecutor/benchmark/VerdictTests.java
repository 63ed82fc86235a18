package io.github.collapseexecutor.benchmark;

import static io.github.collapseexecutor.benchmark.Verdict.Goal.atLeast;
import static io.github.collapseexecutor.benchmark.Verdict.Goal.atMost;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A goal is met by the median of the rounds, to the digit. */
class VerdictTests {

    private static Verdict verdict(Verdict.Goal goal, Double... perRound) {
        return new Verdict("work", "figure", goal, List.of(perRound), "raw");
    }

    @Test
    void theLimitItselfMeetsTheGoal() {
        assertThat(verdict(atLeast(0.94), 0.94).isMet()).isTrue();
        assertThat(verdict(atMost(140), 140.0).isMet()).isTrue();
    }

    @Test
    void aFigureThatOnlyPrintsAsTheLimitDoesNotMeetTheGoal() {
        Verdict justBelow = verdict(atLeast(0.94), 0.939999);
        assertThat(justBelow.isMet()).isFalse();
        assertThat(justBelow.row()).contains("| 0.94 |").contains("**no**");
        assertThat(verdict(atMost(140), 140.0001).isMet()).isFalse();
    }

    @Test
    void theMedianCounts() {
        assertThat(verdict(atLeast(1), 0.1, 1.2, 1.1).isMet()).isTrue();
        assertThat(verdict(atLeast(1), 9.0, 0.9, 0.8).isMet()).isFalse();
        assertThat(verdict(atLeast(1), 0.9, 1.2, 0.8, 1.0).isMet()).isFalse();
        assertThat(verdict(atLeast(1), 0.9, 1.2, 0.8, 1.1).isMet()).isTrue();
    }

    @Test
    void anAbsentFigureMeetsNoGoal() {
        assertThat(verdict(atLeast(0), Double.NaN).isMet()).isFalse();
        assertThat(verdict(atMost(0), Double.NaN).isMet()).isFalse();
    }

    @Test
    void aRowHasTheGoalTheMedianTheRangeAndTheRawFigures() {
        assertThat(verdict(atLeast(0.95), 1.02, 0.98, 1.0).row())
                .isEqualTo(String.format("| work | figure | ≥ 0.95 | 1 | 0.98 to 1.02 | raw | yes |%n"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "0, 0",
                "0.000032, 0.000032",
                "1.0204999, 1.02",
                "93.18765, 93.19",
                "9999.4, 9 999",
                "52279.6, 52 280",
                "1819198, 1 819 198",
                "NaN, \"\""
            })
    void figuresHaveTheDigitsThatMeanSomething(double figure, String printed) {
        assertThat(Verdict.plain(figure)).isEqualTo(printed);
    }
}
