package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which calls are worth sharing. */
class ClusterCallTimesTests {

    private static final long MICRO = 1_000;
    private static final byte[] KEY = {1};

    private final AnswerTimes answers = new AnswerTimes();
    private final ClusterCallTimes times = new ClusterCallTimes(
            answers, Instance.options().maxDelay(Duration.ofMillis(50)).build());

    private void take(int calls, long micros) {
        for (int i = 0; i < calls; i++) {
            times.took(KEY, micros * MICRO);
        }
    }

    private void answer(int count, long micros) {
        for (int i = 0; i < count; i++) {
            answers.answered(micros * MICRO);
        }
    }

    @Test
    void callsOfUnknownLengthAreShared() {
        answer(100, 300);
        take(ClusterCallTimes.FEWEST - 1, 1);
        assertThat(times.isSharingWorthIt(KEY)).isTrue();
        assertThat(times.average(KEY)).isZero();
    }

    @Test
    void callsShorterThanThreeAnswersOfRedisAreNot() {
        answer(100, 300);
        take(100, 890);
        assertThat(times.isSharingWorthIt(KEY)).isFalse();
        assertThat(times.isSharingWorthIt(new byte[] {2})).isTrue();
        take(100, 910);
        assertThat(times.isSharingWorthIt(KEY)).isTrue();
        assertThat(times.average(KEY)).isBetween(890 * MICRO, 910 * MICRO);
    }

    @Test
    void nowAndThenOneOfThemAsks() {
        answer(100, 300);
        take(100, 100);
        for (int i = 1; i < 3 * ClusterCallTimes.TRIAL; i++) {
            assertThat(times.isSharingWorthIt(KEY)).isEqualTo(i % ClusterCallTimes.TRIAL == 0);
        }
    }

    @Test
    void theFirstAnswersOfAProcessAndAPauseSayLittle() {
        answer(1, 200_000);
        answer(7, 300);
        take(100, 1_500);
        assertThat(times.isSharingWorthIt(KEY)).isTrue();
        answer(1, 2_000_000);
        assertThat(times.isSharingWorthIt(KEY)).isTrue();
    }

    @Test
    void aRedisThatIsOverloadedLeavesLongerCallsNotToTheBackend() {
        answer(100, 60_000);
        take(100, 11_000);
        assertThat(times.isSharingWorthIt(KEY)).isTrue();
        take(100, 9_000);
        assertThat(times.isSharingWorthIt(KEY)).isFalse();
    }

    @Test
    void aCallThatHangsCountsAsLongAsIsWaitedForIt() {
        take(100, 50_000);
        take(1, 3_600_000_000L);
        assertThat(times.average(KEY)).isBetween(160_000 * MICRO, 180_000 * MICRO);
    }

    @Test
    void onlyTheKeysAreKnownThatWereAskedForLast() {
        answer(100, 300);
        take(100, 100);
        for (int i = 0; i < 1_500; i++) {
            times.took(new byte[] {2, (byte) i, (byte) (i >> 8)}, MICRO);
        }
        assertThat(times.isSharingWorthIt(KEY)).isTrue();
    }
}
