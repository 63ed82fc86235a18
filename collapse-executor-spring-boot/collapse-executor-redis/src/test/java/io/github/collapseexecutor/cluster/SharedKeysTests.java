package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.gate.OnEachJdk;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bulk calls of instances that share nothing but Redis: keys that another instance asks for are not asked for again. */
@OnEachJdk
class SharedKeysTests extends SharedKeysFixture {

    @ParameterizedTest
    @EnumSource(Form.class)
    void aLoneBatchIsOneBulkCallAndLeavesNoValue(Form form) throws Exception {
        Asker only = new Asker(form, instance());
        Future<Map<Object, String>> answer = only.ask(1, "two", 3L);
        Bulk bulk = only.next();
        assertThat(bulk.keys()).containsExactly(1, "two", 3L);
        bulk.answer("of A");
        assertThat(answer.get())
                .containsEntry(1, "1 of A")
                .containsEntry("two", "two of A")
                .hasSize(3);
        assertThat(only.counts().led()).isEqualTo(3);
        assertThat(redis.names()).allMatch(name -> !redis.commands().hexists(name, "value"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void keysThatAnotherInstanceAsksForAreTakenAndTheRestIsOneCall(Form form) throws Exception {
        Asker first = new Asker(form, joining());
        Asker second = new Asker(form, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1, 2);
        Bulk held = first.next();
        Future<Map<Object, String>> ofSecond = second.ask(2, 3, 4);
        Bulk rest = second.next();
        assertThat(rest.keys()).containsExactly(3, 4);
        rest.answer("of B");
        awaitWaiter(2);
        held.answer("of A");
        assertThat(ofSecond.get()).isEqualTo(Map.of(2, "2 of A", 3, "3 of B", 4, "4 of B"));
        assertThat(ofFirst.get()).isEqualTo(Map.of(1, "1 of A", 2, "2 of A"));
        assertThat(calls).hasValue(2);
        assertThat(second.counts().taken()).isEqualTo(1);
        assertThat(second.counts().led()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void freshBatchesDoNotGetValuesOfACallThatBeganBefore(Form form) throws Exception {
        Asker first = new Asker(form, instance());
        Asker second = new Asker(form, instance());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk held = first.next();
        Future<Map<Object, String>> ofSecond = second.ask(1);
        Bulk own = second.next();
        held.answer("stale");
        own.answer("fresh");
        assertThat(ofSecond.get()).containsEntry(1, "1 fresh");
        assertThat(ofFirst.get()).containsEntry(1, "1 stale");
    }

    /** Two calls are under way when two more batches ask: of these, one makes a call, and the other gets its value. */
    @ParameterizedTest
    @EnumSource(Form.class)
    void freshBatchesShareTheCallThatStartsNext(Form form) throws Exception {
        ClusterOptions.Builder patient = Instance.options().maxWaitRatio(0.99).lease(Duration.ofSeconds(20));
        List<Asker> askers = IntStream.range(0, 4)
                .mapToObj(i -> new Asker(form, instance(patient)))
                .toList();
        List<Future<Map<Object, String>>> answers = new ArrayList<>();
        List<Bulk> held = new ArrayList<>();
        for (Asker asker : askers.subList(0, 2)) {
            long begun = System.nanoTime();
            answers.add(asker.ask(1));
            held.add(asker.next());
            await().until(() -> System.nanoTime() - begun > 200_000_000); // others wait a hundred times as long
        }
        for (Asker asker : askers.subList(2, 4)) {
            answers.add(asker.ask(1));
        }
        awaitWaiters(1, 2);
        held.forEach(bulk -> bulk.answer("before"));
        await().until(() -> calls.get() == 3);
        Asker leader = askers.get(2).bulks.isEmpty() ? askers.get(3) : askers.get(2);
        Bulk shared = leader.next();
        shared.answer("after");
        for (Future<Map<Object, String>> answer : answers.subList(2, 4)) {
            assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(Map.of(1, "1 after"));
        }
        assertThat(calls).hasValue(3);
    }

    /** One instance has failed and another one still calls: there is no third bulk call for the key of the latter. */
    @ParameterizedTest
    @EnumSource(Form.class)
    void theLastBulkCallAsksForEveryKeyThatIsLeft(Form form) throws Exception {
        Asker first = new Asker(form, joining());
        Asker other = new Asker(form, joining());
        Asker second = new Asker(form, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk failing = first.next();
        Future<Map<Object, String>> ofOther = other.ask(2);
        Bulk slow = other.next();
        Future<Map<Object, String>> answer = second.ask(1, 2, 3);
        second.next().answer("of B");
        awaitWaiter(1);
        awaitWaiter(2);
        failing.end().completeExceptionally(new IOException("no backend"));
        Bulk last = second.next();
        assertThat(last.keys()).containsExactlyInAnyOrder(1, 2);
        last.answer("of B");
        assertThat(answer.get()).hasSize(3);
        slow.answer("of C");
        assertThat(ofOther.get()).containsEntry(2, "2 of C");
        assertThatThrownBy(ofFirst::get).hasRootCauseMessage("no backend");
    }

    /** A lease without a call would hold up a third instance. */
    @ParameterizedTest
    @EnumSource(Form.class)
    void aBatchThatIsCallingTakesNoLease(Form form) throws Exception {
        Asker first = new Asker(form, joining());
        Asker second = new Asker(form, joining());
        Asker third = new Asker(form, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk given = first.next();
        Future<Map<Object, String>> ofSecond = second.ask(1, 2);
        Bulk calling = second.next();
        awaitWaiter(1);
        given.end().completeExceptionally(new InterruptedException("the leader leaves"));
        if (form == Form.BLOCKING) {
            assertThatThrownBy(ofFirst::get).hasRootCauseMessage("the leader leaves");
            await().untilAsserted(() ->
                    assertThat(redis.commands().hget(nameOf(1), "leases")).isEmpty());
            Future<Map<Object, String>> ofThird = third.ask(1);
            third.next().answer("of C");
            assertThat(ofThird.get()).containsEntry(1, "1 of C");
            calling.answer("of B");
            assertThat(ofSecond.get()).isEqualTo(Map.of(1, "1 of C", 2, "2 of B"));
            assertThat(second.bulks).isEmpty();
        } else { // a stage has no thread that could have been interrupted: this is a failure like any other
            calling.answer("of B");
            second.next().answer("of B");
            assertThat(ofSecond.get()).isEqualTo(Map.of(1, "1 of B", 2, "2 of B"));
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void functionsOfOtherNamesShareNothing(Form form) throws Exception {
        Asker users = new Asker(form, joining());
        Asker prices = new Asker(form, joining(), "prices", Instance.TEXT);
        Future<Map<Object, String>> ofUsers = users.ask(7);
        Bulk held = users.next();
        Future<Map<Object, String>> ofPrices = prices.ask(7);
        prices.next().answer("of prices");
        assertThat(ofPrices.get()).containsEntry(7, "7 of prices");
        held.answer("of users");
        assertThat(ofUsers.get()).containsEntry(7, "7 of users");
        assertThat(redis.names()).noneMatch(name -> name.contains("users") || name.contains("prices"));
    }

    /** A key without a form that all instances have. */
    private record Opaque(int id) {}

    @ParameterizedTest
    @EnumSource(Form.class)
    void keysThatAreNotPlainAreAskedForWithoutTheCluster(Form form) throws Exception {
        try (LogRecords log = new LogRecords()) {
            Asker only = new Asker(form, instance());
            for (int i = 0; i < 2; i++) {
                Future<Map<Object, String>> answer = only.ask(1, new Opaque(7));
                Bulk bulk = only.next();
                assertThat(bulk.keys()).containsExactly(1, new Opaque(7));
                bulk.answer("of A");
                assertThat(answer.get()).hasSize(2);
            }
            assertThat(only.counts().led()).isEqualTo(2);
            assertThat(log.messages())
                    .filteredOn(message -> message.contains("function users does not share"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void ofABatchOfVeryManyKeysTheFirstAreShared(Form form) throws Exception {
        Asker only = new Asker(form, instance());
        Object[] keys = IntStream.range(0, 1_000).boxed().toArray();
        Future<Map<Object, String>> answer = only.ask(keys);
        Bulk bulk = only.next();
        assertThat(bulk.keys()).hasSize(1_000);
        bulk.answer("of A");
        assertThat(answer.get()).hasSize(1_000);
        assertThat(only.counts().led()).isEqualTo(SharedKeys.MOST_KEYS);
    }

    /** A node asks for its parent while its own batch has the only place. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBulkCallMayAskItsOwnExecutor(boolean clustered) throws Exception {
        AtomicReference<FutureCollapseExecutor<Object, String>> own = new AtomicReference<>();
        Function<Collection<Object>, CompletableFuture<Map<Object, String>>> nodes = keys -> {
            Object key = keys.iterator().next();
            return key.equals("root")
                    ? CompletableFuture.completedFuture(Map.of(key, "root"))
                    : own.get().execute("root").thenApply(parent -> Map.of(key, key + " below " + parent));
        };
        ClusterCalls cluster = instance().calls();
        CollapseOptions oneAtATime =
                CollapseOptions.builder().maxConcurrentBatches(1).build();
        own.set(CollapseExecutors.futureByKey(
                clustered ? cluster.sharedByKeyStage("nodes", nodes::apply, Instance.TEXT) : nodes::apply,
                MissingKeyPolicy.NULL,
                oneAtATime));
        assertThat(own.get().execute("leaf").get(10, TimeUnit.SECONDS)).isEqualTo("leaf below root");
    }

    @Test
    void executorsShareKeys() throws Exception {
        Asker first = new Asker(Form.BLOCKING, joining());
        Asker second = new Asker(Form.STAGE, joining());
        BlockingCollapseExecutor<Object, String> blocking = CollapseExecutors.blockingByKey(
                keys -> got(first.function.apply(keys)), MissingKeyPolicy.NULL, CollapseOptions.defaults());
        FutureCollapseExecutor<Object, String> future =
                CollapseExecutors.futureByKey(second.function, MissingKeyPolicy.NULL, CollapseOptions.defaults());
        Future<String> led = threads.submit(() -> blocking.execute(1));
        Bulk held = first.next();
        CompletableFuture<String> taken = future.execute(1);
        awaitWaiter(1);
        held.answer("of A");
        assertThat(led.get()).isEqualTo("1 of A");
        assertThat(taken.get()).isEqualTo("1 of A");
        assertThat(calls).hasValue(1);
    }
}
