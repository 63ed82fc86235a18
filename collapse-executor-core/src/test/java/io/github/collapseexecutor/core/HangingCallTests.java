package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseEngine.Runner;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a call that hangs costs while its group is called on and on. */
class HangingCallTests {

    private final EngineScheduler time = new ManualTime();

    private BlockingCall<String, String> start(CollapseEngine<String, String> engine, String input) {
        BlockingCall<String, String> call = new BlockingCall<>(input, time);
        assertThat(engine.submit("group", call)).isEqualTo(SubmitResult.STARTED);
        return call;
    }

    @ParameterizedTest
    @EnumSource
    void P14_aCallThatHangsKeepsNoLaterCallInMemory(JoinMode mode) {
        CollapseEngine<String, String> engine = new CollapseEngine<>(
                CollapseOptions.builder()
                        .collectingWaitTime(Duration.ofNanos(-1))
                        .maxWaitRatio(0)
                        .joinMode(mode)
                        .build(),
                Runner.CALLER,
                true,
                time,
                batch -> {});
        BlockingCall<String, String> hanging = start(engine, "hanging");
        List<WeakReference<Object>> ended = new ArrayList<>();
        // There is always one more in flight, as under load.
        BlockingCall<String, String> latest = start(engine, "latest");
        for (int i = 0; i < 10; i++) {
            BlockingCall<String, String> next = start(engine, "next " + i);
            engine.end(latest.batch());
            ended.add(new WeakReference<>(latest));
            latest = next;
        }
        Eventually.until(() -> {
            System.gc();
            return ended.stream().allMatch(call -> call.get() == null);
        });
        engine.end(hanging.batch());
        engine.end(latest.batch());
        assertThat(engine.groupCount()).isZero();
    }

    /** An input that is equal to all others of its kind. */
    private static final class Equal {

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Equal;
        }
    }

    private static void expectGone(List<WeakReference<Object>> references) {
        Eventually.until(() -> {
            System.gc();
            return references.stream().allMatch(reference -> reference.get() == null);
        });
    }

    @Test
    void P14_callersThatLeftACallTheySharedAreForgotten() {
        CompletableFuture<List<Object>> hangs = new CompletableFuture<>();
        FutureCollapseExecutor<Object, Object> executor = CollapseExecutors.futureInOrder(
                inputs -> hangs,
                CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build());
        CompletableFuture<Object> first = executor.execute(new Equal());
        List<WeakReference<Object>> left = new ArrayList<>();
        CompletableFuture<Object> stays = null;
        for (int i = 0; i < 10; i++) {
            Object input = new Equal();
            left.add(new WeakReference<>(input));
            CompletableFuture<Object> caller = executor.execute(input);
            if (i == 5) {
                stays = executor.execute(new Equal());
            }
            caller.cancel(false);
        }
        expectGone(left);
        hangs.complete(List.of("answer"));
        assertThat(first).isCompletedWithValue("answer");
        assertThat(stays).isCompletedWithValue("answer");
    }

    @Test
    void P14_callersThatLeftABatchThatGathersAreForgotten() {
        CompletableFuture<List<Object>> hangs = new CompletableFuture<>();
        FutureCollapseExecutor<Object, Object> executor = CollapseExecutors.futureInOrder(
                inputs -> hangs,
                CollapseOptions.builder()
                        .joinMode(JoinMode.IN_FLIGHT)
                        .maxConcurrentBatches(1)
                        .build());
        CompletableFuture<Object> first = executor.execute("first");
        CompletableFuture<Object> stays = executor.execute("stays");
        List<WeakReference<Object>> left = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Object input = i < 5 ? new Equal() : new Object();
            left.add(new WeakReference<>(input));
            executor.execute(input).cancel(false);
        }
        expectGone(left);
        hangs.complete(List.of("answer"));
        assertThat(first).isCompletedWithValue("answer");
        assertThat(stays).isCompletedWithValue("answer");
    }
}
