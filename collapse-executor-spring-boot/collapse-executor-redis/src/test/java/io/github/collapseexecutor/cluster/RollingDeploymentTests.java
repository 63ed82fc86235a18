package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BlockingCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.FutureCallableGroupCollapseExecutor;
import io.github.collapseexecutor.core.JoinMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Instances of two releases run side by side: what does not fit is not shared, and nobody fails. */
class RollingDeploymentTests extends SharingFixture {

    private BlockingCallableGroupCollapseExecutor executor(ClusterOptions.Builder options, ResultCodec<?> codec) {
        return new BlockingCallableGroupCollapseExecutor(CollapseOptions.builder()
                .callWrapper(
                        instance(options.joinMode(JoinMode.IN_FLIGHT)).calls().wrapper("users", codec))
                .build());
    }

    private BlockingCallableGroupCollapseExecutor executor() {
        return executor(Instance.options(), ResultCodec.ofPlainValues());
    }

    private static void awaitCall(BlockingCallableGroupCollapseExecutor executor) {
        await().until(() -> executor.counts().batchesInFlight() == 1);
    }

    /** Both releases give the executor the codec of plain values, which says nothing of the type. */
    @Test
    void anotherPlainTypeIsNotShared() throws Exception {
        BlockingCallableGroupCollapseExecutor texts = executor();
        BlockingCallableGroupCollapseExecutor numbers = executor();
        texts.execute("warm", () -> "text");
        numbers.execute("warm", () -> 1);
        CompletableFuture<String> end = new CompletableFuture<>();
        Future<String> text = threads.submit(() -> texts.execute("group", end::get));
        awaitCall(texts);
        CompletableFuture<Integer> ownEnd = new CompletableFuture<>();
        Future<Integer> number = threads.submit(() -> numbers.execute("group", () -> {
            calls.incrementAndGet();
            return ownEnd.get();
        }));
        awaitCall(numbers);
        end.complete("a text");
        assertThat(text.get()).isEqualTo("a text");
        await().until(() -> calls.get() == 1);
        ownEnd.complete(7);
        Integer own = number.get(); // the cast that a caller makes
        assertThat(own).isEqualTo(7);
    }

    @Test
    void theSamePlainTypeIsSharedAfterTheFirstCall() throws Exception {
        BlockingCallableGroupCollapseExecutor one = executor();
        BlockingCallableGroupCollapseExecutor two = executor();
        one.execute("warm", () -> List.of("text"));
        two.execute("warm", () -> List.of("other"));
        CompletableFuture<List<String>> end = new CompletableFuture<>();
        Future<List<String>> led = threads.submit(() -> one.execute("group", end::get));
        awaitCall(one);
        await().until(() -> redis.names().stream()
                .anyMatch(name -> !"".equals(redis.commands().hget(name, "leases"))));
        Future<List<String>> taken = threads.submit(() -> two.execute("group", () -> List.of("own")));
        await().until(() -> redis.names().stream()
                .flatMap(name -> redis.commands().hkeys(name).stream())
                .anyMatch(field -> field.matches("w.{16}")));
        end.complete(List.of("shared"));
        assertThat(led.get()).containsExactly("shared");
        assertThat(taken.get()).containsExactly("shared");
    }

    @Test
    void aResultOfANewTypeIsNotSharedUnderTheNameOfOthers() throws Exception {
        BlockingCallableGroupCollapseExecutor one = executor();
        BlockingCallableGroupCollapseExecutor two = executor();
        one.execute("warm", () -> "text");
        two.execute("warm", () -> "text");
        CompletableFuture<Object> end = new CompletableFuture<>();
        Future<Object> led = threads.submit(() -> one.execute("group", end::get));
        await().until(() -> redis.names().stream()
                .map(name -> redis.commands().hget(name, "leases"))
                .anyMatch(leases -> leases != null && !leases.isEmpty()));
        Future<String> waiter = threads.submit(() -> two.execute("group", () -> "own"));
        await().until(() -> redis.names().stream()
                .flatMap(name -> redis.commands().hkeys(name).stream())
                .anyMatch(field -> field.matches("w.{16}")));
        end.complete(7);
        assertThat(led.get()).isEqualTo(7);
        String own = waiter.get();
        assertThat(own).isEqualTo("own");
    }

    @Test
    void futuresLearnTheirTypesToo() throws Exception {
        Instance instance = joining();
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(CollapseOptions.builder()
                .callWrapper(instance.calls().wrapper("users", ResultCodec.ofPlainValues()))
                .build());
        assertThat(executor.execute("group", () -> CompletableFuture.completedFuture("first"))
                        .get())
                .isEqualTo("first");
        assertThat(redis.names()).isEmpty();
        assertThat(executor.execute("group", () -> CompletableFuture.completedFuture("second"))
                        .get())
                .isEqualTo("second");
        assertThat(instance.calls().counts().led()).isEqualTo(1);
    }

    @Test
    void resultsOfAnotherVersionOrFormatAreNotShared() throws Exception {
        Held held = new Held(joining(), Instance.TEXT);
        Instance next = instance(Instance.options().joinMode(JoinMode.IN_FLIGHT).version("2"));
        assertThat(ask(next, Instance.TEXT).get()).isEqualTo("own 2");
        ResultCodec<String> other = Instance.TEXT.withFormat("other");
        assertThat(ask(joining(), other).get()).isEqualTo("own 3");
        Future<String> waiter = ask(joining(), Instance.TEXT.withFormat(""));
        awaitWaiters(1);
        held.end.complete("result");
        assertThat(waiter.get()).isEqualTo("result");
    }

    /** Deployments put the new secret behind the old one, then before it, then alone. */
    @Test
    void whileASecretIsReplacedInstancesShare() throws Exception {
        byte[] older = Instance.bytes("an old secret of the tests");
        byte[] newer = Instance.bytes("a newer secret of the tests");
        ClusterOptions.Builder before = ClusterOptions.builder(older).otherSecrets(List.of(newer));
        ClusterOptions.Builder after = ClusterOptions.builder(newer).otherSecrets(List.of(older));
        for (List<ClusterOptions.Builder> pair : List.of(List.of(before, after), List.of(after, before))) {
            BlockingCallableGroupCollapseExecutor leader = executor(pair.get(0).maxDelay(patience()), Instance.TEXT);
            BlockingCallableGroupCollapseExecutor other = executor(pair.get(1).maxDelay(patience()), Instance.TEXT);
            CompletableFuture<String> end = new CompletableFuture<>();
            Future<String> led = threads.submit(() -> leader.execute("group", end::get));
            await().until(() -> !redis.names().isEmpty());
            Future<String> taken = threads.submit(() -> other.execute("group", () -> "own"));
            await().until(() -> redis.names().stream()
                    .flatMap(name -> redis.commands().hkeys(name).stream())
                    .anyMatch(field -> field.matches("w.{16}")));
            end.complete("shared");
            assertThat(led.get()).isEqualTo("shared");
            assertThat(taken.get()).isEqualTo("shared");
            redis.commands().flushall();
        }
    }

    private static Duration patience() {
        return Duration.ofSeconds(10);
    }
}
