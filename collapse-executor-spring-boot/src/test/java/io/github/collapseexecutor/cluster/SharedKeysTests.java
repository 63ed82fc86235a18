package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BatchFunction;
import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import io.github.collapseexecutor.core.KeyedResult;
import io.github.collapseexecutor.core.MissingKeyPolicy;
import io.github.collapseexecutor.core.UnboundOutputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bulk calls of instances that share nothing but Redis: keys that another instance asks for are not asked for again. */
@Timeout(60)
class SharedKeysTests extends SharingFixture {

    /** The two forms of a function by key. */
    enum Form {
        BLOCKING,
        STAGE
    }

    /** A bulk call that is under way until the test ends it. */
    private record Bulk(List<Object> keys, CompletableFuture<Map<Object, String>> end) {

        void answer(String from) {
            Map<Object, String> values = new HashMap<>();
            keys.forEach(key -> values.put(key, key + " " + from));
            end.complete(values);
        }
    }

    /** The function of one instance, whose bulk calls the test sees, and ends. */
    private final class Asker {

        final BlockingQueue<Bulk> bulks = new LinkedBlockingQueue<>();
        final Instance instance;
        final BatchFunction<Collection<Object>, CompletionStage<Map<Object, String>>> function;

        Asker(Form form, Instance instance) {
            this(form, instance, "users", Instance.TEXT);
        }

        Asker(Form form, Instance instance, String name, ResultCodec<String> codec) {
            this.instance = instance;
            if (form == Form.STAGE) {
                function = instance.calls().sharedByKeyStage(name, this::begun, codec);
            } else {
                BatchFunction<Collection<Object>, Map<Object, String>> blocking =
                        instance.calls().sharedByKey(name, keys -> got(begun(keys)), codec);
                function = keys -> CompletableFuture.completedFuture(blocking.apply(keys));
            }
        }

        private CompletableFuture<Map<Object, String>> begun(Collection<Object> keys) {
            Bulk bulk = new Bulk(List.copyOf(keys), new CompletableFuture<>());
            calls.incrementAndGet();
            bulks.add(bulk);
            return bulk.end();
        }

        /** What a batch of these keys comes to. */
        Future<Map<Object, String>> ask(Object... keys) {
            return threads.submit(() -> got(function.apply(List.of(keys))));
        }

        Bulk next() throws InterruptedException {
            Bulk next = bulks.poll(20, TimeUnit.SECONDS);
            assertThat(next).isNotNull();
            return next;
        }

        ClusterCounts counts() {
            return instance.calls().counts();
        }
    }

    /** Shares every failure by its message. */
    private static final class FailureCodec implements ResultCodec<String> {

        @Override
        public byte[] encode(String result) {
            return Instance.bytes(result);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        @Override
        public byte[] encodeFailure(Exception failure) {
            return Instance.bytes(String.valueOf(failure.getMessage()));
        }

        @Override
        public Exception decodeFailure(byte[] bytes) {
            return new IOException(decode(bytes));
        }
    }

    private static <T> T got(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    private static String nameOf(Object key) {
        KeySeal seal = new KeySeal(Instance.options().build().secret(), "collapse");
        String text = new String(PlainValues.keyOf(List.of("users", key)), StandardCharsets.ISO_8859_1);
        return new String(seal.nameOf("key:" + text), StandardCharsets.UTF_8);
    }

    private void awaitWaiter(Object key) {
        awaitWaiters(key, 1);
    }

    private void awaitWaiters(Object key, int count) {
        await().untilAsserted(
                        () -> assertThat(redis.commands().hgetall(nameOf(key)).keySet())
                                .filteredOn(field -> field.matches("w\\d+"))
                                .hasSize(count));
    }

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

    @ParameterizedTest
    @EnumSource(Form.class)
    void whatHasNoValueIsNullOrFailsIsTheSameElsewhere(Form form) throws Exception {
        ResultCodec<String> codec = new FailureCodec();
        Asker first = new Asker(form, joining(), "users", codec);
        Asker second = new Asker(form, joining(), "users", codec);
        Future<Map<Object, String>> ofFirst = first.ask("none", "null", "bad", "good");
        Bulk held = first.next();
        Future<Map<Object, String>> ofSecond = second.ask("none", "null", "bad", "good");
        awaitWaiter("none");
        awaitWaiter("good");
        Map<Object, String> values = new HashMap<>();
        values.put("null", null);
        values.put("good", "value");
        held.end().complete(KeyedResult.of(values, Map.of("bad", new IOException("bad key"))));
        for (Future<Map<Object, String>> answer : List.of(ofFirst, ofSecond)) {
            Map<Object, String> got = answer.get();
            assertThat(got)
                    .containsEntry("null", null)
                    .containsEntry("good", "value")
                    .doesNotContainKey("none");
            assertThat(((KeyedResult<Object, String>) got).failures().get("bad"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("bad key");
        }
        assertThat(calls).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void afterAFailureElsewhereAnInstanceAsksForTheKeyItself(Form form) throws Exception {
        Asker first = new Asker(form, joining());
        Asker second = new Asker(form, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk held = first.next();
        Future<Map<Object, String>> ofSecond = second.ask(1, 2);
        second.next().answer("of B");
        awaitWaiter(1);
        held.end().completeExceptionally(new IOException("no backend"));
        assertThatThrownBy(ofFirst::get).hasRootCauseMessage("no backend");
        Bulk own = second.next();
        assertThat(own.keys()).containsExactly(1);
        own.answer("of B");
        assertThat(ofSecond.get()).isEqualTo(Map.of(1, "1 of B", 2, "2 of B"));
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void aBulkCallThatFailsFailsItsKeysOnly(Form form) throws Exception {
        Asker first = new Asker(form, joining());
        Asker second = new Asker(form, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk held = first.next();
        Future<Map<Object, String>> ofSecond = second.ask(1, 2);
        second.next().end().completeExceptionally(new IOException("no backend"));
        awaitWaiter(1);
        held.answer("of A");
        KeyedResult<Object, String> got = (KeyedResult<Object, String>) ofSecond.get();
        assertThat(got).containsEntry(1, "1 of A").hasSize(1);
        assertThat(got.failures().get(2)).hasMessage("no backend");
        ofFirst.get();
    }

    /** The one that hangs is waited for as long as maxWait says; then one last bulk call asks for its key. */
    @ParameterizedTest
    @EnumSource(Form.class)
    void anInstanceThatHangsStopsNobody(Form form) throws Exception {
        Asker hanging = new Asker(form, joining());
        Instance impatient = new Instance(
                redis,
                Instance.options()
                        .joinMode(JoinMode.IN_FLIGHT)
                        .maxWait(Duration.ofSeconds(1))
                        .build());
        instances.add(impatient);
        Asker second = new Asker(form, impatient);
        Future<Map<Object, String>> never = hanging.ask(1, 2, 3);
        hanging.next();
        Future<Map<Object, String>> answer = second.ask(1, 2, 3, 4);
        Bulk rest = second.next();
        assertThat(rest.keys()).contains(4);
        rest.answer("of B");
        if (rest.keys().size() < 4) { // else the second instance asked so late that it need not wait at all
            Bulk last = second.next();
            assertThat(last.keys()).containsExactlyInAnyOrder(1, 2, 3);
            last.answer("of B");
        }
        assertThat(answer.get()).hasSize(4);
        assertThat(never).isNotDone();
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

    @Test
    void anInterruptedBatchLeavesNothingBehind() throws Exception {
        Asker first = new Asker(Form.BLOCKING, joining());
        Asker second = new Asker(Form.BLOCKING, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk held = first.next();
        Future<Map<Object, String>> ofSecond = second.ask(1);
        awaitWaiter(1);
        ofSecond.cancel(true);
        awaitWaiters(1, 0);
        Future<Map<Object, String>> leading = second.ask(2);
        second.next();
        leading.cancel(true); // in the middle of its call
        await().untilAsserted(() ->
                assertThat(redis.commands().hget(nameOf(2), "leases")).isEmpty());
        held.answer("of A");
        ofFirst.get();
    }

    @Test
    void aCancelledFutureLeavesNothingBehind() throws Exception {
        Asker first = new Asker(Form.STAGE, joining());
        Asker second = new Asker(Form.STAGE, joining());
        Future<Map<Object, String>> ofFirst = first.ask(1);
        Bulk held = first.next();
        CompletableFuture<Map<Object, String>> cancelled =
                second.function.apply(List.of(1, 2)).toCompletableFuture();
        Bulk own = second.next();
        awaitWaiter(1);
        cancelled.cancel(true);
        awaitWaiters(1, 0);
        await().untilAsserted(() ->
                assertThat(redis.commands().hget(nameOf(2), "leases")).isEmpty());
        assertThat(own.end()).isCancelled();
        held.answer("of A");
        ofFirst.get();
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
                    .filteredOn(message -> message.contains("The function users does not share"))
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

    @ParameterizedTest
    @EnumSource(Form.class)
    void aFunctionThatReturnsNullFailsItsBatch(Form form) throws Exception {
        Asker only = new Asker(form, instance());
        Future<Map<Object, String>> answer = only.ask(1);
        only.next().end().complete(null);
        assertThat(((KeyedResult<Object, String>) answer.get()).failures().get(1))
                .isInstanceOf(UnboundOutputException.class);
        await().untilAsserted(() ->
                assertThat(redis.commands().hget(nameOf(1), "leases")).isEmpty());
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
