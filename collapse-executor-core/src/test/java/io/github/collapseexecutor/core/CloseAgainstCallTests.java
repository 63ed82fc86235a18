package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that come to an executor just before it is closed, and are submitted just after. */
class CloseAgainstCallTests {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Backend backend = new Backend();
    private final CollapseOptions oneAtATime =
            CollapseOptions.builder().name("users").maxConcurrentBatches(1).build();

    private static void expectCounts(CollapseExecutor executor, int callers, int gathering, int inFlight, int groups) {
        assertThat(executor.counts())
                .hasToString("callers=" + callers + ", gathering=" + gathering + ", batchesInFlight=" + inFlight
                        + ", groups=" + groups);
    }

    private static void expectClosed(Subject subject, String input) {
        assertThatThrownBy(() -> subject.callOnThisThread(input))
                .isInstanceOf(ExecutorClosedException.class)
                .hasMessageStartingWith("Executor \"users\" is closed");
    }

    /** The close comes just between a caller's look whether the executor is closed and its submission. */
    @ParameterizedTest
    @EnumSource
    void P12_aCallThatMeetsTheCloseIsRefusedAndNotExecuted(Kind kind) {
        List<CollapseExecutor> closing = new ArrayList<>();
        ContextCarrier closer = new ContextCarrier() {
            @Override
            public Object capture() {
                return closing.get(0).close(Duration.ZERO);
            }

            @Override
            public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
                return execution.call();
            }
        };
        CollapseOptions options =
                oneAtATime.toBuilder().maxPending(1).contextCarrier(closer).build();
        Subject subject = kind.subject(options, backend.answering());
        closing.add(subject.executor());
        for (int i = 0; i < 2; i++) {
            expectClosed(subject, "late");
        }
        assertThat(backend.batches()).isEmpty();
        expectCounts(subject.executor(), 0, 0, 0, 0);
    }

    /** The call joins a batch that another caller opened before the close, waiting or in flight. */
    @ParameterizedTest
    @CsvSource({
        "BLOCKING, FRESH",
        "BLOCKING, IN_FLIGHT",
        "ASYNC, FRESH",
        "ASYNC, IN_FLIGHT",
        "FUTURE, FRESH",
        "FUTURE, IN_FLIGHT"
    })
    void P12_aCallThatMeetsTheCloseInTheBatchOfAnotherHurtsNoOther(Kind kind, JoinMode joinMode) throws Exception {
        List<Closer> closers = new ArrayList<>();
        AtomicReference<CollapseExecutor> closing = new AtomicReference<>();
        ContextCarrier closer = new ContextCarrier() {
            @Override
            public Object capture() {
                CollapseExecutor executor = closing.get();
                if (executor != null) {
                    closers.add(new Closer(executor, LONG).awaitWaiting());
                }
                return "";
            }

            @Override
            public <T> T around(List<Object> contexts, Callable<T> execution) throws Exception {
                return execution.call();
            }
        };
        Subject subject = kind.subject(
                oneAtATime.toBuilder()
                        .joinMode(joinMode)
                        .maxPending(10)
                        .contextCarrier(closer)
                        .build(),
                backend);
        Caller held = subject.submit("held");
        Execution inFlight = backend.next();
        Caller waiting = subject.submit("waiting").awaitJoined();
        closing.set(subject.executor());
        expectClosed(subject, joinMode == JoinMode.FRESH ? "late" : "held");
        expectCounts(subject.executor(), 2, 1, 1, 1);
        inFlight.succeed();
        Execution next = backend.next();
        assertThat(next.inputs).containsExactly("waiting");
        next.succeed();
        assertThat(held.output()).isEqualTo("answer to held");
        assertThat(waiting.output()).isEqualTo("answer to waiting");
        assertThat(closers).hasSize(1);
        assertThat(closers.get(0).result()).isTrue();
    }

    /** The close comes between a caller's submission and its second look, when another caller has started their batch. */
    @Test
    void P12_aCallThatMeetsTheCloseAndIsExecutedIsNotRefused() {
        CompletableFuture<Void> answers = new CompletableFuture<>();
        List<List<String>> executed = new ArrayList<>();
        AtomicReference<FutureCollapseExecutor<String, String>> executor = new AtomicReference<>();
        CollapseOptions collecting = CollapseOptions.builder()
                .maxBatchWeight(10)
                .collectingWaitTime(Duration.ofHours(1))
                .build();
        executor.set(CollapseExecutors.futureInOrder(
                inputs -> {
                    executed.add(inputs);
                    if (inputs.contains("light#5")) { // in the midst of the submission of the heavy call
                        CompletableFuture<String> unused = executor.get().execute("full#1");
                        assertThat(executor.get().close(Duration.ZERO)).isFalse();
                    }
                    return answers.thenApply(nothing -> inputs);
                },
                collecting.weighBy(Subject::weight)));
        CompletableFuture<String> light = executor.get().execute("light#5");
        CompletableFuture<String> heavy = executor.get().execute("heavy#9");
        assertThat(executed).containsExactly(List.of("light#5"), List.of("heavy#9", "full#1"));
        answers.complete(null);
        assertThat(light).isCompletedWithValue("light#5");
        assertThat(heavy).isCompletedWithValue("heavy#9");
        expectCounts(executor.get(), 0, 0, 0, 0);
    }
}
