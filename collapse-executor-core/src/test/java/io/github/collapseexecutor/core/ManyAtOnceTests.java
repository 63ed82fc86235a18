package io.github.collapseexecutor.core;

import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many inputs that one caller submits together. */
class ManyAtOnceTests {

    private final Backend backend = new Backend();
    private final ManualTime time = new ManualTime();

    private Subject subject(Kind kind, CollapseOptions.Builder options) {
        return kind.subject(options.build(), backend, time);
    }

    @ParameterizedTest
    @EnumSource
    void P09_aPageOfTwentyIdsMakesOneRequestInTheirOrder(Kind kind) throws Exception {
        backend.answering();
        List<String> ids = IntStream.range(0, 20).mapToObj(Integer::toString).collect(toList());
        Subject subject = subject(kind, CollapseOptions.builder());
        BulkCall page = subject.submitEach(ids, CallOptions.defaults());
        assertThat(page.shown()).isEqualTo(ids.stream().map(Backend::answer).collect(toList()));
        assertThat(backend.batches()).containsExactly(ids);
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void P16_noBatchIsLargerThanAllowed(Kind kind) throws Exception {
        backend.answering();
        BulkCall page = subject(kind, CollapseOptions.builder().maxBatchSize(2).maxConcurrentBatches(1))
                .submitEach("a", "b", "c", "d", "e");
        assertThat(page.shown()).hasSize(5).allMatch(answer -> answer.startsWith("answer to "));
        assertThat(backend.batches()).containsExactly(List.of("a", "b"), List.of("c", "d"), List.of("e"));
    }

    /** The work of a caller with many batches grows with their number, and not with its square; the clock is asked for each input that is looked at. */
    @ParameterizedTest
    @EnumSource
    void inputsBehindAFullBatchAreNotLookedAtForEachBatch(Kind kind) throws Exception {
        int inputs = 1_000;
        AtomicLong looks = new AtomicLong();
        EngineScheduler counting = new RealTime(SystemScheduler.INSTANCE) {
            @Override
            public long nanoTime() {
                looks.incrementAndGet();
                return super.nanoTime();
            }
        };
        backend.answering();
        List<String> ids =
                IntStream.range(0, inputs).mapToObj(Integer::toString).collect(toList());
        CollapseOptions options =
                CollapseOptions.builder().maxBatchSize(1).listener(batch -> {}).build();
        BulkCall page = kind.subject(options, backend, counting).submitEach(ids, CallOptions.defaults());
        assertThat(page.shown()).hasSize(inputs);
        assertThat(looks.get()).isLessThan(100L * inputs);
    }

    /** The only place: a second batch of the nested inputs would have it while the thread that is to run it runs the first. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void P08_nestedInputsThatAreToBeRunLaterHoldUpNoCallFromInsideTheFirst(int weight) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        AtomicReference<FutureCollapseExecutor<String, String>> self = new AtomicReference<>();
        CollapseOptions.Builder options = CollapseOptions.builder().maxConcurrentBatchesTotal(1);
        try {
            self.set(CollapseExecutors.asyncInOrder(
                    inputs -> {
                        if (inputs.contains("main")) {
                            self.get().executeAll(List.of("many 1", "many 2")).get(20, TimeUnit.SECONDS);
                        } else if (inputs.contains("many 1")) {
                            self.get().execute("inner").get(20, TimeUnit.SECONDS);
                        }
                        return inputs;
                    },
                    (weight == 1 ? options.maxBatchSize(1) : options.maxBatchWeight(3))
                            .build()
                            .groupBy((String input) -> input.charAt(0))
                            .weighBy((String input) -> weight),
                    thread));
            assertThat(self.get().execute("main").get(30, TimeUnit.SECONDS)).isEqualTo("main");
        } finally {
            thread.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void P16_noBatchIsHeavierThanAllowed(Kind kind) throws Exception {
        backend.answering();
        BulkCall page = subject(kind, CollapseOptions.builder().maxBatchWeight(10))
                .submitEach("a#4", "b#4", "c#4", "d#40", "e#1");
        assertThat(page.shown()).hasSize(5).allMatch(answer -> answer.startsWith("answer to "));
        Eventually.until(() -> backend.batches().size() == 4);
        assertThat(backend.batches())
                .containsExactlyInAnyOrder(List.of("a#4", "b#4"), List.of("c#4"), List.of("d#40"), List.of("e#1"));
    }

    @ParameterizedTest
    @EnumSource
    void eachGroupHasABatchOfItsOwn(Kind kind) throws Exception {
        backend.answering();
        BulkCall page =
                subject(kind, CollapseOptions.builder()).submitEach("one/a", "two/a", "one/b", "three/a", "two/b");
        assertThat(page.shown())
                .containsExactly(
                        "answer to one/a",
                        "answer to two/a",
                        "answer to one/b",
                        "answer to three/a",
                        "answer to two/b");
        assertThat(backend.batches())
                .containsExactlyInAnyOrder(List.of("one/a", "one/b"), List.of("two/a", "two/b"), List.of("three/a"));
    }

    @ParameterizedTest
    @EnumSource
    void P07_equalInputsAreSeveral_andEachHasAnOutcomeOfItsOwn(Kind kind) throws Exception {
        IOException failure = new IOException("down");
        Subject subject = kind.subject(
                CollapseOptions.defaults(),
                backend,
                (outputs, bundles) -> {
                    for (int i = 0; i < bundles.size(); i++) {
                        if (i == 1) {
                            bundles.get(i).bindError(failure);
                        } else if (i != 3) {
                            bundles.get(i).bindOutput(i + " " + bundles.get(i).getInput());
                        }
                    }
                },
                time);
        backend.answering();
        List<InputOutcome<String>> outcomes =
                subject.submitEach("a", "a", "b", "c").outcomes();
        assertThat(outcomes.get(0).output()).isEqualTo("0 a");
        assertThat(outcomes.get(0)).hasToString("output 0 a");
        assertThat(outcomes.get(1).failure()).isSameAs(failure);
        assertThat(outcomes.get(1)).hasToString("failure java.io.IOException: down");
        assertThatThrownBy(outcomes.get(1)::output).isSameAs(failure);
        assertThat(outcomes.get(2).output()).isEqualTo("2 b");
        assertThat(outcomes.get(3).failure()).isInstanceOf(UnboundOutputException.class);
        assertThatThrownBy(() -> outcomes.add(null)).isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @EnumSource
    void P02_anInputThatCannotBeSubmittedFailsAlone(Kind kind) throws Exception {
        backend.answering();
        Subject subject =
                subject(kind, CollapseOptions.builder().maxBatchWeight(10).joinMode(JoinMode.IN_FLIGHT));
        assertThat(subject.submitEach("a", "b#x", "c", "d#-1").shown())
                .containsExactly("answer to a", "NumberFormatException", "answer to c", "IllegalArgumentException");
        assertThat(subject.submitEach("a#-1").shown()).containsExactly("IllegalArgumentException");
        assertThat(subject.submitEach().shown()).isEmpty();
        Eventually.until(() -> subject.engine().groupCount() == 0);
        assertThat(subject.engine().admission().callerCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void P16_maxPendingTakesAllOrNone(Kind kind) throws Exception {
        List<Object> refused = Collections.synchronizedList(new ArrayList<>());
        Subject subject = subject(
                kind, CollapseOptions.builder().name("users").maxPending(3).listener(new CollapseListener() {
                    @Override
                    public void batchEnded(BatchSummary batch) {}

                    @Override
                    public void callRefused(String executor, Object group, RuntimeException refusal) {
                        refused.add(group);
                    }
                }));
        Caller present = subject.submit("a");
        Execution execution = backend.next();
        assertThatThrownBy(() -> thrownBy(() -> subject.submitEach("b", "c", "d")))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("\"users\" has 1 callers of maxPending = 3 already, so that 3 more are refused");
        assertThat(refused).hasSize(3);
        BulkCall fits = subject.submitEach("b", "c");
        execution.succeed();
        backend.answerAll();
        assertThat(fits.shown()).containsExactly("answer to b", "answer to c");
        assertThat(present.output()).isEqualTo("answer to a");
        Eventually.until(() -> subject.engine().admission().callerCount() == 0);
    }

    private static void thrownBy(Callable<BulkCall> call) throws Exception {
        try {
            call.call().outcomes();
        } catch (ExecutionException e) {
            throw Failures.rethrow(e.getCause());
        }
    }

    @ParameterizedTest
    @EnumSource
    void P12_aClosedExecutorRefusesAll(Kind kind) {
        Subject subject = subject(kind, CollapseOptions.builder());
        assertThat(subject.executor().close(Duration.ZERO)).isTrue();
        assertThatThrownBy(() -> thrownBy(() -> subject.submitEach("b", "c")))
                .isInstanceOf(ExecutorClosedException.class);
    }

    @ParameterizedTest
    @EnumSource
    void P12_inputsThatHaveNotStartedFailWhenItIsClosed(Kind kind) throws Exception {
        Subject subject =
                subject(kind, CollapseOptions.builder().maxConcurrentBatches(1).maxBatchSize(2));
        Caller first = subject.submit("first");
        Execution running = backend.next();
        BulkCall page = subject.submitEach("a", "b", "c").awaitJoined();
        assertThat(subject.executor().close(Duration.ZERO)).isFalse();
        assertThat(page.shown())
                .containsExactly("ExecutorClosedException", "ExecutorClosedException", "ExecutorClosedException");
        running.succeed();
        first.output();
        assertThat(backend.batches()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void P06_atTheTimeoutThoseWithoutAnAnswerLeave(Kind kind) throws Exception {
        Subject subject = subject(kind, CollapseOptions.builder().maxConcurrentBatches(1));
        Caller first = subject.submit("one/first");
        Execution running = backend.next();
        BulkCall page = subject.submitEach(
                List.of("two/a", "one/b", "one/c"), CallOptions.defaults().timeout(Duration.ofSeconds(1)));
        Execution two = backend.next();
        two.succeed();
        page.awaitAnswered(0);
        time.awaitSomebodyTimed();
        time.advance(Duration.ofSeconds(1));
        assertThat(page.shown()).containsExactly("answer to two/a", "CallerTimeoutException", "CallerTimeoutException");
        running.succeed();
        first.output();
        assertThat(backend.batches()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void P06_aCancelSignalEndsTheWaitForAll(Kind kind) throws Exception {
        Subject subject = subject(kind, CollapseOptions.builder().maxConcurrentBatches(1));
        Caller first = subject.submit("first");
        Execution running = backend.next();
        CompletableFuture<Void> signal = new CompletableFuture<>();
        BulkCall page = subject.submitEach(
                        List.of("a", "b"), CallOptions.defaults().cancelSignal(signal))
                .awaitJoined();
        signal.complete(null);
        assertThat(page.shown()).containsExactly("CancellationException", "CancellationException");
        running.succeed();
        first.output();
        assertThat(backend.batches()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void P06_leavingWithdrawsTheInputsThatHaveNotStarted(Kind kind) throws Exception {
        Subject subject = subject(kind, CollapseOptions.builder().maxConcurrentBatches(1));
        Caller first = subject.submit("first");
        Execution running = backend.next();
        BulkCall page = subject.submitEach("a", "b").awaitJoined();
        Caller other = subject.submit("c").awaitJoined();
        page.leave();
        if (kind == Kind.BLOCKING) {
            assertThatThrownBy(page::outcomes).hasCauseInstanceOf(InterruptedException.class);
        } else {
            assertThat(page.shown()).containsExactly("CancellationException", "CancellationException");
        }
        running.succeed();
        Execution next = backend.next();
        assertThat(next.inputs).containsExactly("c");
        next.succeed();
        assertThat(other.output()).isEqualTo("answer to c");
        first.output();
    }

    @ParameterizedTest
    @EnumSource
    void callsInFlightAreJoined(Kind kind) throws Exception {
        Subject subject = subject(kind, CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT));
        Caller first = subject.submit("a");
        Execution running = backend.next();
        BulkCall page = subject.submitEach("a", "b");
        Execution rest = backend.next();
        assertThat(rest.inputs).containsExactly("b");
        rest.succeed();
        page.awaitJoined();
        running.succeed();
        assertThat(page.shown()).containsExactly("answer to a", "answer to b");
        assertThat(first.output()).isEqualTo("answer to a");
    }

    @ParameterizedTest
    @EnumSource
    void othersJoinABatchOfMany_andManyJoinOthers(Kind kind) throws Exception {
        Subject subject = subject(kind, CollapseOptions.builder().maxConcurrentBatches(1));
        Caller first = subject.submit("first");
        Execution running = backend.next();
        Caller before = subject.submit("x").awaitJoined();
        BulkCall page = subject.submitEach("a", "b").awaitJoined();
        Caller after = subject.submit("y").awaitJoined();
        running.succeed();
        Execution all = backend.next();
        assertThat(all.inputs).containsExactly("x", "a", "b", "y");
        all.succeed();
        assertThat(page.shown()).containsExactly("answer to a", "answer to b");
        assertThat(before.output()).isEqualTo("answer to x");
        assertThat(after.output()).isEqualTo("answer to y");
        first.output();
    }

    /** The thread that waits for a call of one group must not hold up the callers of another. */
    @Test
    void P05_aThreadThatRunsOneBatchHandsTheOthersOn() throws Exception {
        Subject subject = subject(Kind.BLOCKING, CollapseOptions.builder().maxConcurrentBatches(1));
        Caller blocker = subject.submit("two/first");
        Execution first = backend.next();
        Caller holder = subject.submit("one/first");
        Execution second = backend.next();
        BulkCall page = subject.submitEach("one/a", "two/a").awaitJoined();
        Caller follower = subject.submit("two/b").awaitJoined();
        second.succeed();
        Execution hangs = backend.next();
        assertThat(hangs.inputs).containsExactly("one/a");
        first.succeed();
        Execution handedOn = backend.next();
        assertThat(handedOn.inputs).containsExactly("two/a", "two/b");
        assertThat(handedOn.thread.getName()).isEqualTo("caller of two/b");
        handedOn.succeed();
        assertThat(follower.output()).isEqualTo("answer to two/b");
        hangs.succeed();
        assertThat(page.shown()).containsExactly("answer to one/a", "answer to two/a");
        blocker.output();
        holder.output();
    }

    /** Where nobody else could lead the other batch, its inputs come again when the thread is free: a newcomer does not wait for that. */
    @Test
    void P05_aThreadThatRunsOneBatchLeadsNoOther() throws Exception {
        Subject subject = subject(Kind.BLOCKING, CollapseOptions.builder());
        BulkCall page = subject.submitEach("one/a", "two/a");
        Execution hangs = backend.next();
        assertThat(hangs.inputs).containsExactly("one/a");
        Caller newcomer = subject.submit("two/b");
        Execution next = backend.next();
        assertThat(next.inputs).containsExactly("two/b");
        next.succeed();
        assertThat(newcomer.output()).isEqualTo("answer to two/b");
        hangs.succeed();
        Execution last = backend.next();
        assertThat(last.inputs).containsExactly("two/a");
        last.succeed();
        assertThat(page.shown()).containsExactly("answer to one/a", "answer to two/a");
    }

    @Test
    void P06_anInterruptedLeaderOfManyHandsTheCallToAnother() throws Exception {
        Subject subject = subject(Kind.BLOCKING, CollapseOptions.builder().maxConcurrentBatches(1));
        Caller first = subject.submit("first");
        Execution running = backend.next();
        BulkCall page = subject.submitEach("a", "b").awaitJoined();
        Caller other = subject.submit("c").awaitJoined();
        running.succeed();
        Execution broken = backend.next();
        assertThat(broken.inputs).containsExactly("a", "b", "c");
        page.leave();
        assertThatThrownBy(page::outcomes).hasCauseInstanceOf(InterruptedException.class);
        Execution again = backend.next();
        assertThat(again.inputs).contains("c");
        again.succeed();
        assertThat(other.output()).isEqualTo("answer to c");
        first.output();
    }

    @ParameterizedTest
    @EnumSource
    void P08_callsFromInsideABatchDoNotWaitForIt(Kind kind) throws Exception {
        for (CollapseOptions.Builder options : List.of(
                CollapseOptions.builder().maxConcurrentBatches(1).maxBatchSize(2),
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT))) {
            Subject[] subject = new Subject[1];
            subject[0] = kind.subject(
                    options.build(),
                    backend.answering(),
                    (outputs, bundles) -> {
                        for (Bundle<String, String> bundle : bundles) {
                            String input = bundle.getInput();
                            bundle.bindOutput(
                                    input.startsWith("outer")
                                            ? String.join("+", nested(subject[0]))
                                            : outputs.get(input));
                        }
                    },
                    time);
            assertThat(subject[0]
                            .submitEach("outer", "two/x", "y", "two/z")
                            .shown()
                            .get(0))
                    .isEqualTo("answer to p+answer to two/q+answer to r+answer to s");
            Eventually.until(() -> subject[0].engine().groupCount() == 0);
        }
    }

    private static List<String> nested(Subject subject) throws Exception {
        return subject.eachOnThisThread("p", "two/q", "r", "s");
    }

    @Test
    void allOutputsAreAList_orTheFirstFailureIsThrown() throws Exception {
        BlockingCollapseExecutor<Integer, String> blocking = CollapseExecutors.blockingByKey(
                keys -> KeyedResult.of(
                        new HashMap<>(Map.of(1, "one", 2, "two")), Map.of(-1, new IOException("locked"))),
                MissingKeyPolicy.NULL,
                CollapseOptions.defaults());
        assertThat(blocking.executeAll(Arrays.asList(2, 1, null, 2))).containsExactly("two", "one", null, "two");
        assertThatThrownBy(() -> blocking.executeAll(List.of(1, -1))).isInstanceOf(IOException.class);
        FutureCollapseExecutor<Integer, String> async = CollapseExecutors.asyncByKey(
                keys -> KeyedResult.of(
                        new HashMap<>(Map.of(1, "one", 2, "two")), Map.of(-1, new IOException("locked"))),
                MissingKeyPolicy.NULL,
                CollapseOptions.defaults());
        assertThat(async.executeAll(Arrays.asList(2, 1, null, 2)).get()).containsExactly("two", "one", null, "two");
        assertThat(async.executeAll(List.of()).get()).isEmpty();
        assertThatThrownBy(() -> async.executeAll(List.of(1, -1, 2)).get()).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void cancellingTheFutureOfAllCancelsEach() throws Exception {
        CompletableFuture<Map<String, String>> stage = new CompletableFuture<>();
        FutureCollapseExecutor<String, String> executor =
                CollapseExecutors.futureByKey(keys -> stage, MissingKeyPolicy.NULL, CollapseOptions.defaults());
        CompletableFuture<List<String>> all = executor.executeAll(List.of("a", "b"));
        assertThat(executor.counts().callers()).isEqualTo(2);
        assertThat(all.cancel(false)).isTrue();
        assertThat(stage).isCancelled();
        Eventually.until(() -> executor.counts().callers() == 0);
    }

    @Test
    void aSignalThatHasComeAlreadyCancelsAll() {
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.futureByKey(
                keys -> new CompletableFuture<Map<String, String>>(),
                MissingKeyPolicy.NULL,
                CollapseOptions.defaults());
        CallOptions cancelled = CallOptions.defaults().cancelSignal(CompletableFuture.completedFuture(null));
        assertThat(executor.executeEach(List.of("a", "b"), cancelled)).allMatch(CompletableFuture::isCancelled);
        assertThat(executor.counts().callers()).isZero();
    }
}
