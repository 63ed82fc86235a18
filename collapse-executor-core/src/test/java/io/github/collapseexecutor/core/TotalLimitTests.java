package io.github.collapseexecutor.core;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.Backend.Execution;
import io.github.collapseexecutor.core.Kind.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bound of the batches of all groups together. */
class TotalLimitTests {

    private final Backend backend = new Backend();
    private final ManualTime time = new ManualTime();

    private static CollapseOptions.Builder atMost(int batches) {
        return CollapseOptions.builder().name("bounded").maxConcurrentBatchesTotal(batches);
    }

    private void expectAnswers(List<Caller> callers, Subject subject) throws Exception {
        for (Caller caller : callers) {
            assertThat(caller.output()).startsWith("answer to ");
        }
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @ParameterizedTest
    @EnumSource
    void P16_atMostMaxConcurrentBatchesTotalOfAllGroupsAreInFlight(Kind kind) throws Exception {
        Subject subject = kind.subject(atMost(2).build(), backend, time);
        List<Caller> callers = new ArrayList<>();
        callers.add(subject.submit("0/"));
        Execution one = backend.next();
        callers.add(subject.submit("1/"));
        Execution two = backend.next();
        for (int i = 2; i < 6; i++) {
            callers.add(subject.submit(i + "/").awaitJoined());
        }
        for (int i = 2; i < 6; i++) {
            backend.expectNoneStarted();
            one.succeed();
            one = two;
            two = backend.next();
            assertThat(two.inputs).containsExactly(i + "/");
        }
        one.succeed();
        two.succeed();
        expectAnswers(callers, subject);
    }

    @ParameterizedTest
    @EnumSource
    void P16_groupsThatWaitTakeTurns(Kind kind) throws Exception {
        Subject subject = kind.subject(atMost(1).maxBatchSize(1).build(), backend, time);
        List<Caller> callers = new ArrayList<>(List.of(subject.submit("hot/1")));
        Execution running = backend.next();
        for (String input : List.of("hot/2", "hot/3", "hot/4", "other/1", "third/1")) {
            callers.add(subject.submit(input).awaitJoined());
        }
        for (String next : List.of("hot/2", "other/1", "third/1", "hot/3", "hot/4")) {
            backend.expectNoneStarted();
            running.succeed();
            running = backend.next();
            assertThat(running.inputs).containsExactly(next);
        }
        running.succeed();
        expectAnswers(callers, subject);
    }

    @ParameterizedTest
    @EnumSource
    void P16_theLimitOfAGroupHoldsBesideThatOfAll(Kind kind) throws Exception {
        Subject subject =
                kind.subject(atMost(2).maxConcurrentBatches(1).maxBatchSize(1).build(), backend, time);
        List<Caller> callers = new ArrayList<>(List.of(subject.submit("hot/1")));
        Execution hot = backend.next();
        callers.add(subject.submit("hot/2").awaitJoined());
        backend.expectNoneStarted();
        callers.add(subject.submit("other/1"));
        Execution other = backend.next();
        assertThat(other.inputs).containsExactly("other/1");
        callers.add(subject.submit("third/1").awaitJoined());
        other.succeed();
        Execution third = backend.next();
        assertThat(third.inputs).as("the hot group has its place").containsExactly("third/1");
        hot.succeed();
        Execution next = backend.next();
        assertThat(next.inputs).containsExactly("hot/2");
        third.succeed();
        next.succeed();
        expectAnswers(callers, subject);
    }

    @ParameterizedTest
    @EnumSource
    void P16_aCallerThatWaitsAndLeavesTakesNoPlace(Kind kind) throws Exception {
        Subject subject = kind.subject(atMost(1).build(), backend, time);
        List<Caller> callers = new ArrayList<>(List.of(subject.submit("0/")));
        Execution running = backend.next();
        Caller leaver = subject.submit("1/").awaitJoined();
        callers.add(subject.submit("2/").awaitJoined());
        leaver.leave();
        leaver.failure();
        running.succeed();
        Execution next = backend.next();
        assertThat(next.inputs).containsExactly("2/");
        next.succeed();
        expectAnswers(callers, subject);
    }

    @ParameterizedTest
    @EnumSource
    void P16_manyInputsTogetherAreBoundedAsOthersAre(Kind kind) throws Exception {
        Subject subject = kind.subject(atMost(1).build(), backend, time);
        BulkCall page = subject.submitEach("0/", "1/", "2/");
        for (int i = 0; i < 3; i++) {
            Execution running = backend.next();
            assertThat(running.inputs).containsExactly(i + "/");
            backend.expectNoneStarted();
            running.succeed();
        }
        assertThat(page.outcomes()).hasSize(3);
        Eventually.until(() -> subject.engine().groupCount() == 0);
    }

    @Test
    void P08_aPlaceThatABatchBeginsToLendIsForNestedCallsOfAnyGroup() {
        FutureCallableGroupCollapseExecutor executor =
                new FutureCallableGroupCollapseExecutor(atMost(1).build());
        FutureCallableGroupCollapseExecutor other = new FutureCallableGroupCollapseExecutor();
        CompletableFuture<String> before = new CompletableFuture<>();
        CompletableFuture<String> rest = new CompletableFuture<>();
        BatchCall<CompletionStage<String>> lender =
                batch -> before.thenCompose(end -> batch.nested(() -> other.execute("y", () -> rest)));
        BatchCall<CompletionStage<String>> waiting =
                batch -> batch.nested(() -> executor.execute("b", () -> completedFuture("in a lent place")));
        CompletableFuture<String> lends = executor.execute("a", lender);
        CompletableFuture<String> waits = other.execute("x", waiting);
        assertThat(waits).isNotDone();
        before.complete("");
        assertThat(waits).isCompletedWithValue("in a lent place");
        rest.complete("rest");
        assertThat(lends).isCompletedWithValue("rest");
        assertThat(executor.engine().groupCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void P17_aListenerIsToldOnceThatAllGroupsStandStill(Kind kind) throws Exception {
        List<GroupStall> stalls = new CopyOnWriteArrayList<>();
        CollapseListener listener = new CollapseListener() {
            @Override
            public void batchEnded(BatchSummary batch) {}

            @Override
            public void groupStalled(GroupStall stall) {
                stalls.add(stall);
            }
        };
        Subject subject = kind.subject(atMost(1).listener(listener).build(), backend, time);
        List<Caller> callers = new ArrayList<>(List.of(subject.submit("first/")));
        Execution holding = backend.next();
        callers.add(subject.submit("second/").awaitJoined());
        callers.add(subject.submit("third/").awaitJoined());
        time.advance(Duration.ofSeconds(9));
        assertThat(stalls).isEmpty();
        time.advance(Duration.ofSeconds(1));
        Eventually.until(() -> stalls.size() == 1);
        time.advance(Duration.ofSeconds(30));
        assertThat(stalls.get(0).isOfAllGroups()).isTrue();
        assertThat(stalls.get(0).batchesInFlight()).isEqualTo(1);
        assertThat(stalls.get(0).callersWaiting()).isEqualTo(1);
        assertThat(stalls.get(0).leaders()).containsExactly(holding.thread.getName());
        assertThat(stalls.get(0).toString()).contains("All groups of \"bounded\"", "maxConcurrentBatchesTotal");
        holding.succeed();
        backend.next().succeed();
        backend.next().succeed();
        expectAnswers(callers, subject);
        assertThat(stalls).hasSize(1);
    }

    /** Ends of batches that end as soon as they begin come one after another, not one inside another. */
    @Test
    void aLongLineOfGroupsNeedsNoDeepStack() throws Exception {
        FutureCallableGroupCollapseExecutor executor =
                new FutureCallableGroupCollapseExecutor(atMost(1).build());
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> before = executor.execute(-1, () -> first);
        List<CompletableFuture<Integer>> line = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            int group = i;
            line.add(executor.execute(group, () -> completedFuture(group)));
        }
        assertThat(line.get(0)).isNotDone();
        first.complete("first");
        assertThat(before).isCompletedWithValue("first");
        for (int i = 0; i < line.size(); i++) {
            assertThat(line.get(i)).isCompletedWithValue(i);
        }
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void P15_aCallThatCannotBeSubmittedLeavesNoGroup() {
        BlockingCollapseExecutor<Object, Object> executor = CollapseExecutors.blockingByKey(
                keys -> Map.of(),
                MissingKeyPolicy.NULL,
                atMost(1).joinMode(JoinMode.IN_FLIGHT).build());
        Object broken = new Object() {
            @Override
            public int hashCode() {
                throw new IllegalStateException("no hash");
            }
        };
        assertThatThrownBy(() -> executor.execute(broken)).hasMessageContaining("no hash");
        assertThat(executor.counts().groups()).isZero();
    }
}
