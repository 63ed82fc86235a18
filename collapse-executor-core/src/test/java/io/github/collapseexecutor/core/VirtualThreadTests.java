package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Very many waiting callers: virtual threads where the JDK has them, platform threads elsewhere (C12). */
class VirtualThreadTests {

    private static ThreadFactory threads() throws ReflectiveOperationException {
        if (Runtime.version().feature() < 21) {
            return Thread::new;
        }
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        return (ThreadFactory)
                Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    }

    @Test
    void veryManyCallersWaitForOneBatch() throws Exception {
        int waiting = Runtime.version().feature() < 21 ? 1_000 : 100_000;
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().maxConcurrentBatches(1).build());
        ThreadFactory threads = threads();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(waiting);
        FutureTask<Integer> first = new FutureTask<>(() -> executor.execute("group", () -> {
            inside.countDown();
            go.await();
            return runs.incrementAndGet();
        }));
        threads.newThread(first).start();
        inside.await();
        List<FutureTask<Integer>> callers = new ArrayList<>();
        List<Thread> callerThreads = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            FutureTask<Integer> caller = new FutureTask<>(() -> {
                started.countDown();
                return executor.execute("group", runs::incrementAndGet);
            });
            callers.add(caller);
            Thread thread = threads.newThread(caller);
            callerThreads.add(thread);
            thread.start();
        }
        assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
        for (Thread thread : callerThreads) {
            if (thread.getState() != Thread.State.WAITING) {
                Eventually.until(() -> thread.getState() == Thread.State.WAITING);
            }
        }
        go.countDown();
        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        for (FutureTask<Integer> caller : callers) {
            assertThat(caller.get(60, TimeUnit.SECONDS)).isEqualTo(2);
        }
        assertThat(runs).hasValue(2);
        assertThat(executor.engine().groupCount()).isZero();
    }
}
