package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C08: the bound on the weight of a batch. Inputs are of the form {@code name#weight}. */
class BatchWeightTests {

    private static final long LIMIT = 10;

    private final Backend backend = new Backend();
    private final CollapseOptions oneAtATime = CollapseOptions.builder()
            .maxConcurrentBatches(1)
            .maxBatchWeight(LIMIT)
            .build();
    /** A batch that nothing holds up waits for as long as the clock stands. */
    private final CollapseOptions collecting = CollapseOptions.builder()
            .collectingWaitTime(Duration.ofHours(1))
            .maxBatchWeight(LIMIT)
            .build();

    private static List<Caller> submit(Subject subject, String... inputs) {
        List<Caller> callers = new ArrayList<>();
        for (String input : inputs) {
            callers.add(subject.submit(input).awaitJoined());
        }
        return callers;
    }

    private void expectBatch(String... inputs) throws Exception {
        Execution execution = backend.next();
        assertThat(execution.inputs).containsExactly(inputs);
        execution.succeed();
    }

    private static void expectAnswered(List<Caller> callers) throws Exception {
        for (Caller caller : callers) {
            assertThat(caller.output()).startsWith("answer to ");
        }
    }

    @ParameterizedTest
    @EnumSource
    void P16_aBatchNeverOutgrowsItsWeightWhileAnotherRuns(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend);
        subject.submit("first");
        Execution first = backend.next();
        List<Caller> callers = submit(subject, "a#4", "b#4", "c#4", "d#6", "e#0", "f#9", "g#1");
        first.succeed();
        expectBatch("a#4", "b#4");
        expectBatch("c#4", "d#6");
        expectBatch("e#0", "f#9", "g#1");
        expectAnswered(callers);
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void P16_anInputThatIsHeavierThanTheLimitRunsAlone(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend);
        subject.submit("huge#" + Long.MAX_VALUE);
        Execution first = backend.next();
        List<Caller> callers = submit(subject, "a#3", "heavy#25", "b#0", "c#3", "huge#" + Long.MAX_VALUE);
        first.succeed();
        expectBatch("a#3");
        expectBatch("heavy#25");
        expectBatch("b#0", "c#3");
        expectBatch("huge#" + Long.MAX_VALUE);
        expectAnswered(callers);
    }

    @ParameterizedTest
    @EnumSource
    void P16_aBatchThatHasReachedItsWeightIsFullAndStarts(Kind kind) throws Exception {
        Subject subject = kind.subject(collecting, backend, new ManualTime());
        List<Caller> callers = submit(subject, "a#4");
        backend.expectNoneStarted();
        callers.add(subject.submit("b#6"));
        expectBatch("a#4", "b#6");
        expectAnswered(callers);
    }

    @ParameterizedTest
    @EnumSource
    void P16_anInputThatDoesNotFitStartsTheBatchBeforeItAsAFullOne(Kind kind) throws Exception {
        Subject subject = kind.subject(collecting, backend, new ManualTime());
        List<Caller> callers = submit(subject, "a#4", "b#4");
        backend.expectNoneStarted();
        callers.add(subject.submit("c#4"));
        List<List<String>> started = new ArrayList<>();
        for (int i = 0; i < 2; i++) { // the third may start beside the others, or when they have ended
            Execution execution = backend.next();
            started.add(execution.inputs);
            execution.succeed();
        }
        assertThat(started).containsExactlyInAnyOrder(List.of("a#4", "b#4"), List.of("c#4"));
        expectAnswered(callers);
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void P16_anInputThatIsWithdrawnGivesItsWeightBack(Kind kind) throws Exception {
        Subject subject = kind.subject(oneAtATime, backend);
        subject.submit("first");
        Execution first = backend.next();
        Caller leaving = subject.submit("a#6").awaitJoined();
        List<Caller> callers = submit(subject, "b#3");
        leaving.leave();
        leaving.failure();
        callers.addAll(submit(subject, "c#7", "d#1"));
        first.succeed();
        expectBatch("b#3", "c#7");
        expectBatch("d#1");
        expectAnswered(callers);
    }

    @ParameterizedTest
    @EnumSource
    void P16_groupsAreWeighedApart(Kind kind) throws Exception {
        Subject subject = kind.subject(collecting, backend, new ManualTime());
        submit(subject, "x/a#6", "y/a#6");
        backend.expectNoneStarted();
        subject.submit("x/b#4");
        expectBatch("x/a#6", "x/b#4");
        backend.expectNoneStarted();
        subject.submit("y/b#4");
        expectBatch("y/a#6", "y/b#4");
    }

    @ParameterizedTest
    @EnumSource
    void P02_aWeightThatFailsHurtsItsOwnCallerAndIsNotCounted(Kind kind) throws Exception {
        CollapseOptions options = oneAtATime.toBuilder().maxPending(1).build();
        Subject subject = kind.subject(options, backend.answering());
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> subject.callOnThisThread("a#-7"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("The weight of an input is -7: weightOf or weighBy must not return a negative one");
            assertThatThrownBy(() -> subject.callOnThisThread("a#heavy")).isInstanceOf(NumberFormatException.class);
            assertThat(subject.callOnThisThread("a")).isEqualTo("answer to a");
        }
        assertThat(subject.engine().groupCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void P16_noBatchOutgrowsItsWeightWhateverTheOrderOfEvents(Kind kind) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        CollapseOptions options = CollapseOptions.builder()
                .maxBatchWeight(LIMIT)
                .maxConcurrentBatches(1 + random.nextInt(3))
                .maxBatchSize(1 + random.nextInt(8))
                .build();
        Subject subject = kind.subject(options, backend.answering());
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            Random weights = new Random(random.nextLong());
            int number = thread;
            threads.add(CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < 500; i++) {
                            callUnchecked(subject, number + "." + i + "#" + weights.nextInt(13));
                        }
                    },
                    task -> new Thread(task).start()));
        }
        for (CompletableFuture<Void> thread : threads) {
            thread.get(60, TimeUnit.SECONDS);
        }
        assertThat(backend.batches()).as("seed %s, %s", seed, options).allSatisfy(batch -> {
            long weight = batch.stream().mapToLong(Subject::weight).sum();
            assertThat(weight <= LIMIT || batch.size() == 1).as("%s", batch).isTrue();
        });
        assertThat(backend.batches().stream().mapToInt(List::size).sum()).isEqualTo(4_000);
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    private static void callUnchecked(Subject subject, String input) {
        try {
            assertThat(subject.callOnThisThread(input)).isEqualTo("answer to " + input);
        } catch (Exception e) {
            throw new IllegalStateException(input, e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void P16_executorsOfFunctionsWeighTheirInputsByAFunction(Kind kind) throws Exception {
        FunctionSubject inOrder = FunctionSubject.inOrder(kind, backend, oneAtATime.weighBy(String::length));
        FunctionSubject byKey = FunctionSubject.byKey(kind, backend, oneAtATime.weighBy(String::length));
        for (FunctionSubject subject : List.of(inOrder, byKey)) {
            List<Caller> callers = new ArrayList<>();
            callers.add(subject.submit("first"));
            Execution first = backend.next();
            for (String input : List.of("1234567", "89", "0", "next")) {
                callers.add(subject.submit(input).awaitJoined());
            }
            first.succeed();
            expectBatch("1234567", "89", "0");
            expectBatch("next");
            expectAnswered(callers);
        }
    }

    @Test
    void P16_whereNothingBoundsTheWeightNothingIsWeighed() throws Exception {
        BlockingCollapseExecutor<String, String> executor = CollapseExecutors.blockingInOrder(
                inputs -> inputs, CollapseOptions.defaults().weighBy(input -> {
                    throw new AssertionError("weighed " + input);
                }));
        assertThat(executor.execute("a")).isEqualTo("a");
    }

    @Test
    void P16_anInputWeighsOneWhereNothingElseIsSaid() {
        assertThat(CollapseOptions.defaults().weightOf("anything")).isOne();
        assertThat(CollapseOptions.defaults().<String>groupBy(String::length).weightOf("anything"))
                .isOne();
    }
}
