package io.github.collapseexecutor.http.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The machine's own time: on which threads its tasks run, and how long those are there. */
class HttpTimeTests {

    private static Thread threadOfATask() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        Future<?> unused = HttpTime.SYSTEM.schedule(() -> thread.complete(Thread.currentThread()), 1);
        return thread.join();
    }

    @Test
    void aTaskRunsOnADaemonOfTheLibraryThatEndsWhenItIsIdle() {
        Thread thread = threadOfATask();
        assertThat(thread.getName()).startsWith("collapse-executor-due-");
        assertThat(thread.isDaemon()).isTrue();
        await().until(() -> !thread.isAlive());
    }

    @Test
    void aTaskThatBlocksHoldsUpNoOther() {
        CompletableFuture<?> end = new CompletableFuture<>();
        CompletableFuture<Thread> blocked = new CompletableFuture<>();
        Future<?> unused = HttpTime.SYSTEM.schedule(
                () -> {
                    blocked.complete(Thread.currentThread());
                    end.join();
                },
                1);
        assertThat(blocked.join()).isNotSameAs(threadOfATask());
        end.complete(null);
    }
}
