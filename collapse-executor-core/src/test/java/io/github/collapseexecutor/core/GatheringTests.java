package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a batch starts and who is in it (the start rule, C2 to C5, C9). */
class GatheringTests {

    private final Backend backend = new Backend();
    private final ManualTime time = new ManualTime();

    private Subject subject(Kind kind, CollapseOptions.Builder options) {
        return kind.subject(options.build(), backend, time);
    }

    private static CollapseOptions.Builder options() {
        return CollapseOptions.builder();
    }

    @ParameterizedTest
    @EnumSource
    void P04_aLoneCallerStartsAtOnceAndLeavesNothingBehind(Kind kind) throws Exception {
        Subject subject = subject(kind, options());
        Caller caller = subject.submit("a");
        backend.next().succeed();
        assertThat(caller.output()).isEqualTo("answer to a");
        assertThat(subject.engine().groupCount()).isZero();
        assertThat(time.timed()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theSecondBatchStartsAtOnceBesideTheFirst(Kind kind) throws Exception {
        Subject subject = subject(kind, options());
        Caller first = subject.submit("a");
        Execution a = backend.next();
        time.advance(Duration.ofMillis(10));
        Caller second = subject.submit("b");
        Execution b = backend.next();
        assertThat(b.inputs).containsExactly("b");
        b.succeed();
        a.succeed();
        assertThat(first.output()).isEqualTo("answer to a");
        assertThat(second.output()).isEqualTo("answer to b");
    }

    @ParameterizedTest
    @EnumSource
    void P05_furtherBatchesWaitForATenthOfTheAgeOfTheOldest(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxWaitRatio(0.1));
        Caller first = subject.submit("a");
        Execution a = backend.next();
        time.advance(Duration.ofMillis(9));
        Caller second = subject.submit("b");
        Execution b = backend.next();
        // 9 ms lie between the last start and the oldest: 0.1 / 0.9 of it is 1 ms.
        List<Caller> gathered = Arrays.asList(
                subject.submit("c").awaitJoined(),
                subject.submit("d").awaitJoined(),
                subject.submit("e").awaitJoined());
        time.awaitSomebodyTimed();
        time.advance(Duration.ofNanos(999_999));
        backend.expectNoneStarted();
        time.advance(Duration.ofNanos(1));
        Execution together = backend.next();
        assertThat(together.inputs).containsExactly("c", "d", "e");
        together.succeed();
        a.succeed();
        b.succeed();
        for (Caller caller : gathered) {
            assertThat(caller.output()).startsWith("answer to ");
        }
        first.output();
        second.output();
        assertThat(subject.engine().groupCount()).isZero();
        assertThat(time.timed()).isZero();
    }

    /** A lone call that starts at once does not look at the clock; the caller that meets it waits for nothing. */
    @Test
    void P05_theAgeOfACallThatStartedAloneCountsFromTheCallThatMeetsIt() throws Exception {
        Subject subject = subject(Kind.BLOCKING, options().maxWaitRatio(0.1).collectingWaitTime(Duration.ofNanos(-1)));
        time.advance(Duration.ofDays(1)); // or a start that was never learned would look like one just now
        Caller lone = subject.submit("a");
        Execution a = backend.next();
        time.advance(Duration.ofMillis(50));
        Caller second = subject.submit("b");
        Execution b = backend.next();
        time.advance(Duration.ofMillis(9));
        Caller third = subject.submit("c");
        Execution c = backend.next();
        Caller fourth = subject.submit("d").awaitJoined();
        time.awaitSomebodyTimed();
        time.advance(Duration.ofNanos(999_999));
        backend.expectNoneStarted();
        time.advance(Duration.ofNanos(1));
        Execution d = backend.next();
        for (Execution execution : Arrays.asList(a, b, c, d)) {
            execution.succeed();
        }
        for (Caller caller : Arrays.asList(lone, second, third, fourth)) {
            assertThat(caller.output()).startsWith("answer to ");
        }
        assertThat(subject.engine().groupCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void theEndOfTheLastBatchInFlightStartsTheNext(Kind kind) throws Exception {
        Subject subject = subject(kind, options());
        Caller first = subject.submit("a");
        Execution a = backend.next();
        time.advance(Duration.ofMillis(9));
        Caller second = subject.submit("b");
        Execution b = backend.next();
        Caller third = subject.submit("c").awaitJoined();
        backend.expectNoneStarted();
        b.succeed();
        second.output();
        Execution c = backend.next();
        Eventually.until(() -> time.timed() == 0);
        c.succeed();
        a.succeed();
        assertThat(first.output()).isEqualTo("answer to a");
        assertThat(third.output()).isEqualTo("answer to c");
    }

    @ParameterizedTest
    @EnumSource
    void anEndBesideOthersInFlightStartsNoBatchAndACallerThatComesWhenItIsDueDoes(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxWaitRatio(0.1));
        Caller first = subject.submit("a");
        Execution a = backend.next();
        time.advance(Duration.ofMillis(9));
        subject.submit("b");
        Execution b = backend.next();
        subject.submit("c").awaitJoined();
        time.awaitSomebodyTimed();
        time.advance(Duration.ofMillis(1));
        Execution c = backend.next();
        subject.submit("d").awaitJoined();
        a.succeed();
        first.output();
        backend.expectNoneStarted();
        // The oldest is b now, 1 ms older than the last start: 0.1 / 0.9 of that is 0.111 ms.
        time.advance(Duration.ofNanos(111_110));
        subject.submit("e").awaitJoined();
        backend.expectNoneStarted();
        time.advance(Duration.ofNanos(1));
        subject.submit("f");
        Execution together = backend.next();
        assertThat(together.inputs).containsExactly("d", "e", "f");
        together.succeed();
        b.succeed();
        c.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void anEndThatOvertakesAnOutlierShortensTheWaitOfCallersThatGather(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxWait(Duration.ofDays(1)));
        subject.submit("hung");
        Execution hangs = backend.next();
        time.advance(Duration.ofHours(9));
        Caller second = subject.submit("b");
        Execution b = backend.next();
        subject.submit("c").awaitJoined();
        time.awaitSomebodyTimed();
        time.advance(Duration.ofHours(1));
        Execution c = backend.next();
        subject.submit("d").awaitJoined();
        time.awaitSomebodyTimed();
        b.succeed();
        second.output();
        // Measured by c, the oldest but for the outlier and the last start at once, d is due.
        Execution d = backend.next();
        assertThat(d.inputs).containsExactly("d");
        c.succeed();
        d.succeed();
        hangs.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0 && time.timed() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void P05_waitingIsBoundedByMaxWaitHoweverOldTheOldestIs(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxWait(Duration.ofMillis(20)));
        Caller hung = subject.submit("hung");
        Execution hangs = backend.next();
        time.advance(Duration.ofHours(1));
        Caller second = subject.submit("b");
        Execution b = backend.next();
        Caller third = subject.submit("c").awaitJoined();
        time.awaitSomebodyTimed();
        time.advance(Duration.ofMillis(20).minusNanos(1));
        backend.expectNoneStarted();
        time.advance(Duration.ofNanos(1));
        backend.next().succeed();
        assertThat(third.output()).isEqualTo("answer to c");
        b.succeed();
        hangs.succeed();
        assertThat(hung.output()).isEqualTo("answer to hung");
        assertThat(second.output()).isEqualTo("answer to b");
    }

    @ParameterizedTest
    @EnumSource
    void P05_aBatchThatALaterOneOvertookDoesNotCountAsTheOldest(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxWait(Duration.ofDays(1)));
        Caller hung = subject.submit("hung");
        Execution hangs = backend.next();
        time.advance(Duration.ofHours(1));
        Caller second = subject.submit("b");
        backend.next().succeed();
        second.output();
        // Nothing but the outlier is in flight, so a caller that comes starts at once, again and again.
        for (int i = 0; i < 3; i++) {
            Caller next = subject.submit("c" + i);
            backend.next().succeed();
            assertThat(next.output()).isEqualTo("answer to c" + i);
        }
        assertThat(hung.end()).isNotDone();
        hangs.succeed();
        assertThat(hung.output()).isEqualTo("answer to hung");
        assertThat(subject.engine().groupCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aRatioOfZeroStartsEveryBatchAtOnce(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxWaitRatio(0));
        for (int i = 0; i < 5; i++) {
            subject.submit("a" + i);
            assertThat(backend.next().inputs).containsExactly("a" + i);
            time.advance(Duration.ofMillis(1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void P16_aFullBatchLeavesAtOnceAndTheNextInputOpensAnother(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxBatchSize(3).maxWaitRatio(0.9));
        subject.submit("a");
        Execution a = backend.next();
        time.advance(Duration.ofSeconds(1));
        subject.submit("b");
        Execution b = backend.next();
        subject.submit("c").awaitJoined();
        subject.submit("d").awaitJoined();
        backend.expectNoneStarted();
        subject.submit("e");
        Execution full = backend.next();
        assertThat(full.inputs).containsExactly("c", "d", "e");
        Caller last = subject.submit("f").awaitJoined();
        backend.expectNoneStarted();
        full.succeed();
        Execution f = backend.next();
        assertThat(f.inputs).containsExactly("f");
        f.succeed();
        last.output();
        a.succeed();
        b.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void aBatchSizeOfOneCollapsesNothing(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxBatchSize(1));
        for (int i = 0; i < 4; i++) {
            subject.submit("a" + i);
            assertThat(backend.next().inputs).containsExactly("a" + i);
        }
    }

    @ParameterizedTest
    @EnumSource
    void P16_withOneBatchAtATimeTheNextGathersUntilThePresentOneHasEnded(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxConcurrentBatches(1).maxBatchSize(2));
        subject.submit("a");
        Execution a = backend.next();
        for (String input : Arrays.asList("b", "c", "d", "e", "f")) {
            subject.submit(input).awaitJoined();
        }
        time.advance(Duration.ofHours(1));
        backend.expectNoneStarted();
        for (List<String> expected :
                Arrays.asList(Arrays.asList("b", "c"), Arrays.asList("d", "e"), Arrays.asList("f"))) {
            a.succeed();
            a = backend.next();
            assertThat(a.inputs).isEqualTo(expected);
            backend.expectNoneStarted();
        }
        a.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void groupsDoNotWaitForEachOther(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxConcurrentBatches(1));
        subject.submit("x/a");
        subject.submit("y/a");
        Execution one = backend.next();
        Execution other = backend.next();
        assertThat(subject.engine().groupCount()).isEqualTo(2);
        one.succeed();
        other.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void aPositiveCollectingWaitTimeEndsTheMomentTheThresholdIsReached(Kind kind) throws Exception {
        Subject subject =
                subject(kind, options().collectingWaitTime(Duration.ofMillis(5)).waitThreshold(3));
        subject.submit("a").awaitJoined();
        subject.submit("b").awaitJoined();
        time.advance(Duration.ofMillis(4));
        backend.expectNoneStarted();
        subject.submit("c");
        assertThat(backend.next().inputs).containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @EnumSource
    void aPositiveCollectingWaitTimeIsWaitedBelowTheThreshold(Kind kind) throws Exception {
        Subject subject =
                subject(kind, options().collectingWaitTime(Duration.ofMillis(5)).waitThreshold(3));
        subject.submit("a").awaitJoined();
        time.awaitSomebodyTimed();
        time.advance(Duration.ofMillis(3));
        subject.submit("b").awaitJoined();
        time.advance(Duration.ofMillis(2).minusNanos(1));
        backend.expectNoneStarted();
        time.advance(Duration.ofNanos(1));
        assertThat(backend.next().inputs).containsExactly("a", "b");
    }

    @ParameterizedTest
    @EnumSource
    void aCollectingWaitTimeOfZeroYieldsOnceAndANegativeOneNever(Kind kind) throws Exception {
        Subject yielding = subject(kind, options());
        yielding.submit("a");
        backend.next().succeed();
        assertThat(time.yields).hasValue(1);
        Subject notYielding = subject(kind, options().collectingWaitTime(Duration.ofMillis(-1)));
        notYielding.submit("a");
        backend.next().succeed();
        assertThat(time.yields).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource
    void aCallerThatComesDuringTheYieldIsInTheBatch(Kind kind) throws Exception {
        Subject subject = subject(kind, options());
        time.duringNextYield(() -> subject.submit("b").awaitJoined());
        subject.submit("a");
        Execution together = backend.next();
        assertThat(together.inputs).containsExactly("a", "b");
        together.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void aCallerThatComesAgainAloneDoesNotYieldAgain(Kind kind) throws Exception {
        backend.answering();
        Subject subject = subject(kind, options());
        for (int i = 0; i < 3; i++) {
            subject.callOnThisThread("a" + i);
        }
        assertThat(time.yields).hasValue(1);
    }

    /** As where every input is of another group; each submit comes from another thread. */
    @ParameterizedTest
    @EnumSource
    void yieldsThatBringNoCompanyStop(Kind kind) throws Exception {
        Subject subject = subject(kind, options());
        submitOneByOne(subject, 100);
        assertThat(time.yields).hasValue(8);
    }

    @ParameterizedTest
    @EnumSource
    void aCallerThatMeetsAnotherMakesYieldsUsualAgain(Kind kind) throws Exception {
        Subject subject = subject(kind, options());
        submitOneByOne(subject, 100);
        submitOnAnotherThread(subject, "first");
        Execution first = backend.next();
        submitOnAnotherThread(subject, "met");
        backend.next().succeed();
        first.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
        int before = time.yields.get();
        submitOneByOne(subject, 100);
        assertThat(time.yields).hasValue(before + 8);
    }

    private void submitOneByOne(Subject subject, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            submitOnAnotherThread(subject, "lone");
            backend.next().succeed();
            Eventually.until(() -> subject.engine().groupCount() == 0);
        }
    }

    private static void submitOnAnotherThread(Subject subject, String input) throws Exception {
        Thread thread = new Thread(() -> subject.submit(input));
        thread.start();
        thread.join();
    }

    @ParameterizedTest
    @EnumSource
    void aThresholdOfZeroNeitherWaitsNorYields(Kind kind) throws Exception {
        Subject subject =
                subject(kind, options().collectingWaitTime(Duration.ofMillis(5)).waitThreshold(0));
        subject.submit("a");
        backend.next().succeed();
        Subject yielding =
                subject(kind, options().collectingWaitTime(Duration.ZERO).waitThreshold(0));
        yielding.submit("a");
        backend.next().succeed();
        assertThat(time.yields).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void P09_inputsStandInABatchInOrderOfSubmission(Kind kind) throws Exception {
        Subject subject = subject(kind, options().maxConcurrentBatches(1));
        subject.submit("first");
        Execution first = backend.next();
        String[] inputs = new String[100];
        for (int i = 0; i < inputs.length; i++) {
            inputs[i] = "input " + i;
            subject.submit(inputs[i]).awaitJoined();
        }
        first.succeed();
        Execution second = backend.next();
        assertThat(second.inputs).containsExactly(inputs);
        second.succeed();
    }
}
