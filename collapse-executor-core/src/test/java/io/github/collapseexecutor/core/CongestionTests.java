package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What callers do for each other where more threads want to run than there are processors. */
class CongestionTests {

    /** How long after the end of a call of 1 ms somebody is woken who had to wait for a processor; and who had not. */
    private static final Duration LATE = Duration.ofNanos(1_000_001);

    private static final Duration IN_TIME = Duration.ofMillis(1);

    private final Backend backend = new Backend();
    private final ManualTime clock = new ManualTime();
    private final ScarceProcessors time = new ScarceProcessors(clock);

    @AfterEach
    void giveTheProcessorBack() {
        time.giveBack();
    }

    private Subject subject(CollapseOptions.Builder options) {
        return Kind.BLOCKING.subject(options.build(), backend, time);
    }

    private static CollapseOptions.Builder options() {
        return CollapseOptions.builder();
    }

    /**
     * Ends a batch that took 1 ms, whose first caller loses the processor as soon as it wakes the second, who is woken after
     * {@code delay}; returns the three when the second has its answer.
     */
    private List<Caller> endOfABatchOfThree(Subject subject, Duration delay) throws Exception {
        List<Caller> others = new CopyOnWriteArrayList<>();
        clock.duringNextYield(() -> {
            others.add(subject.submit("second").awaitJoined());
            others.add(subject.submit("third").awaitJoined());
        });
        Caller first = subject.submit("first");
        Execution execution = backend.next();
        assertThat(execution.inputs).containsExactly("first", "second", "third");
        clock.advance(Duration.ofMillis(1));
        time.delay = delay;
        time.takeFromNextThatWakes();
        execution.succeed();
        assertThat(others.get(0).output()).isEqualTo("answer to second");
        return List.of(first, others.get(0), others.get(1));
    }

    @Test
    void aCallerThatIsWokenLateWakesTheOthersWhileTheThreadThatRanTheBatchHasNoProcessor() throws Exception {
        List<Caller> callers = endOfABatchOfThree(subject(options()), LATE);
        assertThat(callers.get(2).output()).isEqualTo("answer to third");
        assertThat(callers.get(0).end()).isNotDone();
        time.giveBack();
        assertThat(callers.get(0).output()).isEqualTo("answer to first");
        assertThat(time.woken).as("nobody twice").doesNotHaveDuplicates();
    }

    @Test
    void aCallerThatIsWokenInTimeReturnsAtOnce() throws Exception {
        List<Caller> callers = endOfABatchOfThree(subject(options()), IN_TIME);
        assertThat(time.woken).containsExactly(((Caller.OnThread) callers.get(1)).thread);
        time.delay = Duration.ZERO;
        time.giveBack();
        assertThat(callers.get(2).output()).isEqualTo("answer to third");
    }

    /** Lets somebody be woken after {@code delay}, in a batch that took 1 ms; nothing is in flight afterwards. */
    private void wake(Subject subject, Duration delay) throws Exception {
        Caller lone = subject.submit("lone"); // whose age is not known before another call meets it
        Execution alone = backend.next();
        clock.advance(Duration.ofMillis(9));
        Caller first = subject.submit("first");
        Execution one = backend.next();
        alone.succeed();
        lone.output();
        clock.advance(Duration.ofMillis(9));
        Caller second = subject.submit("second");
        Execution other = backend.next();
        Caller leader = subject.submit("leader").awaitJoined();
        Caller late = subject.submit("late").awaitJoined();
        clock.awaitSomebodyTimed();
        clock.advance(Duration.ofMillis(1));
        Execution both = backend.next();
        clock.advance(Duration.ofMillis(1));
        time.delay = delay;
        both.succeed();
        late.output();
        leader.output();
        time.delay = Duration.ZERO;
        one.succeed();
        other.succeed();
        first.output();
        second.output();
    }

    @Test
    void aCallerThatIsWokenInTimeAfterOthersWereLateHelpsStill() throws Exception {
        Subject subject = subject(options());
        wake(subject, LATE);
        List<Caller> callers = endOfABatchOfThree(subject, IN_TIME);
        assertThat(callers.get(2).output()).isEqualTo("answer to third");
        assertThat(callers.get(0).end()).isNotDone();
        time.giveBack();
        assertThat(callers.get(0).output()).isEqualTo("answer to first");
    }

    @Test
    void aCallerThatStartsABatchYieldsFirstSoThatOthersThatWantToRunMayJoin() throws Exception {
        Subject subject = subject(options());
        wake(subject, LATE);
        subject.submit("a");
        Execution a = backend.next();
        clock.advance(LATE); // so that the next batch is due, whatever answers take to arrive
        clock.duringNextYield(() -> subject.submit("c").awaitJoined());
        subject.submit("b");
        Execution together = backend.next();
        assertThat(together.inputs).containsExactly("b", "c");
        together.succeed();
        a.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @Test
    void nobodyYieldsAnyMoreOnceSomebodyWasWokenInTime() throws Exception {
        Subject subject = subject(options());
        wake(subject, LATE);
        wake(subject, IN_TIME);
        assertThat(yieldsOfASecondBatch(subject)).isZero();
    }

    @Test
    void aNegativeCollectingWaitTimeNeverYields() throws Exception {
        Subject subject = subject(options().collectingWaitTime(Duration.ofNanos(-1)));
        wake(subject, LATE);
        assertThat(yieldsOfASecondBatch(subject)).isZero();
    }

    @Test
    void aFullBatchIsStartedWithoutAYieldBecauseNobodyCouldJoinIt() throws Exception {
        Subject subject = subject(options().maxBatchSize(3));
        wake(subject, LATE);
        subject.submit("a");
        Execution a = backend.next();
        clock.advance(Duration.ofMillis(9));
        subject.submit("b");
        Execution b = backend.next();
        subject.submit("c").awaitJoined();
        subject.submit("d").awaitJoined();
        int yields = clock.yields.get();
        subject.submit("e");
        Execution full = backend.next();
        assertThat(full.inputs).containsExactly("c", "d", "e");
        assertThat(clock.yields).hasValue(yields);
        full.succeed();
        b.succeed();
        a.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    private int yieldsOfASecondBatch(Subject subject) throws Exception {
        subject.submit("a");
        Execution a = backend.next();
        clock.advance(LATE);
        int before = clock.yields.get();
        subject.submit("b");
        Execution b = backend.next();
        int yields = clock.yields.get() - before;
        b.succeed();
        a.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
        return yields;
    }
}
