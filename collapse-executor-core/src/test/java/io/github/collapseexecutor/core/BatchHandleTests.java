package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a call is told of the batch that it runs for. */
class BatchHandleTests {

    private static final CollapseOptions IN_FLIGHT =
            CollapseOptions.builder().joinMode(JoinMode.IN_FLIGHT).build();
    private static final CollapseOptions ONE_AT_A_TIME =
            CollapseOptions.builder().maxConcurrentBatches(1).build();

    private final AtomicReference<BatchHandle> batch = new AtomicReference<>();
    private final CompletableFuture<String> answer = new CompletableFuture<>();

    /** Shows its batch and is answered by the test. */
    private final BatchCall<CompletionStage<String>> call = handle -> {
        batch.set(handle);
        return answer;
    };

    @Test
    void aCallOfOneCallerIsLoneOnEveryExecutor() throws Exception {
        BatchCall<Boolean> lone = BatchHandle::isLone;
        assertThat(new BlockingCallableGroupCollapseExecutor().execute("group", lone))
                .isTrue();
        assertThat(new AsyncCallableGroupCollapseExecutor()
                        .execute("group", lone)
                        .join())
                .isTrue();
        assertThat(new FutureCallableGroupCollapseExecutor()
                        .execute("group", (BatchCall<CompletionStage<Boolean>>)
                                handle -> CompletableFuture.completedFuture(handle.isLone()))
                        .join())
                .isTrue();
    }

    @Test
    void aCallThatOthersMayJoinIsNotLone() throws Exception {
        BatchCall<Boolean> lone = BatchHandle::isLone;
        assertThat(new BlockingCallableGroupCollapseExecutor(IN_FLIGHT).execute("group", lone))
                .isFalse();
    }

    @Test
    void aCallWithFollowersIsLoneOnceTheyHaveLeft() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CompletableFuture<String> ahead = new CompletableFuture<>();
        CompletableFuture<String> first = executor.execute("group", () -> ahead);
        CompletableFuture<String> leader = executor.execute("group", call);
        CompletableFuture<String> follower = executor.execute("group", call);
        CompletableFuture<String> other = executor.execute("group", call);
        ahead.complete("ahead");
        assertThat(first).isCompleted();
        assertThat(batch.get().isLone()).isFalse();
        other.cancel(false);
        assertThat(batch.get().isLone()).isFalse();
        follower.cancel(false);
        assertThat(batch.get().isLone()).isTrue();
        answer.complete("answer");
        assertThat(leader).isCompletedWithValue("answer");
    }

    @Test
    void aCallWhoseLeaderHasLeftIsNotLoneAlthoughOneCallerRemains() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CompletableFuture<String> ahead = new CompletableFuture<>();
        CompletableFuture<String> first = executor.execute("group", () -> ahead);
        CompletableFuture<String> leader = executor.execute("group", call);
        CompletableFuture<String> follower = executor.execute("group", call);
        ahead.complete("ahead");
        assertThat(first).isCompleted();
        leader.cancel(false);
        assertThat(batch.get().isLone()).isFalse();
        answer.complete("answer");
        assertThat(follower).isCompletedWithValue("answer");
    }

    @Test
    void aCallerThatComesAfterTheStartDoesNotMakeALoneCallAnyLessLone() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CompletableFuture<String> leader = executor.execute("group", call);
        CompletableFuture<String> later = executor.execute("group", () -> CompletableFuture.completedFuture("own"));
        assertThat(batch.get().isLone()).isTrue();
        answer.complete("answer");
        assertThat(leader).isCompletedWithValue("answer");
        assertThat(later).isCompletedWithValue("own");
    }

    /** Counts how often it learns that it has opened a batch. */
    private static final class Opener implements BatchCall<CompletionStage<String>> {

        private final CompletableFuture<String> answer = new CompletableFuture<>();
        private final List<Thread> opened = new ArrayList<>();

        @Override
        public CompletionStage<String> call(BatchHandle batch) {
            return answer;
        }

        @Override
        public void opened() {
            opened.add(Thread.currentThread());
        }
    }

    @Test
    void onlyTheCallThatOpensABatchWhichHasToWaitLearnsOfIt() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        Opener lone = new Opener();
        Opener opener = new Opener();
        Opener joiner = new Opener();
        CompletableFuture<String> first = executor.execute("group", lone);
        CompletableFuture<String> second = executor.execute("group", opener);
        CompletableFuture<String> third = executor.execute("group", joiner);
        assertThat(lone.opened).as("starts at once").isEmpty();
        assertThat(opener.opened).containsExactly(Thread.currentThread());
        assertThat(joiner.opened).as("joins a batch").isEmpty();
        lone.answer.complete("first");
        opener.answer.complete("second");
        assertThat(first).isCompletedWithValue("first");
        assertThat(second).isCompletedWithValue("second");
        assertThat(third).isCompletedWithValue("second");
    }

    @Test
    void aCallThatNoExecutorMakesIsNotLone() throws Exception {
        Callable<Boolean> lone = (BatchCall<Boolean>) BatchHandle::isLone;
        assertThat(lone.call()).isFalse();
    }

    private static boolean isLeadersOwn(Throwable failure, Consumer<CompletableFuture<?>> duringTheCall)
            throws Exception {
        CompletableFuture<?> cancelSignal = new CompletableFuture<>();
        BatchCall<Boolean> own = handle -> {
            duringTheCall.accept(cancelSignal);
            return handle.isLeadersOwn(failure);
        };
        return new BlockingCallableGroupCollapseExecutor()
                .execute("group", own, CallOptions.defaults().cancelSignal(cancelSignal));
    }

    @Test
    void P06_aCallCanTellWhetherItsFailureIsItsLeadersOwn() throws Exception {
        IOException reset = new IOException("reset");
        assertThat(isLeadersOwn(reset, nothing -> {})).isFalse();
        assertThat(isLeadersOwn(reset, cancelSignal -> cancelSignal.cancel(false)))
                .isTrue();
        assertThat(isLeadersOwn(reset, nothing -> Thread.currentThread().interrupt()))
                .isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void P06_anInterruptionAmongTheCausesIsNotTheLeadersOwn() throws Exception {
        assertThat(isLeadersOwn(new IOException(new InterruptedException()), nothing -> {}))
                .isFalse();
        BatchCall<Boolean> own = handle -> handle.isLeadersOwn(new InterruptedException());
        assertThat(new BlockingCallableGroupCollapseExecutor().execute("group", own))
                .isTrue();
    }

    @Test
    void noCallerOwnsTheFailureOfACallThatRunsOnNoCallersThread() throws Exception {
        InterruptedException interruption = new InterruptedException();
        BatchCall<Boolean> own = handle -> handle.isLeadersOwn(interruption);
        assertThat(new AsyncCallableGroupCollapseExecutor()
                        .execute("group", own)
                        .join())
                .isFalse();
        assertThat(own.call()).isFalse();
    }
}
