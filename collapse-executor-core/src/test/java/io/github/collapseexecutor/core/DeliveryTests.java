package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long answers take to reach their callers, and what that changes: the time between two starts, and yields (P5). */
class DeliveryTests {

    private static final Duration CALL = Duration.ofMillis(5);
    private static final Duration LATE = Duration.ofMillis(1);
    /** The first sample of an average that begins with 0 and takes an eighth of each. */
    private static final Duration AVERAGE = LATE.dividedBy(8);

    private static final Duration INSTANT = Duration.ofNanos(1);

    private final Backend backend = new Backend();
    private final ManualTime clock = new ManualTime();
    private final ScarceProcessors processors = new ScarceProcessors(clock);
    /** The callers of the latest batch of three. */
    private final List<Caller> three = new ArrayList<>();

    private Subject subject(Kind kind, CollapseOptions.Builder options) {
        return kind.subject(options.build(), backend, processors);
    }

    /** Has a batch of three answered after a call of 5 ms, whose followers are woken 1 ms late; nothing is in flight afterwards. */
    private void answerLate(Subject subject) throws Exception {
        Execution execution = batchOfThree(subject);
        clock.advance(CALL);
        processors.delay = LATE.dividedBy(2); // there are two followers, which are woken one after another
        execution.succeed();
        for (Caller caller : three) {
            caller.output();
        }
        processors.delay = Duration.ZERO;
    }

    private Execution batchOfThree(Subject subject) throws Exception {
        three.clear();
        clock.duringNextYield(() -> {
            three.add(subject.submit("second").awaitJoined());
            three.add(subject.submit("third").awaitJoined());
        });
        Caller first = subject.submit("first");
        Execution execution = backend.next();
        three.add(first);
        assertThat(execution.inputs).containsExactly("first", "second", "third");
        return execution;
    }

    @Test
    void P05_whileABatchIsInFlight_theNextStartsWhenAnswersHaveHadTheTimeToArrive() throws Exception {
        Subject subject = subject(Kind.BLOCKING, CollapseOptions.builder());
        answerLate(subject);
        subject.submit("a");
        Execution a = backend.next();
        Caller second = subject.submit("b").awaitJoined();
        clock.awaitSomebodyTimed();
        clock.advance(AVERAGE.minus(INSTANT));
        backend.expectNoneStarted();
        clock.advance(INSTANT);
        backend.next().succeed();
        assertThat(second.output()).isEqualTo("answer to b");
        a.succeed();
    }

    @Test
    void P05_theLastFollowerTellsAlsoWhereTheLastCallerLeads() throws Exception {
        Subject subject = subject(Kind.BLOCKING, CollapseOptions.builder());
        subject.submit("a");
        Execution a = backend.next();
        clock.advance(Duration.ofMillis(9));
        subject.submit("b");
        Execution b = backend.next();
        subject.submit("c").awaitJoined();
        clock.awaitSomebodyTimed();
        clock.advance(Duration.ofMillis(1));
        Execution c = backend.next();
        Caller follower = subject.submit("follower").awaitJoined();
        a.succeed();
        Eventually.until(() -> subject.engine().counts().batchesInFlight() == 2);
        clock.advance(
                Duration.ofNanos(111_111)); // b is the oldest now, and the batch is due earlier than its opener knows
        subject.submit("leader");
        Execution led = backend.next();
        assertThat(led.inputs).containsExactly("follower", "leader");
        clock.advance(CALL);
        Eventually.until(() -> clock.timed() == 0);
        follower.awaitJoined(); // it looked after the time, found another leader, and waits to be woken
        processors.delay = LATE;
        led.succeed();
        follower.output();
        processors.delay = Duration.ZERO;
        b.succeed();
        c.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);

        subject.submit("x");
        Execution x = backend.next();
        subject.submit("y").awaitJoined();
        clock.awaitSomebodyTimed();
        clock.advance(AVERAGE.minus(INSTANT));
        backend.expectNoneStarted();
        clock.advance(INSTANT);
        backend.next().succeed();
        x.succeed();
    }

    @Test
    void P05_whileABatchIsInFlight_theNextWaitsNoLongerForAnswersThanTheLastCallTook() throws Exception {
        Subject subject = subject(Kind.BLOCKING, CollapseOptions.builder().maxWaitRatio(0.01));
        Duration shortCall = AVERAGE.dividedBy(5);
        List<Caller> followers = new ArrayList<>();
        clock.duringNextYield(() -> followers.add(subject.submit("second").awaitJoined()));
        subject.submit("first");
        Execution pair = backend.next();
        subject.submit("beside");
        Execution beside = backend.next();
        clock.advance(shortCall);
        processors.delay = LATE;
        pair.succeed();
        followers.get(0).output();
        processors.delay = Duration.ZERO;
        subject.submit("d");
        Execution last = backend.next(); // the last start is long ago
        beside.succeed(); // a lone call, to whose caller no answer is delivered
        Eventually.until(() -> subject.engine().counts().batchesInFlight() == 1);
        Caller next = subject.submit("e").awaitJoined();
        clock.awaitSomebodyTimed();
        clock.advance(shortCall.minus(INSTANT));
        backend.expectNoneStarted();
        clock.advance(INSTANT);
        backend.next().succeed();
        assertThat(next.output()).isEqualTo("answer to e");
        last.succeed();
    }

    @Test
    void P05_withoutAWaitRatio_aBatchNeverWaitsForAnswersToArrive() throws Exception {
        Subject subject = subject(Kind.BLOCKING, CollapseOptions.builder().maxWaitRatio(0));
        answerLate(subject);
        subject.submit("a");
        Execution a = backend.next();
        subject.submit("b");
        backend.next().succeed();
        a.succeed();
    }

    @Test
    void P05_theEndOfTheBatchInFlight_startsTheNextThatWaitsForAnswersToArrive() throws Exception {
        Subject subject = subject(Kind.BLOCKING, CollapseOptions.builder());
        answerLate(subject);
        subject.submit("a");
        Execution a = backend.next();
        Caller second = subject.submit("b").awaitJoined();
        clock.awaitSomebodyTimed();
        a.succeed();
        backend.next().succeed();
        assertThat(second.output()).isEqualTo("answer to b");
    }

    @Test
    void P05_forFutures_theTimeOfTheDeliveryCounts() throws Exception {
        Subject subject = subject(Kind.FUTURE, CollapseOptions.builder());
        Execution together = futuresInOneBatch(subject);
        clock.advance(CALL);
        clock.duringNextYield(() -> clock.advance(LATE));
        together.succeed();
        subject.submit("a");
        Execution a = backend.next();
        Caller second = subject.submit("b").awaitJoined();
        clock.advance(AVERAGE.minus(INSTANT));
        backend.expectNoneStarted();
        clock.advance(INSTANT);
        backend.next().succeed();
        assertThat(second.output()).isEqualTo("answer to b");
        a.succeed();
    }

    @Test
    void P05_aThreadThatCompletesFutures_yieldsBetweenThem() throws Exception {
        Subject subject = subject(Kind.FUTURE, CollapseOptions.builder());
        Execution together = futuresInOneBatch(subject);
        clock.advance(CALL);
        int before = clock.yields.get();
        together.succeed();
        assertThat(clock.yields).hasValue(before + together.inputs.size() - 1);
    }

    @Test
    void P05_aThreadThatCompletesFutures_yieldsNoLongerThanACallerMayWait() throws Exception {
        Subject subject = subject(Kind.FUTURE, CollapseOptions.builder());
        Execution together = futuresInOneBatch(subject);
        clock.advance(CALL);
        int before = clock.yields.get();
        clock.duringNextYield(() -> clock.advance(CALL.dividedBy(10)));
        together.succeed();
        assertThat(clock.yields).hasValue(before + 1);
    }

    @Test
    void P05_aThreadThatCompletesFutures_yieldsForTenMillisecondsAtMost() throws Exception {
        Subject subject = subject(Kind.FUTURE, CollapseOptions.builder());
        Execution together = futuresInOneBatch(subject);
        clock.advance(Duration.ofSeconds(2));
        int before = clock.yields.get();
        clock.duringNextYield(() -> clock.advance(Duration.ofMillis(10)));
        together.succeed();
        assertThat(clock.yields).hasValue(before + 1);
    }

    @Test
    void P05_aPauseOfTheMachineIsForgottenAfterSomeBatches() {
        DeliveryTime time = new DeliveryTime();
        time.add(Duration.ofSeconds(10).toNanos());
        for (int batch = 0; batch < 200; batch++) {
            time.add(1_000);
        }
        assertThat(time.nanos()).isEqualTo(1_000);
    }

    @Test
    void P05_oneLateAnswerCountsForAnEighth() {
        DeliveryTime time = new DeliveryTime();
        assertThat(time.nanos()).isZero();
        time.add(8_000);
        assertThat(time.nanos()).isEqualTo(1_000);
        time.add(9_000);
        assertThat(time.nanos()).isEqualTo(2_000);
        time.add(-1); // as if the clock had gone backwards
        assertThat(time.nanos()).isEqualTo(1_750);
    }

    /** A batch of three futures in flight, alone in its group. */
    private Execution futuresInOneBatch(Subject subject) throws Exception {
        clock.duringNextYield(() -> {
            subject.submit("second");
            subject.submit("third");
        });
        subject.submit("first");
        Execution execution = backend.next();
        assertThat(execution.inputs).containsExactly("first", "second", "third");
        return execution;
    }
}
