package io.github.collapseexecutor.jdbc.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.jdbc.SimultaneousCallers;
import io.github.collapseexecutor.jdbc.writer.ReturningCallers.Awaited;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A writer waits for the callers that it has answered, for a moment, so that one batch holds them all. */
class ReturningCallersTests {

    private static final long AN_HOUR = Duration.ofHours(1).toNanos();
    /** The shortest batch whose callers are waited for. */
    private static final long SHORT = TimeUnit.MICROSECONDS.toNanos(400);

    private final ReturningCallers returning = new ReturningCallers();

    private Awaited expect(String group, int callers, long nanosOfBatch) {
        return returning.expect(group, callers, nanosOfBatch);
    }

    /** A caller of a group hands in a row that opens a batch; says whether a waiting writer took the batch. */
    private boolean comesWith(Runnable batch, String group) {
        return returning.handIn(group, () -> ReturningCallers.offer(batch));
    }

    @Test
    void theWriterGoesOnAsSoonAsAllHaveComeBack_withTheBatchThatTheFirstOpened() throws Exception {
        Runnable batch = () -> {};
        Awaited callers = expect("group", 2, AN_HOUR);
        FutureTask<Boolean> first = SimultaneousCallers.start(() -> comesWith(batch, "group"));
        assertThat(first.get()).isTrue();
        FutureTask<Boolean> second = SimultaneousCallers.start(() -> comesWith(() -> {}, "group"));
        callers.await();
        assertThat(second.get()).isFalse(); // it has a batch already
        assertThat(callers.close()).isSameAs(batch);
    }

    @Test
    void aWriterThatHasGoneOnIsOfferedNothing() {
        Awaited callers = expect("group", 1, AN_HOUR);
        assertThat(callers.close()).isNull();
        assertThat(comesWith(() -> {}, "group")).isFalse();
        assertThat(ReturningCallers.offer(() -> {})).isFalse(); // by a thread that is no caller
    }

    @Test
    void callersOfAnotherGroupAreNotWaitedForAndOfferNothing() {
        Awaited callers = expect("group", 1, TimeUnit.MILLISECONDS.toNanos(40));
        assertThat(comesWith(() -> {}, "other")).isFalse();
        long start = System.nanoTime();
        callers.await();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(10));
        assertThat(callers.close()).isNull();
    }

    @Test
    void nobodyIsWaitedForAfterABatchThatTookAsLongAsThreadsTakeToWakeUp() {
        assertThat(expect("group", 3, SHORT - 4)).isNull();
        assertThat(expect("group", 3, SHORT)).isNotNull();
    }

    @Test
    void oneWriterOfAGroupWaitsAtATime() {
        Awaited callers = expect("group", 1, AN_HOUR);
        assertThat(expect("group", 1, AN_HOUR)).isNull();
        assertThat(expect("other", 1, AN_HOUR)).isNotNull();
        callers.close();
        assertThat(expect("group", 1, AN_HOUR)).isNotNull();
    }

    @Test
    void callersThatStayAwayAreWaitedForLessAndLessOften() {
        for (int without : List.of(0, 1, 2, 4, 8, 16, 32, 64, 64)) {
            for (int batch = 0; batch < without; batch++) {
                assertThat(expect("group", 3, SHORT))
                        .as("batch %s of %s", batch, without)
                        .isNull();
            }
            Awaited callers = expect("group", 3, SHORT);
            comesWith(() -> {}, "group"); // one of three
            callers.await();
            callers.close();
        }
    }

    @Test
    void callersThatComeBackAreWaitedForAgain() {
        expectInVain();
        assertThat(expect("group", 3, SHORT)).isNull();
        Awaited callers = expect("group", 3, SHORT);
        IntStream.range(0, 2).forEach(caller -> comesWith(() -> {}, "group")); // two of three
        callers.await();
        callers.close();
        expectInVain();
        assertThat(expect("group", 3, SHORT)).isNull();
        assertThat(expect("group", 3, SHORT)).isNotNull();
    }

    private void expectInVain() {
        Awaited callers = expect("group", 3, SHORT);
        callers.await();
        callers.close();
    }
}
