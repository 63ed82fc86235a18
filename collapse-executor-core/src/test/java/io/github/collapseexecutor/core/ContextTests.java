package io.github.collapseexecutor.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whose thread-locals a batch sees, and where batches run by default. */
class ContextTests {

    private final ThreadLocal<String> user = new ThreadLocal<>();
    private final InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();

    private String seen() {
        return user.get() + "/" + tenant.get();
    }

    @Test
    void P11_aBlockingBatchSeesItsLeadersThreadLocalsAndFollowersKeepTheirs() throws Exception {
        BlockingCallableGroupCollapseExecutor executor = new BlockingCallableGroupCollapseExecutor(
                CollapseOptions.builder().maxConcurrentBatches(1).build());
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Caller first = new Caller.OnThread("first", () -> {
            user.set("first");
            return executor.execute("group", () -> {
                inside.countDown();
                go.await();
                return seen();
            });
        });
        inside.await();
        Caller leader = new Caller.OnThread("leader", () -> {
                    user.set("leader");
                    return executor.<String>execute("group", this::seen) + " and " + user.get();
                })
                .awaitJoined();
        Caller follower = new Caller.OnThread("follower", () -> {
                    user.set("follower");
                    return executor.<String>execute("group", this::seen) + " and " + user.get();
                })
                .awaitJoined();
        go.countDown();
        assertThat(first.output()).isEqualTo("first/null");
        assertThat(leader.output()).isEqualTo("leader/null and leader");
        assertThat(follower.output()).isEqualTo("leader/null and follower");
    }

    @Test
    void P11_anAsyncBatchSeesNobodysThreadLocals() throws Exception {
        user.set("caller");
        tenant.set("caller");
        AsyncCallableGroupCollapseExecutor executor = new AsyncCallableGroupCollapseExecutor();
        assertThat(executor.execute("group", this::seen).get(10, TimeUnit.SECONDS))
                .isEqualTo("null/null");
    }

    private String seenOn(Executor executor) throws Exception {
        Caller.OfFuture caller = new Caller.OfFuture(java.util.concurrent.CompletableFuture.supplyAsync(
                () -> seen() + "/" + Thread.currentThread().isDaemon(), executor));
        return caller.output();
    }

    @Test
    void P11_thePoolOfOlderJdksInheritsNothingEither() throws Exception {
        user.set("caller");
        tenant.set("caller");
        assertThat(seenOn(DefaultExecutor.daemonPool(SystemScheduler.INSTANCE))).isEqualTo("null/null/true");
    }

    @Test
    void P11_theDefaultIsVirtualThreadsWhereTheJdkHasThem() throws Exception {
        user.set("caller");
        tenant.set("caller");
        boolean jdkHasThem = Runtime.version().feature() >= 21;
        assertThat(DefaultExecutor.virtualThreads() != null).isEqualTo(jdkHasThem);
        assertThat(DefaultExecutor.get().getClass().getSimpleName())
                .isEqualTo(jdkHasThem ? "ThreadPerTaskExecutor" : "DaemonPool");
        assertThat(seenOn(DefaultExecutor.get())).isEqualTo("null/null/true");
    }
}
