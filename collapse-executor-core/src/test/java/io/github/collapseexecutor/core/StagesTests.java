package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Stages of batch functions that are cancelled because all of their callers have left. */
class StagesTests {

    private static final CollapseOptions ONE_AT_A_TIME =
            CollapseOptions.builder().maxConcurrentBatches(1).build();

    @Test
    void P06_anAbandonedCallByKeyIsCancelledBeforeTheNextStarts() {
        List<String> events = new ArrayList<>();
        FutureCollapseExecutor<String, String> executor = CollapseExecutors.futureByKey(
                keys -> {
                    events.add("starts " + keys);
                    return new CompletableFuture<Map<String, String>>() {
                        @Override
                        public boolean cancel(boolean mayInterruptIfRunning) {
                            events.add("cancels " + keys);
                            return super.cancel(mayInterruptIfRunning);
                        }
                    };
                },
                MissingKeyPolicy.FAILURE,
                ONE_AT_A_TIME);
        CompletableFuture<String> first = executor.execute("a");
        CompletableFuture<String> second = executor.execute("b");
        first.cancel(true);
        assertThat(events).containsExactly("starts [a]", "cancels [a]", "starts [b]");
        second.cancel(true);
        assertThat(executor.counts().groups()).isZero();
    }

    /** A stage of the user's may throw whatever it likes when it is cancelled. */
    @Test
    void P13_aStageThatCannotBeCancelledHarmsNobody() {
        FutureCallableGroupCollapseExecutor executor = new FutureCallableGroupCollapseExecutor(ONE_AT_A_TIME);
        CompletableFuture<String> stage = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                throw new IllegalStateException("cannot be cancelled, on purpose");
            }
        };
        CompletableFuture<String> first = executor.execute("group", () -> stage);
        CompletableFuture<String> second = executor.execute("group", () -> CompletableFuture.completedFuture("next"));
        List<Throwable> reported = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> reported.add(failure));
        try {
            assertThat(first.cancel(true)).isTrue();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(null);
        }
        assertThat(reported).singleElement().isInstanceOf(IllegalStateException.class);
        stage.completeExceptionally(new CancellationException());
        assertThat(second).isCompletedWithValue("next");
    }
}
