package io.github.collapseexecutor.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.servlet.RequestWait.Decision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A decision and an interruption that come to a waiting request at the same time. */
class RequestWaitTests {

    private static final int ROUNDS = 20_000;

    /** What the waiting thread saw. */
    private record Seen(boolean decided, boolean interrupted) {}

    /** The thread is interrupted just before the decision, so that either may reach it first. */
    @Test
    void anInterruptionIsThrownOrLeftToTheThreadAndADecisionIsTakenOrRefused() throws Exception {
        ExecutorService waiter = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                CompletableFuture<RequestWait> begun = new CompletableFuture<>();
                CompletableFuture<Thread> waiting = new CompletableFuture<>();
                Future<Seen> seen = waiter.submit(() -> {
                    RequestWait wait = new RequestWait(Runnable::run);
                    waiting.complete(Thread.currentThread());
                    begun.complete(wait);
                    try {
                        boolean run = wait.await() instanceof Decision.Run;
                        return new Seen(run, Thread.interrupted());
                    } catch (InterruptedException e) {
                        return new Seen(false, true);
                    }
                });
                RequestWait wait = begun.get(30, TimeUnit.SECONDS);
                Thread thread = waiting.get(30, TimeUnit.SECONDS);
                while (LockSupport.getBlocker(thread) != wait && round % 2 == 0) {
                    Thread.onSpinWait();
                }
                thread.interrupt();
                boolean accepted = wait.decide(new Decision.Run());
                assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo(new Seen(accepted, true));
            }
        } finally {
            waiter.shutdownNow();
        }
    }
}
