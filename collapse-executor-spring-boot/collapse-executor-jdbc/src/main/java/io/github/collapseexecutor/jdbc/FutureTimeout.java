package io.github.collapseexecutor.jdbc;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The end of a caller's patience that holds a future. */
final class FutureTimeout {

    private FutureTimeout() {}

    /**
     * Has an action run on a writer's thread if a future is not complete after a time. Nothing is kept of it once the future is
     * complete, and no code that depends on the future runs on the JDK's timer thread.
     */
    static void of(CompletableFuture<?> future, Duration time, Runnable action) {
        CompletableFuture<Void> timer = new CompletableFuture<>();
        CompletableFuture<?> unused = timer.orTimeout(time.toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((nothing, passed) -> {
                    if (passed instanceof TimeoutException) {
                        WriterThreads.INSTANCE.execute(action);
                    }
                });
        unused = future.whenComplete((value, failure) -> timer.cancel(false));
    }
}
