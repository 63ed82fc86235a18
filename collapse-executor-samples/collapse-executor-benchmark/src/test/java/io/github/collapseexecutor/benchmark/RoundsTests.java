package io.github.collapseexecutor.benchmark;

import static io.github.collapseexecutor.benchmark.Verdict.Goal.atLeast;
import static io.github.collapseexecutor.benchmark.Verdict.Goal.atMost;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is compared was measured in the same round. */
class RoundsTests {

    // The machine is half as fast in the second round, and as fast as ever in the third.
    private final Rounds rounds =
            new Rounds("work", List.of(round(110, 100, 150), round(55, 50, 130), round(90, 100, 120)));

    private static Map<String, Figures> round(double fresh, double map, double executions) {
        return Map.of(
                "FRESH", new Figures(fresh, executions, 1, 2, 3, Double.NaN),
                "MAP_OF_FUTURES", new Figures(map, 16, 1, 2, 3, Double.NaN));
    }

    @Test
    void aRatioIsThatOfTwoFiguresOfOneRound() {
        Verdict verdict = rounds.ratio("of the map's", atLeast(1), Figures::score, Way.FRESH, Way.MAP_OF_FUTURES);
        assertThat(verdict.perRound()).containsExactly(1.1, 1.1, 0.9);
        assertThat(verdict.isMet()).isTrue();
        assertThat(verdict.raw()).isEqualTo("90 and 100");
    }

    @Test
    void aFigureOfItsOwnIsComparedWithNothing() {
        Verdict verdict = rounds.figure("executions", atMost(140), Figures::executions, Way.FRESH);
        assertThat(verdict.perRound()).containsExactly(150.0, 130.0, 120.0);
        assertThat(verdict.isMet()).isTrue();
    }

    @Test
    void rowsHaveTheMediansOfEachWay() {
        assertThat(rounds.rows().lines())
                .containsExactlyInAnyOrder(
                        "| work | FRESH | 90 | 1 µs | 2 µs | 130 | 3 |",
                        "| work | MAP_OF_FUTURES | 100 | 1 µs | 2 µs | 16 | 3 |");
    }

    @Test
    void aWayThatWasNotMeasuredIsSaidToBeMissing() {
        assertThatThrownBy(() -> rounds.ratio("?", atLeast(1), Figures::score, Way.BARE, Way.FRESH))
                .hasMessageContaining("BARE was not measured");
    }
}
