package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parts of a crowd, which start before the answers of an earlier batch have had the time to arrive (P5). */
class CrowdTests {

    private static final Duration CALL = Duration.ofMillis(5);
    private static final Duration LATE = Duration.ofMillis(1);
    private static final int CALLERS = 6;

    private final Backend backend = new Backend();
    private final ManualTime clock = new ManualTime();
    private final ScarceProcessors processors = new ScarceProcessors(clock);
    /** Three calls that hang, so that the group stays. */
    private final List<Execution> hanging = new ArrayList<>();

    private Subject subject(CollapseOptions.Builder options) {
        return Kind.BLOCKING.subject(options.maxWaitRatio(0.1).build(), backend, processors);
    }

    /**
     * Has a batch of six callers answered, in a group with three other callers whose calls hang and have been overtaken. Afterwards an answer counts
     * as one that takes an eighth of {@code each} to arrive, and those of a batch five eighths.
     */
    private void answerACrowd(Subject subject, Duration call, Duration each) throws Exception {
        subject.submit("hangs");
        hanging.add(backend.next());
        clock.advance(Duration.ofMillis(9));
        subject.submit("hangs too");
        hanging.add(backend.next());
        clock.advance(Duration.ofMillis(9));
        subject.submit("and a third");
        hanging.add(backend.next());
        List<Caller> crowd = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            crowd.add(subject.submit("of the crowd " + i).awaitJoined());
        }
        clock.awaitSomebodyTimed();
        clock.advance(Duration.ofMillis(2));
        Execution together = backend.next();
        assertThat(together.inputs).hasSize(CALLERS);
        clock.advance(call);
        processors.delay = each;
        together.succeed();
        for (Caller caller : crowd) {
            caller.output();
        }
        processors.delay = Duration.ZERO;
    }

    private void joinPart(Subject subject, String... inputs) throws Exception {
        for (String input : inputs) {
            subject.submit(input).awaitJoined();
        }
    }

    private void end(Execution... executions) {
        for (Execution execution : executions) {
            execution.succeed();
        }
        hanging.forEach(Execution::succeed);
    }

    @Test
    void P05_aThirdOfTheCallersLatelyPresentGoesAhead() throws Exception {
        Subject subject = subject(CollapseOptions.builder());
        answerACrowd(subject, CALL, LATE);
        subject.submit("a");
        Execution a = backend.next();
        joinPart(subject, "b", "c");
        backend.expectNoneStarted();
        subject.submit("d");
        Execution part = backend.next();
        assertThat(part.inputs).containsExactly("b", "c", "d");
        end(part, a);
    }

    @Test
    void P05_aPartWaitsForItsTurnWhileCallsOfPartsTakeLongerThanOthers() throws Exception {
        Subject subject = subject(CollapseOptions.builder());
        answerACrowd(subject, CALL, LATE);
        subject.submit("a");
        Execution a = backend.next();
        joinPart(subject, "b", "c");
        Caller d = subject.submit("d");
        Execution part = backend.next();
        clock.advance(CALL.multipliedBy(3));
        part.succeed();
        d.output();
        a.succeed();
        Eventually.until(() -> subject.engine().counts().batchesInFlight() == hanging.size());

        subject.submit("e");
        Execution e = backend.next();
        joinPart(subject, "f", "g", "h");
        backend.expectNoneStarted();
        e.succeed();
        end(backend.next());
    }

    @Test
    void P05_nobodyGoesAheadWhereACallIsShortBesideTheDelivery() throws Exception {
        Subject subject = subject(CollapseOptions.builder().collectingWaitTime(Duration.ofMillis(-1)));
        answerACrowd(subject, CALL, LATE.multipliedBy(24));
        subject.submit("a");
        Execution a = backend.next();
        joinPart(subject, "b", "c", "d");
        backend.expectNoneStarted();
        a.succeed();
        end(backend.next());
    }

    @Test
    void P05_aPartStillWaitsForATenthOfTheAgeOfTheOldest() throws Exception {
        Subject subject = subject(CollapseOptions.builder());
        answerACrowd(subject, CALL, LATE);
        subject.submit("a");
        Execution a = backend.next();
        clock.advance(Duration.ofMillis(4));
        subject.submit("beside");
        Execution beside = backend.next();
        joinPart(subject, "b", "c", "d", "e", "f");
        clock.advance(Duration.ofNanos(444_443)); // less than 0.1 / 0.9 of the time between the two starts
        joinPart(subject, "g");
        backend.expectNoneStarted();
        clock.advance(Duration.ofNanos(1));
        subject.submit("h");
        end(backend.next(), beside, a);
    }

    @ParameterizedTest
    @CsvSource({"0.1, 20, 6, false", "0.1, 20, 7, true", "0.5, 20, 9, false", "0.5, 20, 10, true", "0.1, 3, 3, false"})
    void P05_aPartIsAThirdOrTheWaitRatioOfMoreThanThreeCallers(double ratio, int callers, int part, boolean ahead) {
        Crowd crowd = crowd(ratio);
        crowd.count(callers);
        crowd.ended(1_000_000, false);
        assertThat(crowd.goesAhead(part, 50_000)).isEqualTo(ahead);
    }

    @Test
    void P05_nobodyGoesAheadBeforeACallAndADeliveryAreKnown() {
        Crowd crowd = crowd(0.1);
        crowd.count(20);
        assertThat(crowd.goesAhead(20, 50_000)).isFalse();
        crowd.ended(1_000_000, false);
        assertThat(crowd.goesAhead(20, 0)).isFalse();
        assertThat(crowd.goesAhead(20, 50_000)).isTrue();
        assertThat(crowd.goesAhead(20, 150_000)).as("three times the call").isTrue();
        assertThat(crowd.goesAhead(20, 150_001)).isFalse();
    }

    @Test
    void P05_partsAreTriedAgainAfterSomeBatches() {
        Crowd crowd = crowd(0.1);
        crowd.count(20);
        crowd.ended(1_000_000, false);
        crowd.ended(9_000_000, true);
        int batches = 0;
        while (!crowd.goesAhead(20, 50_000)) {
            crowd.ended(1_000_000, false);
            batches++;
        }
        assertThat(batches).isBetween(100, 200);
    }

    @Test
    void P05_callersThatHaveGoneAreForgottenAfterSomeBatches() {
        Crowd crowd = crowd(0.1);
        crowd.ended(1_000_000, false);
        crowd.count(1_000);
        int batches = 0;
        while (!crowd.goesAhead(20, 50_000)) {
            crowd.count(20);
            batches++;
        }
        assertThat(batches).isBetween(20, 60);
    }

    private static Crowd crowd(double ratio) {
        return new Crowd(
                new StartRule(CollapseOptions.builder().maxWaitRatio(ratio).build(), false, false, Long.MAX_VALUE));
    }
}
