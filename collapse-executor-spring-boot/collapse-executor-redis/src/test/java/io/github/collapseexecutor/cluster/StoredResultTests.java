package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BatchCall;
import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in Redis of a call, and what other instances make of it. */
class StoredResultTests extends SharingFixture {

    @Test
    void nullIsSharedToo() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        held.end.complete(null);
        assertThat(waiter.get()).isNull();
        assertThat(calls).hasValue(1);
    }

    @Test
    void failureThatTheCodecDoesNotCarryStaysWhereItIs() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance second = joining();
        Future<String> waiter = ask(second, Instance.TEXT);
        awaitWaiters(1);
        held.end.completeExceptionally(new IOException("broken here"));
        assertThat(waiter.get()).isEqualTo("own 2");
        assertThat(second.calls().counts().failedElsewhere()).isEqualTo(1);
        assertThatThrownBy(held.result::get).hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void failureThatTheCodecCarriesReachesOtherInstances() throws Exception {
        ResultCodec<String> codec = new ResultCodec<>() {
            @Override
            public byte[] encode(String result) throws Exception {
                return Instance.TEXT.encode(result);
            }

            @Override
            public String decode(byte[] bytes) throws Exception {
                return Instance.TEXT.decode(bytes);
            }

            @Override
            public byte[] encodeFailure(Exception failure) throws Exception {
                return failure instanceof FileNotFoundException ? encode(failure.getMessage()) : null;
            }

            @Override
            public Exception decodeFailure(byte[] bytes) throws Exception {
                return new FileNotFoundException(decode(bytes));
            }
        };
        Held held = new Held(joining(), codec);
        Future<String> waiter = ask(joining(), codec);
        awaitWaiters(1);
        held.end.completeExceptionally(new FileNotFoundException("no such page"));
        assertThatThrownBy(waiter::get)
                .cause()
                .isInstanceOf(FileNotFoundException.class)
                .hasMessage("no such page");
        assertThat(calls).hasValue(1);
    }

    @Test
    void resultThatIsTooLargeIsNotSharedAndNobodyWaitsForTheNextOne() throws Exception {
        Held held = new Held(
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxResultSize(10)), Instance.TEXT);
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        held.end.complete("more than ten bytes");
        assertThat(waiter.get()).isEqualTo("own 2");
        Instance later = joining();
        assertThat(ask(later, Instance.TEXT).get()).isEqualTo("own 3");
        assertThat(later.calls().counts().notShareable()).isEqualTo(1);
        assertThat(redis.commands().hexists(name(), "value")).isFalse();
    }

    @Test
    void codecThatThrowsFailsNobody() throws Exception {
        ResultCodec<String> broken = ResultCodec.of(
                text -> {
                    throw new IOException("cannot write " + text);
                },
                bytes -> "");
        Held held = new Held(joining(), broken);
        Future<String> waiter = ask(joining(), broken);
        awaitWaiters(1);
        held.end.complete("result");
        assertThat(held.result.get()).isEqualTo("result");
        assertThat(waiter.get()).isEqualTo("own 2");
    }

    @Test
    void instanceThatCannotReadAResultMakesTheCallItself() throws Exception {
        ResultCodec<String> broken = ResultCodec.of(Instance.TEXT::encode, bytes -> {
            throw new IOException("unknown format");
        });
        Held held = new Held(joining(), Instance.TEXT);
        Instance second = joining();
        Future<String> waiter = ask(second, broken);
        awaitWaiters(1);
        held.end.complete("result");
        assertThat(waiter.get()).isEqualTo("own 2");
        assertThat(second.calls().counts().notShareable()).isEqualTo(1);
        await().untilAsserted(() ->
                assertThat(redis.commands().hexists(name(), "pass")).isTrue());
    }

    @Test
    void valueThatWasNotMadeWithTheSecretIsNotBelieved() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        long till = Long.parseLong(redis.commands().time().get(0)) + 10;
        redis.commands()
                .hset(
                        name(),
                        Map.of("value", "poison, and as long as a result", "answer", "1000 " + till + "000000 10"));
        redis.commands().publish(name(), "1000");
        assertThat(waiter.get()).isEqualTo("own 2");
        held.end.complete("result");
        assertThat(held.result.get()).isEqualTo("result");
    }

    @Test
    void neitherKeysNorResultsStandInRedisInClear() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Future<String> waiter = ask(joining(), Instance.TEXT);
        awaitWaiters(1);
        held.end.complete("result of Ada");
        assertThat(waiter.get()).isEqualTo("result of Ada");
        assertThat(redis.commands().hexists(name(), "value")).isTrue();
        assertThat(dump(name())).doesNotContain("result", "Ada");
        redis.commands().flushall();
        String secretKey = "token 4711 of alice@example.org";
        joining().shared(secretKey, () -> "result").call();
        List<String> names = redis.commands().scan().getKeys();
        assertThat(names).hasSize(1);
        assertThat(names.get(0)).matches("collapse:2:\\{[A-Za-z0-9_-]{43}}");
        assertThat(dump(names.get(0))).doesNotContain("4711", "alice");
    }

    private static String dump(String name) {
        return new String(redis.commands().dump(name), StandardCharsets.ISO_8859_1)
                + redis.commands().hgetall(name);
    }

    @Test
    void resultThatNobodyWaitsForIsNotStored() throws Exception {
        ResultCodec<String> unused = ResultCodec.of(
                text -> {
                    throw new IOException("nobody waits for " + text);
                },
                bytes -> "");
        Instance only = instance();
        for (int i = 1; i <= ClusterCallTimes.FEWEST; i++) {
            assertThat(ask(only, unused).get()).isEqualTo("own " + i);
        }
        assertThat(only.calls().counts().led()).isEqualTo(ClusterCallTimes.FEWEST);
        await().untilAsserted(() -> assertThat(redis.commands().hgetall(name()))
                .containsEntry("tickets", Integer.toString(ClusterCallTimes.FEWEST))
                .containsEntry("leases", "")
                .doesNotContainKeys("answer", "value", "pass"));
    }

    @Test
    void callThatNobodyElseWaitsForIsLone() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor();
        BatchCall<String> lone = batch -> Boolean.toString(batch.isLone());
        assertThat(executor.<String>execute("key", instance().calls().shared("key", lone, Instance.TEXT)))
                .isEqualTo("true");
        assertThat(executor.<String>execute("key", joining().calls().shared("key", lone, Instance.TEXT)))
                .isEqualTo("false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "result", "failure"})
    void codecThatReturnsNullFailsNobody(String result) throws Exception {
        ResultCodec<String> broken = new ResultCodec<>() {
            @Override
            public byte[] encode(String result) {
                return result.isEmpty() ? nothing() : Instance.bytes(result);
            }

            @Override
            public String decode(byte[] bytes) {
                return nothing();
            }

            @Override
            public byte[] encodeFailure(Exception failure) {
                return new byte[0];
            }

            @Override
            public Exception decodeFailure(byte[] bytes) {
                return nothing();
            }

            // A codec that breaks its contract.
            @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
            private static <T> T nothing() {
                return null;
            }
        };
        Held held = new Held(joining(), broken);
        Future<String> waiter = ask(joining(), broken);
        awaitWaiters(1);
        if (result.equals("failure")) {
            held.end.completeExceptionally(new IOException(result));
            assertThatThrownBy(held.result::get).hasRootCauseMessage("failure");
        } else {
            held.end.complete(result);
            assertThat(held.result.get()).isEqualTo(result);
        }
        assertThat(waiter.get()).isEqualTo("own 2");
    }

    @Test
    void interruptionOfACodecIsKept() throws Exception {
        ResultCodec<String> interrupted = ResultCodec.of(
                text -> {
                    throw new InterruptedException();
                },
                bytes -> "");
        assertThat(joining().calls().shared("key", () -> "result", interrupted).call())
                .isEqualTo("result");
        assertThat(Thread.interrupted()).isTrue();
    }

    /** As large as is allowed, with what Redis may cost by default. */
    @Test
    void largeResultsReachInstancesThatAreNotPatient() throws Exception {
        String large = "large as a book ".repeat((8 << 20) / 16);
        Instance first = instance(impatient());
        Instance second = instance(impatient());
        for (int i = 1; second.calls().counts().taken() < 5; i++) {
            Held held = new Held(first, Instance.TEXT);
            Future<String> waiter = ask(second, Instance.TEXT);
            await().until(() -> waiter.isDone() || isAwaited());
            held.end.complete(large);
            waiter.get();
            assertThat(i).isLessThan(20); // an instance that is new, or a machine that is busy, goes alone at times
            held.result.get();
            await().until(() -> redis.commands().hlen(name()) == 0
                    || redis.commands().hget(name(), "leases").isEmpty());
            redis.commands().flushall(); // an instance that went alone may have left a lease
        }
        assertThat(second.calls().counts().available()).isTrue();
    }

    private static ClusterOptions.Builder impatient() {
        return Instance.options()
                .maxDelay(Duration.ofMillis(50))
                .maxResultSize(8 << 20)
                .lease(Duration.ofSeconds(20))
                .joinMode(JoinMode.IN_FLIGHT);
    }

    private static boolean isAwaited() {
        return redis.commands().hkeys(name()).stream().anyMatch(field -> field.matches("w.{16}"));
    }

    @Test
    void resultThatIsTooLargeForAReaderIsNotSentToIt() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance small =
                instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).maxResultSize(10));
        Future<String> waiter = ask(small, Instance.TEXT);
        awaitWaiters(1);
        held.end.complete("more than ten bytes");
        assertThat(waiter.get()).isEqualTo("own 2");
        assertThat(small.calls().counts().notShareable()).isEqualTo(1);
    }
}
