package io.github.collapseexecutor.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BatchHandle;
import io.github.collapseexecutor.core.LibraryThreads;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Calls for which the process gets no thread, as at its limit of threads, and stages that break: every caller gets an end, and every lease. */
class NoThreadTests extends SharingFixture {

    private static final Executor NO_THREADS = task -> {
        throw new RejectedExecutionException("no thread can be made");
    };

    /** One whose dependents cannot be had. */
    private static final class BrokenStage<T> extends CompletableFuture<T> {

        @Override
        public CompletableFuture<T> whenComplete(BiConsumer<? super T, ? super Throwable> action) {
            throw new IllegalStateException("a broken stage");
        }
    }

    private CompletionStage<String> called(Instance instance, Executor free, CompletableFuture<String> made)
            throws Exception {
        return SharedStage.of(
                        new ResultExchange<>(instance.calls().node(), "call", "key", Instance.TEXT, true),
                        () -> {
                            calls.incrementAndGet();
                            return made;
                        },
                        free)
                .call(BatchHandle.current());
    }

    private CompletionStage<Map<Object, String>> calledByKey(
            Instance instance, Executor free, CompletableFuture<Map<Object, String>> made) throws Exception {
        return SharedStage.<Object, String>byKey(
                        instance.calls().sharing("users", Instance.TEXT),
                        keys -> {
                            calls.incrementAndGet();
                            return made;
                        },
                        free)
                .apply(List.of(1));
    }

    private static void assertFails(CompletionStage<?> answer, Class<? extends Throwable> with) {
        assertThatThrownBy(() -> answer.toCompletableFuture().get(20, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(with);
    }

    private void awaitNoLease(String name) {
        await().untilAsserted(
                        () -> assertThat(redis.commands().hget(name, "leases")).isEmpty());
    }

    @Test
    void aCallWithoutAThreadFailsAndGivesUpItsLease() throws Exception {
        assertFails(called(instance(), NO_THREADS, new CompletableFuture<>()), RejectedExecutionException.class);
        awaitNoLease(name());
        assertThat(calls).hasValue(0);
    }

    @Test
    void aBulkCallWithoutAThreadFailsAndGivesUpItsLeases() throws Exception {
        assertFails(calledByKey(instance(), NO_THREADS, new CompletableFuture<>()), RejectedExecutionException.class);
        awaitNoLease(SharedKeysFixture.nameOf(1));
        assertThat(calls).hasValue(0);
    }

    @Test
    void aStageThatBreaksFailsItsCallAndGivesUpItsLease() throws Exception {
        assertFails(called(instance(), LibraryThreads.free(), new BrokenStage<>()), IllegalStateException.class);
        awaitNoLease(name());
        assertThat(calls).hasValue(1);
    }

    @Test
    void aStageThatBreaksFailsItsBulkCallAndGivesUpItsLeases() throws Exception {
        assertFails(calledByKey(instance(), LibraryThreads.free(), new BrokenStage<>()), IllegalStateException.class);
        awaitNoLease(SharedKeysFixture.nameOf(1));
        assertThat(calls).hasValue(1);
    }

    /** An answer of a bulk call that cannot be read. */
    private static final class BrokenMap extends AbstractMap<Object, String> {

        @Override
        public Set<Map.Entry<Object, String>> entrySet() {
            throw new NoClassDefFoundError("a broken map");
        }
    }

    @Test
    void aMapThatThrowsAnErrorFailsItsBulkCallAndGivesUpItsLeases() throws Exception {
        CompletableFuture<Map<Object, String>> made = CompletableFuture.completedFuture(new BrokenMap());
        assertFails(calledByKey(instance(), LibraryThreads.free(), made), NoClassDefFoundError.class);
        awaitNoLease(SharedKeysFixture.nameOf(1));
    }

    /** The decision of a closed cluster is there at once: no thread is needed. */
    @Test
    void aStageThatBreaksFailsItsCallWithoutACluster() throws Exception {
        Instance closed = instance();
        closed.calls().close();
        assertFails(called(closed, NO_THREADS, new BrokenStage<>()), IllegalStateException.class);
        assertFails(calledByKey(closed, NO_THREADS, new BrokenStage<>()), IllegalStateException.class);
    }
}
