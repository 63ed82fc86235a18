package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Executors of plain functions, of every kind. */
class CollapseExecutorsTests {

    private final CollapseOptions oneAtATime =
            CollapseOptions.builder().maxConcurrentBatches(1).build();
    private final ConcurrentLinkedQueue<List<Object>> batches = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<String> gate = new CompletableFuture<>();
    private final List<Caller> callers = new ArrayList<>();

    /** Submits to an executor of one of the kinds. */
    private interface Submitter {

        Caller submit(String key);
    }

    private static Submitter ofThreads(BlockingCollapseExecutor<String, String> executor) {
        return key -> new Caller.OnThread("caller of " + key, () -> executor.execute(key));
    }

    private static Submitter ofFutures(FutureCollapseExecutor<String, String> executor) {
        return key -> new Caller.OfFuture(executor.execute(key));
    }

    private Submitter byKey(
            Kind kind, BatchFunction<Collection<String>, Map<String, String>> function, MissingKeyPolicy missing) {
        BatchFunction<Collection<String>, Map<String, String>> recorded = keys -> {
            await(keys);
            return function.apply(keys);
        };
        return switch (kind) {
            case BLOCKING -> ofThreads(CollapseExecutors.blockingByKey(recorded, missing, oneAtATime));
            case ASYNC -> ofFutures(CollapseExecutors.asyncByKey(recorded, missing, oneAtATime));
            case FUTURE ->
                ofFutures(CollapseExecutors.futureByKey(
                        (Collection<String> keys) -> stage(keys, function), missing, oneAtATime));
        };
    }

    private Submitter inOrder(Kind kind, BatchFunction<List<String>, List<String>> function) {
        BatchFunction<List<String>, List<String>> recorded = inputs -> {
            await(inputs);
            return function.apply(inputs);
        };
        return switch (kind) {
            case BLOCKING -> ofThreads(CollapseExecutors.blockingInOrder(recorded, oneAtATime));
            case ASYNC -> ofFutures(CollapseExecutors.asyncInOrder(recorded, oneAtATime));
            case FUTURE ->
                ofFutures(
                        CollapseExecutors.futureInOrder((List<String> inputs) -> stage(inputs, function), oneAtATime));
        };
    }

    /** The first batch is held until the test opens the gate, so that what comes behind it makes one batch. */
    private void await(Collection<String> inputs) throws Exception {
        batches.add(new ArrayList<>(inputs));
        if (batches.size() == 1) {
            gate.get(10, TimeUnit.SECONDS);
        }
    }

    private <A extends Collection<String>, R> CompletionStage<R> stage(A inputs, BatchFunction<A, R> function) {
        batches.add(new ArrayList<>(inputs));
        CompletableFuture<String> opened = batches.size() == 1 ? gate : CompletableFuture.completedFuture("");
        return opened.thenApply(x -> {
            try {
                return function.apply(inputs);
            } catch (Exception e) {
                throw new java.util.concurrent.CompletionException(e);
            }
        });
    }

    private void submitTogether(Submitter submitter, String... inputs) throws Exception {
        Caller first = submitter.submit("first");
        Eventually.until(() -> batches.size() == 1);
        for (String input : inputs) {
            callers.add(submitter.submit(input).awaitJoined());
        }
        gate.complete("open");
        try {
            first.output();
        } catch (UnboundOutputException | IOException e) {
            // The function under test answers "first" no better than the others.
            assertThat(first.end()).isCompletedExceptionally();
        }
    }

    @BeforeEach
    void clear() {
        callers.clear();
    }

    @ParameterizedTest
    @EnumSource
    void aFunctionByKeyGetsDistinctKeysInOrderAndEqualKeysGetTheSameValue(Kind kind) throws Exception {
        Submitter users = byKey(kind, keys -> Backend.answers(new ArrayList<>(keys)), MissingKeyPolicy.NULL);
        submitTogether(users, "b", "a", "b", "c", "a");
        for (int i = 0; i < 5; i++) {
            assertThat(callers.get(i).output())
                    .isEqualTo("answer to " + List.of("b", "a", "b", "c", "a").get(i));
        }
        assertThat(batches).containsExactly(List.of("first"), List.of("b", "a", "c"));
    }

    @ParameterizedTest
    @EnumSource
    void aMissingKeyIsNullOrAFailureAsChosen(Kind kind) throws Exception {
        Submitter nulls = byKey(kind, keys -> Collections.singletonMap("a", null), MissingKeyPolicy.NULL);
        submitTogether(nulls, "a", "missing");
        assertThat(callers.get(0).output()).isNull();
        assertThat(callers.get(1).output()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void aMissingKeyIsAFailureWhereThatIsChosenAndANullValueIsNot(Kind kind) throws Exception {
        Submitter failures = byKey(kind, keys -> Collections.singletonMap("a", null), MissingKeyPolicy.FAILURE);
        submitTogether(failures, "a", "missing");
        assertThat(callers.get(0).output()).isNull();
        assertThat(callers.get(1).failure())
                .isInstanceOf(UnboundOutputException.class)
                .hasMessageNotContaining("missing");
    }

    @ParameterizedTest
    @EnumSource
    void aFunctionByKeyThatReturnsNullFailsItsCallers(Kind kind) throws Exception {
        submitTogether(byKey(kind, keys -> null, MissingKeyPolicy.NULL), "a", "b");
        for (Caller caller : callers) {
            assertThat(caller.failure())
                    .isInstanceOf(UnboundOutputException.class)
                    .hasMessageContaining("must return a map");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFunctionByKeyThatThrowsFailsItsCallersWithThat(Kind kind) throws Exception {
        submitTogether(
                byKey(
                        kind,
                        keys -> {
                            throw new IOException("down");
                        },
                        MissingKeyPolicy.NULL),
                "a",
                "b");
        for (Caller caller : callers) {
            assertThat(caller.failure()).isInstanceOf(IOException.class).hasMessage("down");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFunctionInOrderGetsEveryInputAndAnswersEachAtItsPlace(Kind kind) throws Exception {
        Submitter numbering = inOrder(kind, inputs -> {
            List<String> outputs = new ArrayList<>();
            for (String input : inputs) {
                outputs.add(outputs.size() + " " + input);
            }
            return outputs;
        });
        submitTogether(numbering, "a", "b", "a");
        assertThat(callers.get(0).output()).isEqualTo("0 a");
        assertThat(callers.get(1).output()).isEqualTo("1 b");
        assertThat(callers.get(2).output()).isEqualTo("2 a");
        assertThat(batches).containsExactly(List.of("first"), List.of("a", "b", "a"));
    }

    @ParameterizedTest
    @EnumSource
    void aListOfAnotherSizeFailsEverybody(Kind kind) throws Exception {
        submitTogether(inOrder(kind, inputs -> List.of("one", "too", "many", "!")), "a", "b");
        for (Caller caller : callers) {
            assertThat(caller.failure())
                    .isInstanceOf(UnboundOutputException.class)
                    .hasMessageStartingWith("The batch function returned 4 outputs for 2 inputs");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNullListFailsEverybody(Kind kind) throws Exception {
        submitTogether(inOrder(kind, inputs -> null), "a");
        assertThat(callers.get(0).failure()).hasMessageStartingWith("The batch function returned null for 1 inputs");
    }

    @Test
    void aNullStageFailsItsCallers() {
        FutureCollapseExecutor<String, String> byKey =
                CollapseExecutors.futureByKey(keys -> null, MissingKeyPolicy.NULL, oneAtATime);
        FutureCollapseExecutor<String, String> inOrder = CollapseExecutors.futureInOrder(inputs -> null, oneAtATime);
        for (FutureCollapseExecutor<String, String> executor : List.of(byKey, inOrder)) {
            assertThat(executor.execute("a"))
                    .failsWithin(0, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withCauseInstanceOf(UnboundOutputException.class);
        }
    }

    @Test
    void cancellingTheLastCallerCancelsTheFunctionsStage() {
        CompletableFuture<Map<String, String>> map = new CompletableFuture<>();
        CompletableFuture<List<String>> list = new CompletableFuture<>();
        FutureCollapseExecutor<String, String> byKey =
                CollapseExecutors.futureByKey(keys -> map, MissingKeyPolicy.NULL, oneAtATime);
        FutureCollapseExecutor<String, String> inOrder = CollapseExecutors.futureInOrder(inputs -> list, oneAtATime);
        byKey.execute("a").cancel(true);
        inOrder.execute("a").cancel(true);
        assertThat(map).isCancelled();
        assertThat(list).isCancelled();
    }

    @Test
    void P02_keysWhoseHashCodeFailsHitTheirOwnCallers() throws Exception {
        class Key {
            @Override
            public int hashCode() {
                throw new IllegalStateException("hashCode");
            }

            @Override
            public boolean equals(Object other) {
                return this == other;
            }
        }
        Map<Object, Object> all = new HashMap<>(Map.of("good", "value"));
        List<Object> calls = Collections.synchronizedList(new ArrayList<>());
        FutureCollapseExecutor<Object, Object> executor = CollapseExecutors.asyncByKey(
                keys -> {
                    calls.add(keys);
                    return all;
                },
                MissingKeyPolicy.NULL,
                oneAtATime,
                Runnable::run);
        assertThat(executor.execute(new Key()))
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("hashCode");
        assertThat(calls).as("calls of the function without a key").isEmpty();
        assertThat(executor.execute("good")).isCompletedWithValue("value");
    }

    @Test
    void anExecutorThatIsGivenIsUsed() {
        List<Runnable> taken = new ArrayList<>();
        Executor executor = taken::add;
        CompletableFuture<String> byKey = CollapseExecutors.<String, String>asyncByKey(
                        keys -> Map.of("a", "value"), MissingKeyPolicy.NULL, oneAtATime, executor)
                .execute("a");
        CompletableFuture<String> inOrder = CollapseExecutors.<String, String>asyncInOrder(
                        inputs -> inputs, oneAtATime, executor)
                .execute("a");
        assertThat(taken).hasSize(2);
        taken.forEach(Runnable::run);
        assertThat(byKey).isCompletedWithValue("value");
        assertThat(inOrder).isCompletedWithValue("a");
    }

    @Test
    void nullArgumentsAreRefusedByName() {
        assertThatThrownBy(() -> CollapseExecutors.blockingByKey(null, MissingKeyPolicy.NULL, oneAtATime))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("function");
        assertThatThrownBy(() -> CollapseExecutors.blockingByKey(keys -> Map.of(), null, oneAtATime))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("missing");
        assertThatThrownBy(() -> CollapseExecutors.blockingInOrder(inputs -> inputs, null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("options");
    }
}
