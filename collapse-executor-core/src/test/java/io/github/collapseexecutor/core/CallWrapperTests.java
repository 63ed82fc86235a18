package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a {@link CallWrapper} makes of the callables of each kind of executor. */
class CallWrapperTests {

    private static final String WRAPPED = " wrapped for ";

    private final List<BatchHandle> batches = new ArrayList<>();
    private final CollapseOptions options =
            CollapseOptions.builder().callWrapper(new Marking()).build();

    @Test
    void aBlockingExecutorCallsWhatTheWrapperMakes() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options);
        String answer = executor.execute("users", () -> "answer");
        assertThat(answer).isEqualTo("answer wrapped for users");
    }

    @Test
    void anAsyncExecutorCallsWhatTheWrapperMakes() throws Exception {
        AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(options);
        CompletableFuture<String> answer = executor.execute("users", () -> "answer");
        assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("answer wrapped for users");
    }

    @Test
    void aFutureExecutorCallsWhatTheWrapperMakes() throws Exception {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(options);
        CompletableFuture<String> answer = executor.execute("users", () -> CompletableFuture.completedFuture("answer"));
        assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("answer wrapped for users");
    }

    @Test
    void theCallThatTheWrapperMakesIsToldOfTheBatch() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(options);
        executor.execute("users", () -> "answer");
        assertThat(batches)
                .singleElement()
                .satisfies(batch -> assertThat(batch.isLone()).isTrue());
    }

    @Test
    void aNullIsTheFailureOfTheBatch() {
        BlockingCallableGroupCollapseExecutor blocking = new BlockingCallableGroupCollapseExecutor(options);
        assertThatNullPointerException()
                .isThrownBy(() -> blocking.execute("nothing", () -> "answer"))
                .withMessageContaining("callWrapper returned null");
        FutureCallableGroupCollapseExecutor future = new FutureCallableGroupCollapseExecutor(options);
        assertThatThrownBy(() -> future.execute("nothing", () -> CompletableFuture.completedFuture("answer"))
                        .get(30, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(NullPointerException.class);
    }

    /** Says in each answer that it was asked, and about which group. */
    private final class Marking implements CallWrapper {

        @Override
        public Callable<?> wrapCall(Object group, Callable<?> callable) {
            return group.equals("nothing") ? null : marked(group, callable);
        }

        private BatchCall<String> marked(Object group, Callable<?> callable) {
            return batch -> {
                batches.add(batch);
                return callable.call() + WRAPPED + group;
            };
        }

        @Override
        public Callable<? extends CompletionStage<?>> wrapStage(
                Object group, Callable<? extends CompletionStage<?>> callable) {
            return group.equals("nothing") ? null : () -> callable.call().thenApply(answer -> answer + WRAPPED + group);
        }
    }
}
