package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bounds on batches and callers. */
class BackPressureTests {

    private final Backend backend = new Backend();

    @ParameterizedTest
    @EnumSource
    void P16_oneCallerMoreThanMaxPendingIsRefusedUntilOneHasGone(Kind kind) throws Exception {
        Subject subject = kind.subject(
                CollapseOptions.builder()
                        .name("users")
                        .maxConcurrentBatches(1)
                        .maxPending(3)
                        .build(),
                backend);
        subject.submit("a");
        Execution a = backend.next();
        Caller b = subject.submit("b").awaitJoined();
        Caller c = subject.submit("c").awaitJoined();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> subject.callOnThisThread("d"))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessageStartingWith("Executor \"users\" has maxPending = 3 callers already");
        }
        b.leave();
        b.failure();
        Caller d = subject.submit("d").awaitJoined();
        a.succeed();
        Execution rest = backend.next();
        assertThat(rest.inputs).containsExactly("c", "d");
        rest.succeed();
        c.output();
        d.output();
        Backend again = backend.answering();
        for (int i = 0; i < 10; i++) {
            assertThat(subject.submit("e" + i).output()).isEqualTo("answer to e" + i);
        }
        assertThat(again.batches()).hasSize(12);
    }

    @ParameterizedTest
    @EnumSource
    void aCallThatIsRefusedByItsOwnKeyDoesNotStayCounted(Kind kind) throws Exception {
        Subject subject = kind.subject(CollapseOptions.builder().maxPending(1).build(), backend.answering());
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> subject.callOnThisThread(null)).isInstanceOf(NullPointerException.class);
            assertThat(subject.callOnThisThread("a")).isEqualTo("answer to a");
        }
    }

    /** Makes a call with a signal that throws, which is not asked if the call has no time to wait. */
    private static void expectAnswerOrNoSignal(Callable<String> call) throws Exception {
        String answer;
        try {
            answer = call.call();
        } catch (IllegalStateException | ExecutionException e) {
            assertThat(e).hasStackTraceContaining("no signal");
            return;
        }
        assertThat(answer).isEqualTo("answer to a");
    }

    /** A signal is an object of the caller's, whose methods may throw. */
    @ParameterizedTest
    @EnumSource
    void aCallWhoseCancelSignalThrowsDoesNotStayCounted(Kind kind) throws Exception {
        Subject subject = kind.subject(CollapseOptions.builder().maxPending(1).build(), backend.answering());
        CallOptions broken = CallOptions.defaults().cancelSignal(new CompletableFuture<String>() {
            @Override
            public boolean isDone() {
                throw new IllegalStateException("no signal");
            }
        });
        for (int i = 0; i < 5; i++) {
            expectAnswerOrNoSignal(() -> subject.callOnThisThread("a", broken));
            expectAnswerOrNoSignal(() ->
                    subject.submitEach(List.of("a"), broken).outcomes().get(0).output());
            assertThat(subject.callOnThisThread("a")).isEqualTo("answer to a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void P16_atMostMaxConcurrentBatchesOfAGroupAreInFlight(Kind kind) throws Exception {
        Subject subject = kind.subject(
                CollapseOptions.builder()
                        .maxConcurrentBatches(2)
                        .maxBatchSize(1)
                        .build(),
                backend);
        List<Caller> callers = new ArrayList<>();
        callers.add(subject.submit("0"));
        Execution one = backend.next();
        callers.add(subject.submit("1"));
        Execution two = backend.next();
        for (int i = 2; i < 6; i++) {
            callers.add(subject.submit("" + i).awaitJoined());
        }
        for (int i = 2; i < 6; i++) {
            backend.expectNoneStarted();
            one.succeed();
            one = two;
            two = backend.next();
            assertThat(two.inputs).containsExactly("" + i);
        }
        one.succeed();
        two.succeed();
        for (int i = 0; i < 6; i++) {
            assertThat(callers.get(i).output()).isEqualTo("answer to " + i);
        }
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }
}
