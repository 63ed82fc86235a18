package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C01: an executor of a function shares batches among those inputs only that its options put into one group. */
class GroupByTests {

    private final Backend backend = new Backend();
    private final CollapseOptions oneAtATime =
            CollapseOptions.builder().maxConcurrentBatches(1).build();

    private static char firstLetter(String input) {
        return input.charAt(0);
    }

    @ParameterizedTest
    @EnumSource
    void P02_onlyInputsOfOneGroupShareABatch(Kind kind) throws Exception {
        InputOptions<String> byLetter = oneAtATime.groupBy(GroupByTests::firstLetter);
        for (FunctionSubject subject : List.of(
                FunctionSubject.inOrder(kind, backend, byLetter), FunctionSubject.byKey(kind, backend, byLetter))) {
            List<Caller> callers = new ArrayList<>();
            callers.add(subject.submit("x first"));
            Execution x = backend.next();
            callers.add(subject.submit("y first"));
            Execution y = backend.next();
            for (String input : List.of("x a", "y b", "x c")) {
                callers.add(subject.submit(input).awaitJoined());
            }
            y.succeed();
            Execution secondOfY = backend.next();
            assertThat(secondOfY.inputs).containsExactly("y b");
            secondOfY.succeed();
            x.succeed();
            Execution secondOfX = backend.next();
            assertThat(secondOfX.inputs).containsExactly("x a", "x c");
            secondOfX.succeed();
            for (Caller caller : callers) {
                assertThat(caller.output()).startsWith("answer to ");
            }
        }
    }

    /** What a subclass of the predecessor could rely on: the inputs of a batch are equal. */
    @ParameterizedTest
    @EnumSource
    void P02_groupedByIdentityEqualInputsShareABatchAndOthersDoNot(Kind kind) throws Exception {
        FunctionSubject subject = FunctionSubject.inOrder(kind, backend, oneAtATime.groupBy(Function.identity()));
        List<Caller> callers = new ArrayList<>();
        callers.add(subject.submit("a"));
        Execution first = backend.next();
        callers.add(subject.submit("a").awaitJoined());
        callers.add(subject.submit("a").awaitJoined());
        callers.add(subject.submit("b"));
        Execution other = backend.next();
        assertThat(other.inputs).containsExactly("b");
        other.succeed();
        first.succeed();
        Execution second = backend.next();
        assertThat(second.inputs).containsExactly("a", "a");
        second.succeed();
        for (Caller caller : callers) {
            caller.output();
        }
    }

    @ParameterizedTest
    @EnumSource
    void P02_aGroupFunctionThatFailsHurtsItsOwnCallerOnly(Kind kind) throws Exception {
        FunctionSubject subject = FunctionSubject.inOrder(
                kind,
                backend.answering(),
                oneAtATime.toBuilder().maxPending(1).build().groupBy(GroupByTests::firstLetter));
        for (int i = 0; i < 3; i++) {
            expectFailure(subject, "", StringIndexOutOfBoundsException.class);
            assertThat(subject.submit("a").output()).isEqualTo("answer to a");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aGroupThatIsNullIsNamed(Kind kind) throws Exception {
        FunctionSubject subject =
                FunctionSubject.inOrder(kind, backend.answering(), oneAtATime.groupBy((String input) -> null));
        expectFailure(subject, "a", NullPointerException.class);
    }

    private static void expectFailure(FunctionSubject subject, String input, Class<? extends Exception> type)
            throws Exception {
        Throwable failure;
        try {
            failure = subject.submit(input).failure();
        } catch (RuntimeException thrown) { // by the kinds that give a future, as they submit
            failure = thrown;
        }
        assertThat(failure).isInstanceOf(type);
    }

    @Test
    void theFunctionsOfOptionsAreAddedInAnyOrderAndReplaceThoseBefore() {
        InputOptions<String> groupFirst =
                oneAtATime.groupBy(GroupByTests::firstLetter).weighBy(String::length);
        InputOptions<String> weightFirst = oneAtATime.weighBy(String::length).groupBy(GroupByTests::firstLetter);
        for (InputOptions<String> options : List.of(groupFirst, weightFirst)) {
            assertThat(options.gathering()).isSameAs(oneAtATime);
            assertThat(options.groupOf("abc")).isEqualTo('a');
            assertThat(options.weightOf("abc")).isEqualTo(3);
        }
        assertThat(groupFirst.groupBy((String input) -> "other").groupOf("abc")).isEqualTo("other");
        assertThat(groupFirst.weighBy((String input) -> 7).weightOf("abc")).isEqualTo(7);
        assertThat(oneAtATime.groupOf("a")).isEqualTo(oneAtATime.groupOf("b"));
    }

    @Test
    void theTypeOfInputsIsFoundFromTheExecutorOrTheFunction() throws Exception {
        BatchFunction<Collection<Long>, Map<Long, String>> function = keys -> Map.of(7L, "seven");
        BlockingCollapseExecutor<Long, String> fromExecutor =
                CollapseExecutors.blockingByKey(function, MissingKeyPolicy.NULL, oneAtATime.groupBy(id -> id % 4));
        FutureCollapseExecutor<Long, String> fromFunction = CollapseExecutors.futureByKey(
                keys -> CompletableFuture.completedFuture(Map.of(7L, "seven")),
                MissingKeyPolicy.NULL,
                oneAtATime.groupBy((Long id) -> id % 4).weighBy(id -> id));
        assertThat(fromExecutor.execute(7L)).isEqualTo("seven");
        assertThat(fromFunction.execute(7L)).isCompletedWithValue("seven");
    }

    @Test
    void nullFunctionsAreRefusedByName() {
        assertThatThrownBy(() -> oneAtATime.groupBy(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("group");
        assertThatThrownBy(() -> oneAtATime.weighBy(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("weight");
    }
}
