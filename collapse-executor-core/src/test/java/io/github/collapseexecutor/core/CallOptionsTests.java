package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one caller wants otherwise than the others of its executor. */
class CallOptionsTests {

    private final Backend backend = new Backend();
    private final ManualTime time = new ManualTime();
    private final CollapseOptions oneAtATime =
            CollapseOptions.builder().name("users").maxConcurrentBatches(1).build();
    private final CollapseOptions inFlight =
            oneAtATime.toBuilder().joinMode(JoinMode.IN_FLIGHT).build();

    private static CallOptions within(Duration timeout) {
        return CallOptions.defaults().timeout(timeout);
    }

    @ParameterizedTest
    @EnumSource
    void P06_aCallerWhoseOwnTimeoutPassesLeavesAndAffectsNobody(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend, time);
        subject.submit("first");
        Execution first = backend.next();
        Caller leaving = subject.submit("a", within(Duration.ofSeconds(5))).awaitJoined();
        Caller staying = subject.submit("b").awaitJoined();
        time.awaitSomebodyTimed();
        time.advance(Duration.ofSeconds(5));
        assertThat(leaving.failure())
                .isInstanceOf(CallerTimeoutException.class)
                .hasMessage("No answer of \"users\" within timeout = 5000 ms");
        first.succeed();
        Execution second = backend.next();
        assertThat(second.inputs).containsExactly("b");
        second.succeed();
        assertThat(staying.output()).isEqualTo("answer to b");
        Eventually.until(() -> time.timed() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void P06_theLesserOfTheCallersTimeoutAndThatOfAllCounts(Kind kind) throws Exception {
        CollapseOptions bounded =
                oneAtATime.toBuilder().callTimeout(Duration.ofSeconds(5)).build();
        Subject subject = kind.subject(bounded, backend, time);
        subject.submit("first");
        Execution first = backend.next();
        // It leads the batch: if another one did, it would be woken when that one leaves, and might miss the clock.
        Caller patient = subject.submit("b", within(Duration.ofSeconds(9))).awaitJoined();
        Caller impatient = subject.submit("a", within(Duration.ofSeconds(1))).awaitJoined();
        Caller equal = subject.submit("c", within(Duration.ofSeconds(5))).awaitJoined();
        awaitTimed(kind == Kind.BLOCKING ? 3 : 4);
        time.advance(Duration.ofSeconds(1));
        assertThat(impatient.failure()).isInstanceOf(CallerTimeoutException.class);
        time.advance(Duration.ofSeconds(4));
        for (Caller caller : List.of(patient, equal)) {
            assertThat(caller.failure())
                    .isExactlyInstanceOf(TimeoutException.class)
                    .hasMessage("No answer of \"users\" within callTimeout = 5000 ms");
        }
        first.result.cancel(false);
    }

    private void awaitTimed(int callers) {
        Eventually.until(() -> time.timed() == callers);
    }

    @ParameterizedTest
    @EnumSource
    void P06_oneSignalCancelsAnyNumberOfCallsAndNoOther(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend);
        CompletableFuture<String> signal = new CompletableFuture<>();
        CallOptions cancellable = CallOptions.defaults().cancelSignal(signal);
        subject.submit("first");
        Execution first = backend.next();
        List<Caller> leaving = List.of(
                subject.submit("a", cancellable).awaitJoined(),
                subject.submit("b", cancellable).awaitJoined());
        Caller staying = subject.submit("c").awaitJoined();
        signal.completeExceptionally(new IllegalStateException("however it ends"));
        for (Caller caller : leaving) {
            assertThat(caller.failure()).isInstanceOf(CancellationException.class);
        }
        first.succeed();
        Execution second = backend.next();
        assertThat(second.inputs).containsExactly("c");
        second.succeed();
        staying.output();
    }

    @ParameterizedTest
    @EnumSource
    void P06_aCallerThatWasCancelledBeforeItCameDoesNotWait(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend);
        CallOptions cancelled = CallOptions.defaults().cancelSignal(CompletableFuture.completedFuture("over"));
        subject.submit("first");
        Execution first = backend.next();
        assertThat(subject.submit("a", cancelled).failure()).isInstanceOf(CancellationException.class);
        first.succeed();
        Eventually.until(() -> subject.engine().groupCount() == 0);
        assertThat(backend.batches()).containsExactly(List.of("first"));
    }

    @ParameterizedTest
    @EnumSource
    void P03_aCallThatAsksForAFreshAnswerJoinsNoBatchInFlight(Kind kind) throws Exception {
        Subject subject =
                kind.subject(inFlight.toBuilder().maxConcurrentBatches(2).build(), backend);
        Caller first = subject.submit("a");
        Execution old = backend.next();
        Caller joining = subject.submit("a").awaitJoined();
        Caller fresh = subject.submit("a", CallOptions.defaults().joinMode(JoinMode.FRESH));
        Execution second = backend.next();
        assertThat(second.inputs).containsExactly("a");
        second.succeed();
        assertThat(fresh.output()).isEqualTo("answer to a");
        old.succeed();
        first.output();
        joining.output();
        assertThat(backend.batches()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void aCallCannotJoinInFlightWhereItsExecutorKeepsNoAccountOfThat(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime.toBuilder().maxPending(1).build(), backend.answering());
        CallOptions joining = CallOptions.defaults().joinMode(JoinMode.IN_FLIGHT);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> subject.callOnThisThread("a", joining))
                    .isInstanceOf(InvalidOptionException.class)
                    .hasMessage(
                            "joinMode is IN_FLIGHT: the executor \"users\" was made with joinMode FRESH; make it with"
                                    + " IN_FLIGHT, and let the calls that need a fresh answer ask for FRESH");
        }
        assertThat(subject.callOnThisThread("a", CallOptions.defaults().joinMode(JoinMode.FRESH)))
                .isEqualTo("answer to a");
    }

    @Test
    void executorsOfCallablesAndOfFunctionsTakeThemToo() throws Exception {
        CallOptions options = within(Duration.ofMinutes(1)).cancelSignal(new CompletableFuture<>());
        assertThat(new BlockingCallableGroupCollapseExecutor().<String>execute("g", () -> "a", options))
                .isEqualTo("a");
        assertThat(new AsyncCallableGroupCollapseExecutor()
                        .<String>execute("g", () -> "a", options)
                        .get(10, TimeUnit.SECONDS))
                .isEqualTo("a");
        assertThat(new FutureCallableGroupCollapseExecutor()
                        .<String>execute("g", () -> CompletableFuture.completedFuture("a"), options))
                .isCompletedWithValue("a");
        BlockingCollapseExecutor<String, String> blocking =
                CollapseExecutors.blockingInOrder(inputs -> inputs, oneAtATime);
        FutureCollapseExecutor<String, String> future =
                CollapseExecutors.futureInOrder(CompletableFuture::completedFuture, oneAtATime);
        assertThat(blocking.execute("a", options)).isEqualTo("a");
        assertThat(future.execute("a", options)).isCompletedWithValue("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT9999999999H"})
    void aTimeoutOutOfRangeIsRefused(Duration timeout) {
        assertThatThrownBy(() -> CallOptions.defaults().timeout(timeout))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageStartingWith("timeout is " + timeout + ": ");
    }

    @Test
    void eachSettingIsKeptWhenAnotherIsAdded() {
        CompletableFuture<String> signal = new CompletableFuture<>();
        CallOptions options = within(Duration.ofSeconds(1)).cancelSignal(signal).joinMode(JoinMode.FRESH);
        for (CallOptions all : List.of(
                options,
                CallOptions.defaults()
                        .joinMode(JoinMode.FRESH)
                        .cancelSignal(signal)
                        .timeout(Duration.ofSeconds(1)))) {
            assertThat(all.timeout()).isEqualTo(Duration.ofSeconds(1));
            assertThat(all.cancelSignal()).isSameAs(signal);
            assertThat(all.joinMode()).isEqualTo(JoinMode.FRESH);
        }
        assertThat(options).hasToString("timeout=PT1S, cancelSignal=given, joinMode=FRESH");
        assertThat(CallOptions.defaults()).hasToString("timeout=null, cancelSignal=none, joinMode=null");
    }
}
