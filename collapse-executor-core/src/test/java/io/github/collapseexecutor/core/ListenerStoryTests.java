package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.CallSummary.Role;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C14: what a listener is told from a call's submission to the end of its batch. */
class ListenerStoryTests {

    /** Writes down every event. */
    private static final class Story implements CollapseListener {

        private final List<Object> events = new ArrayList<>();

        private synchronized void add(Object event) {
            events.add(event);
        }

        synchronized <T> List<T> of(Class<T> type) {
            return events.stream().filter(type::isInstance).map(type::cast).toList();
        }

        <T> T only(Class<T> type) {
            Eventually.until(() -> !of(type).isEmpty());
            assertThat(of(type)).hasSize(1);
            return of(type).get(0);
        }

        @Override
        public void batchStarted(BatchStart batch) {
            add(batch);
        }

        @Override
        public void batchEnded(BatchSummary batch) {
            add(batch);
        }

        @Override
        public void callLeft(CallDeparture departure) {
            add(departure);
        }

        @Override
        public void callRefused(String executor, Object group, RuntimeException refusal) {
            add(executor + " refused a call for " + group + ": " + refusal.getMessage());
        }
    }

    private final Story story = new Story();
    private final Backend backend = new Backend();
    private final ManualTime time = new ManualTime();
    private final CollapseOptions oneAtATime = CollapseOptions.builder()
            .name("users")
            .maxConcurrentBatches(1)
            .listener(story)
            .build();

    @ParameterizedTest
    @EnumSource
    void P17_startAndEndOfABatchHaveItsIdAndItsCallersTheirRolesAndWaits(Kind kind) throws Exception {
        Subject subject =
                kind.subject(oneAtATime.toBuilder().joinMode(JoinMode.IN_FLIGHT).build(), backend, time);
        Caller leader = subject.submit("g/a");
        Execution execution = backend.next();
        time.advance(Duration.ofMillis(2));
        Caller joining = subject.submit("g/a").awaitJoined();
        BatchStart start = story.only(BatchStart.class);
        assertThat(start.executor()).isEqualTo("users");
        assertThat(start.group()).isEqualTo("g");
        assertThat(start.size()).isOne();
        assertThat(start.waitNanos()).isZero();
        assertThat(start).hasToString("Batch " + start.id() + " of \"users\" starts: size=1, waitNanos=0");
        time.advance(Duration.ofMillis(3));
        execution.succeed();
        leader.output();
        joining.output();
        BatchSummary end = story.only(BatchSummary.class);
        assertThat(end.id()).isEqualTo(start.id());
        assertThat(end.ranTwice()).isFalse();
        assertThat(end.calls()).extracting(CallSummary::role).containsExactly(Role.LEADER, Role.JOINED_IN_FLIGHT);
        assertThat(end.calls())
                .extracting(CallSummary::waitNanos)
                .containsExactly(
                        Duration.ofMillis(5).toNanos(), Duration.ofMillis(3).toNanos());
        assertThat(end)
                .asString()
                .startsWith("Batch " + end.id() + " of \"users\": outcome=BOUND, size=1, callers=2, waitNanos=0,");
        assertThat(end.calls().get(0)).hasToString("LEADER after 5000000 ns");
    }

    @ParameterizedTest
    @EnumSource
    void P17_batchesHaveDifferentIdsAndFollowersTheirWait(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend, time);
        subject.submit("first");
        Execution first = backend.next();
        Caller a = subject.submit("a").awaitJoined();
        time.advance(Duration.ofMillis(4));
        Caller b = subject.submit("b").awaitJoined();
        first.succeed();
        Execution second = backend.next();
        time.advance(Duration.ofMillis(1));
        second.succeed();
        a.output();
        b.output();
        Eventually.until(() -> story.of(BatchSummary.class).size() == 2);
        BatchSummary two = story.of(BatchSummary.class).stream()
                .filter(batch -> batch.size() == 2)
                .findFirst()
                .orElseThrow();
        assertThat(story.of(BatchStart.class)).extracting(BatchStart::id).doesNotHaveDuplicates();
        assertThat(two.calls()).extracting(CallSummary::role).containsExactly(Role.LEADER, Role.FOLLOWER);
        assertThat(two.calls())
                .extracting(CallSummary::waitNanos)
                .containsExactly(
                        Duration.ofMillis(5).toNanos(), Duration.ofMillis(1).toNanos());
    }

    @ParameterizedTest
    @EnumSource
    void P17_callersThatLeaveAreToldWithTheirReason(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend, time);
        CompletableFuture<String> signal = new CompletableFuture<>();
        subject.submit("first");
        Execution first = backend.next();
        Caller timedOut = subject.submit("a", CallOptions.defaults().timeout(Duration.ofSeconds(1)))
                .awaitJoined();
        Caller signalled =
                subject.submit("b", CallOptions.defaults().cancelSignal(signal)).awaitJoined();
        Caller leaving = subject.submit("c").awaitJoined();
        time.awaitSomebodyTimed();
        time.advance(Duration.ofSeconds(1));
        timedOut.failure();
        signal.complete("now");
        signalled.failure();
        leaving.leave();
        leaving.failure();
        Eventually.until(() -> story.of(CallDeparture.class).size() == 3);
        List<CallDeparture> departures = story.of(CallDeparture.class);
        assertThat(departures)
                .extracting(CallDeparture::reason)
                .containsExactly(
                        CallDeparture.Reason.TIMED_OUT,
                        CallDeparture.Reason.CANCELLED,
                        kind == Kind.BLOCKING ? CallDeparture.Reason.INTERRUPTED : CallDeparture.Reason.CANCELLED);
        assertThat(departures).allSatisfy(departure -> {
            assertThat(departure.executor()).isEqualTo("users");
            assertThat(departure.group()).isEqualTo("");
            assertThat(departure.batchId()).isEqualTo(departures.get(0).batchId());
            assertThat(departure.hasStarted()).isFalse();
            assertThat(departure.waitNanos()).isEqualTo(Duration.ofSeconds(1).toNanos());
        });
        assertThat(departures.get(0))
                .hasToString("Caller left batch " + departures.get(0).batchId()
                        + " of \"users\": reason=TIMED_OUT, started=false, waitNanos=1000000000");
        first.succeed();
        BatchSummary end = story.only(BatchSummary.class);
        assertThat(end.id()).isNotEqualTo(departures.get(0).batchId());
    }

    @Test
    void P17_aCallerThatCompletesItsFutureInABatchInFlightIsToldAsThat() throws Exception {
        Subject subject = Kind.FUTURE.subject(oneAtATime, backend, time);
        Caller.OfFuture caller = (Caller.OfFuture) subject.submit("a");
        backend.next();
        caller.future.complete("my own");
        CallDeparture departure = story.only(CallDeparture.class);
        assertThat(departure.reason()).isEqualTo(CallDeparture.Reason.COMPLETED);
        assertThat(departure.hasStarted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void P17_refusedCallsAreTold(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime.toBuilder().maxPending(1).build(), backend, time);
        Caller first = subject.submit("g/first");
        Execution execution = backend.next();
        assertThatThrownBy(() -> subject.callOnThisThread("g/second")).isInstanceOf(RejectedExecutionException.class);
        assertThat(story.only(String.class))
                .startsWith("users refused a call for g: Executor \"users\" has maxPending = 1 callers already");
        execution.succeed();
        first.output();
        Eventually.until(() -> subject.engine().groupCount() == 0);
        assertThat(subject.executor().close(Duration.ofMinutes(1))).isTrue();
        assertThatThrownBy(() -> subject.callOnThisThread("g/third")).isInstanceOf(ExecutorClosedException.class);
        assertThat(story.of(String.class).get(1))
                .startsWith("users refused a call for g: Executor \"users\" is closed");
    }

    @Test
    void P17_aBatchThatRanTwiceSaysSoAndItsFirstLeaderHasLeft() throws Exception {
        Subject subject = Kind.BLOCKING.subject(oneAtATime, backend, time);
        Caller first = subject.submit("first");
        Execution ahead = backend.next();
        Caller leader = subject.submit("a").awaitJoined();
        Caller follower = subject.submit("b").awaitJoined();
        ahead.succeed();
        first.output();
        backend.next();
        leader.leave();
        leader.failure();
        backend.next().succeed();
        follower.output();
        Eventually.until(() -> story.of(BatchSummary.class).size() == 2);
        BatchSummary second = story.of(BatchSummary.class).get(1);
        assertThat(second.ranTwice()).isTrue();
        assertThat(second.calls()).extracting(CallSummary::role).containsExactly(Role.LEADER);
        CallDeparture departure = story.only(CallDeparture.class);
        assertThat(departure.reason()).isEqualTo(CallDeparture.Reason.INTERRUPTED);
        assertThat(departure.hasStarted()).isTrue();
        assertThat(departure.batchId()).isEqualTo(second.id());
        assertThat(story.of(BatchStart.class)).hasSize(2);
    }

    @Test
    void optionsPrintEverySetting() {
        assertThat(CollapseOptions.builder().name("users").maxPending(7).build())
                .hasToString("CollapseOptions[name=\"users\", maxBatchSize=unlimited, maxBatchWeight=unlimited,"
                        + " maxConcurrentBatches=unlimited, maxConcurrentBatchesTotal=unlimited, maxPending=7, maxWaitRatio=0.1, maxWait=PT1S,"
                        + " waitThreshold=10, collectingWaitTime=PT0S, joinMode=FRESH, maxJoinAge=null, atMostOnce=false,"
                        + " callTimeout=null, listener=null, contextCarrier=null, callWrapper=null]");
    }
}
