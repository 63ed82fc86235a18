package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What the future that a caller holds keeps, and what it gives back however it is completed. */
class KeptFutureTests {

    private final Queue<Runnable> queue = new ArrayDeque<>();

    @Test
    void P14_aKeptFutureKeepsTheAnswersOfNoOtherCaller() {
        List<WeakReference<Object>> answers = new ArrayList<>();
        FutureCollapseExecutor<Integer, Object> executor = CollapseExecutors.asyncInOrder(
                inputs -> {
                    List<Object> outputs = new ArrayList<>();
                    inputs.forEach(input -> outputs.add(new Object()));
                    outputs.forEach(output -> answers.add(new WeakReference<>(output)));
                    return outputs;
                },
                CollapseOptions.defaults(),
                queue::add);
        List<CompletableFuture<Object>> callers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            callers.add(executor.execute(i));
        }
        queue.remove().run();
        CompletableFuture<Object> kept = callers.get(100);
        CompletableFuture<Object> cancelled = executor.execute(-1);
        CompletableFuture<Object> other = executor.execute(-2);
        cancelled.cancel(false);
        queue.remove().run();
        assertThat(other).isCompleted();
        callers.clear();
        other = null;
        Eventually.until(() -> {
            System.gc();
            return answers.stream().filter(answer -> answer.get() != null).count() == 1;
        });
        assertThat(kept).isCompleted();
        assertThat(cancelled).isCancelled();
    }

    @Test
    void P14_aKeptSignalKeepsNothingOfACallThatHasEnded() {
        CompletableFuture<String> cancelSignal = new CompletableFuture<>();
        FutureCollapseExecutor<Integer, Object> executor = CollapseExecutors.asyncInOrder(
                inputs -> {
                    List<Object> outputs = new ArrayList<>();
                    inputs.forEach(input -> outputs.add(new Object()));
                    return outputs;
                },
                CollapseOptions.defaults(),
                queue::add);
        CallOptions cancellable = CallOptions.defaults().cancelSignal(cancelSignal);
        List<CompletableFuture<Object>> callers =
                new ArrayList<>(List.of(executor.execute(1, cancellable), executor.execute(2, cancellable)));
        queue.remove().run();
        List<WeakReference<Object>> answers = new ArrayList<>();
        callers.forEach(caller -> answers.add(new WeakReference<>(caller.join())));
        callers.clear();
        Eventually.until(() -> {
            System.gc();
            return answers.stream().allMatch(answer -> answer.get() == null);
        });
        assertThat(cancelSignal).isNotDone();
    }

    @Test
    void P06_aSignalCancelsACallWhoseFutureNobodyKeeps() {
        CompletableFuture<String> cancelSignal = new CompletableFuture<>();
        AsyncCallableGroupCollapseExecutor executor = withOnePlace(queue::add);
        CallOptions cancellable = CallOptions.defaults().cancelSignal(cancelSignal);
        CompletableFuture<?> unused = executor.execute("group", () -> "call", cancellable);
        unused = null;
        System.gc();
        cancelSignal.complete("now");
        assertThat(executor.engine().admission().callerCount()).isZero();
    }

    private static AsyncCallableGroupCollapseExecutor withOnePlace(Executor threads) {
        AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(
                CollapseOptions.builder().maxPending(1).build());
        executor.setExecutor(threads);
        return executor;
    }

    @Test
    void P16_howeverACallerCompletesItsFutureItGivesItsPlaceBack() throws Exception {
        AsyncCallableGroupCollapseExecutor executor = withOnePlace(queue::add);
        CompletableFuture<String> first = executor.execute("group", () -> "call");
        assertThatThrownBy(() -> executor.execute("group", () -> "call"))
                .isInstanceOf(RejectedExecutionException.class);
        first.obtrudeValue("obtruded");
        CompletableFuture<String> second = executor.execute("group", () -> "call");
        second.obtrudeException(new IllegalStateException("obtruded"));
        CompletableFuture<String> third = executor.execute("group", () -> "call");
        // A method of Java 9 and newer, which these tests run on.
        CompletableFuture<String> same = third.completeAsync(() -> "supplied", Runnable::run);
        assertThat(same).isSameAs(third).isCompletedWithValue("supplied");
        CompletableFuture<String> fourth = executor.execute("group", () -> "call");
        Supplier<String> failing = () -> {
            throw new IllegalStateException("supplier");
        };
        assertThat(fourth.completeAsync(failing, Runnable::run)).isCompletedExceptionally();
        assertThat(executor.engine().admission().callerCount()).isZero();
        assertThat(executor.engine().groupCount()).isZero();
    }

    @Test
    void P13_aDependentOfARefusedCallerThatWaitsForTheNextHoldsUpNobody() throws Exception {
        AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor(CollapseOptions.builder()
                .maxConcurrentBatches(1)
                .maxBatchSize(1)
                .build());
        executor.setExecutor(queue::add);
        CompletableFuture<String> ahead = executor.execute("group", () -> "ahead");
        CompletableFuture<String> refused = executor.execute("group", () -> "refused");
        CompletableFuture<String> innocent = executor.execute("group", () -> "innocent");
        CompletableFuture<Boolean> innocentFirst = refused.handle((value, failure) -> innocent.isDone());
        List<Runnable> refusing = new ArrayList<>();
        executor.setExecutor(task -> {
            if (refusing.isEmpty()) {
                refusing.add(task);
                throw new RejectedExecutionException("full");
            }
            Thread thread = new Thread(task);
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        queue.remove().run();
        assertThat(ahead).isCompletedWithValue("ahead");
        assertThat(innocent.get()).isEqualTo("innocent");
        assertThat(innocentFirst).isCompletedWithValue(true);
    }
}
