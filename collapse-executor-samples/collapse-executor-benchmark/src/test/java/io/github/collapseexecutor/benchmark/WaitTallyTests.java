package io.github.collapseexecutor.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Who waited longer than allowed is told from who did not. */
class WaitTallyTests {

    private final WaitTally tally = new WaitTally(1_000, 2_000);

    @Test
    void theShareWithinIsOfCallersThatWaitedNoLongerThanTheirOwnBound() {
        tally.add(1_000, 1_000, 1_050, 50); // at its bound
        tally.add(1_100, 1_100, 1_110, 0); // 10 beyond
        tally.add(1_200, 1_200, 1_300, 70); // 30 beyond
        tally.add(1_300, 1_300, 1_310, 500);
        assertThat(tally.shareWithin(0)).isEqualTo(0.5);
        assertThat(tally.shareWithin(10)).isEqualTo(0.75);
        assertThat(tally.shareWithin(30)).isEqualTo(1);
        assertThat(tally.wait.getMaxValue()).isEqualTo(100);
    }

    @Test
    void onlyCallersThatWereToCallInTheTimeThatIsMeasuredCount() {
        tally.add(999, 1_500, 1_600, 0);
        tally.add(2_000, 2_000, 2_600, 0);
        assertThat(tally.wait.getTotalCount()).isZero();
        tally.add(1_999, 5_000, 5_600, 0);
        assertThat(tally.wait.getTotalCount()).isEqualTo(1);
    }

    @Test
    void aCallerThatCallsLateIsKnownToAndDoesNotWaitMeanwhile() {
        tally.add(1_000, 1_400, 1_450, 0);
        assertThat(tally.late.getMaxValue()).isEqualTo(400);
        assertThat(tally.wait.getMaxValue()).isEqualTo(50);
    }

    @Test
    void anAnswerThatIsOlderThanTheQuestionIsRefused() {
        assertThatThrownBy(() -> tally.add(1_000, 1_000, 999, 0)).hasMessageContaining("began before it called");
    }
}
