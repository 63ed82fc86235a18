package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A {@link CollapseExecutorFutureSupport} that was given executors starts the batches of a group on the group's. */
class StagesOnExecutorsTests {

    private static final CollapseOptions ONE_AT_A_TIME = CollapseOptions.builder()
            .name("test")
            .maxConcurrentBatches(1)
            .maxPending(8)
            .build();

    private final Map<Object, Queue<Runnable>> loops = new HashMap<>();
    private final List<List<String>> batches = new ArrayList<>();
    private final Queue<CompletableFuture<String>> stages = new ArrayDeque<>();

    private Queue<Runnable> loop(Object group) {
        return loops.computeIfAbsent(group, name -> new ArrayDeque<>());
    }

    /** The group of an input is its first letter. */
    private final class Letters extends CollapseExecutorFutureSupport<String, String, String> {

        Letters(Function<Object, ? extends Executor> executorOf) {
            super(ONE_AT_A_TIME, executorOf);
        }

        @Override
        protected Object groupOf(String input) {
            return input.charAt(0);
        }

        @Override
        protected CompletionStage<String> doExecute(Collection<Input<String>> inputs) {
            batches.add(inputs.stream().map(Input::value).toList());
            CompletableFuture<String> stage = new CompletableFuture<>();
            stages.add(stage);
            return stage;
        }

        @Override
        protected void bindingOutput(String output, List<Bundle<String, CompletableFuture<String>>> bundles) {
            bundles.forEach(
                    bundle -> bundle.bindOutput(CompletableFuture.completedFuture(bundle.getInput() + " " + output)));
        }
    }

    @Test
    void aBatchGathersUntilItsExecutorGetsToIt() {
        Letters letters = new Letters(group -> loop(group)::add);
        CompletableFuture<String> first = letters.execute("a1");
        CompletableFuture<String> second = letters.execute("a2");
        assertThat(loop('a')).as("one task, however many inputs").hasSize(1);
        assertThat(batches).isEmpty();

        loop('a').remove().run();
        assertThat(batches).containsExactly(List.of("a1", "a2"));
        stages.remove().complete("ok");
        assertThat(first).isCompletedWithValue("a1 ok");
        assertThat(second).isCompletedWithValue("a2 ok");
    }

    @Test
    void theNextBatchGoesToTheExecutorWhenTheStageBeforeItHasCompleted() {
        Letters letters = new Letters(group -> loop(group)::add);
        CompletableFuture<String> first = letters.execute("a1");
        loop('a').remove().run();
        CompletableFuture<String> second = letters.execute("a2");
        assertThat(loop('a'))
                .as("the first is in flight until its stage completes")
                .isEmpty();

        stages.remove().complete("ok");
        assertThat(first).isCompletedWithValue("a1 ok");
        assertThat(loop('a')).hasSize(1);
        CompletableFuture<String> third = letters.execute("a3");
        loop('a').remove().run();
        assertThat(batches).containsExactly(List.of("a1"), List.of("a2", "a3"));
        stages.remove().complete("too");
        assertThat(second).isCompletedWithValue("a2 too");
        assertThat(third).isCompletedWithValue("a3 too");
        assertThat(letters.engine().groupCount()).isZero();
    }

    @Test
    void everyGroupHasItsOwnExecutor() {
        Letters letters = new Letters(group -> loop(group)::add);
        CompletableFuture<String> a = letters.execute("a1");
        CompletableFuture<String> b = letters.execute("b1");
        loop('b').remove().run();
        assertThat(batches).containsExactly(List.of("b1"));
        stages.remove().complete("ok");
        assertThat(b).isCompletedWithValue("b1 ok");
        assertThat(a).isNotDone();
        assertThat(loop('a')).hasSize(1);
        loop('a').remove().run();
        stages.remove().complete("ok");
        assertThat(a).isCompletedWithValue("a1 ok");
    }

    @Test
    void aCallerThatLeavesBeforeTheExecutorGetsToItsBatchIsNotExecuted() {
        Letters letters = new Letters(group -> loop(group)::add);
        CompletableFuture<String> leaves = letters.execute("a1");
        CompletableFuture<String> stays = letters.execute("a2");
        assertThat(leaves.cancel(true)).isTrue();
        loop('a').remove().run();
        assertThat(batches).containsExactly(List.of("a2"));
        stages.remove().complete("ok");
        assertThat(stays).isCompletedWithValue("a2 ok");
    }

    @Test
    void anExecutorThatRefusesFailsItsGroupAlone() {
        RejectedExecutionException closed = new RejectedExecutionException("closed");
        Letters letters = new Letters(group -> {
            if (group.equals('a')) {
                throw closed;
            }
            return Runnable::run;
        });
        CompletableFuture<String> a = letters.execute("a1");
        CompletableFuture<String> b = letters.execute("b1");
        stages.remove().complete("ok");
        assertThat(b).isCompletedWithValue("b1 ok");
        assertThat(a).isCompletedExceptionally();
        assertThatThrownBy(a::join).isInstanceOf(CompletionException.class).hasCause(closed);
        assertThat(letters.engine().admission().callerCount()).isZero();
    }

    @Test
    void noExecutorForAGroupIsAFailureThatSaysSo() {
        Letters letters = new Letters(group -> null);
        CompletableFuture<String> call = letters.execute("a1");
        assertThat(call).isCompletedExceptionally();
        assertThatThrownBy(call::join)
                .hasCauseInstanceOf(NullPointerException.class)
                .hasMessageContaining("executorOf returned null");
        assertThat(letters.engine().groupCount()).isZero();
    }
}
