package io.github.collapseexecutor.sample.advanced;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.core.CollapseOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The batch executors of one's own: a caller alone asks at once; callers that come meanwhile are answered together. */
class CustomExecutorsTests {

    private static final CollapseOptions ONE_AT_A_TIME =
            CollapseOptions.builder().maxConcurrentBatches(1).build();

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final HeldService service = new HeldService();
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void stopThreads() {
        service.release.countDown();
        pool.shutdownNow();
    }

    @Test
    void blockingCallersThatComeMeanwhileShareOneBulkCall() throws Exception {
        CustomBlockingCollapseExecutor users = new CustomBlockingCollapseExecutor(service, ONE_AT_A_TIME);
        FutureTask<UserEntity> first = inThread(users, 1);
        await(service.entered);
        List<FutureTask<UserEntity>> others = new ArrayList<>();
        for (long id = 2; id <= 50; id++) {
            others.add(inThread(users, id));
        }
        threads.stream().skip(1).forEach(CustomExecutorsTests::awaitWaiting);
        service.release.countDown();

        assertThat(first.get()).isEqualTo(new UserEntity(1L, "user 1"));
        for (int i = 0; i < others.size(); i++) {
            assertThat(others.get(i).get().id()).isEqualTo(i + 2L);
        }
        assertThat(service.calls()).isEqualTo(2);
    }

    @Test
    void asyncCallersThatComeMeanwhileShareOneBulkCall() throws Exception {
        CustomAsyncCollapseExecutor users = new CustomAsyncCollapseExecutor(service, ONE_AT_A_TIME);
        users.setExecutor(pool);
        CompletableFuture<UserEntity> first = users.execute(1L);
        await(service.entered);
        List<CompletableFuture<UserEntity>> others =
                LongStream.rangeClosed(2, 50).mapToObj(users::execute).toList();
        service.release.countDown();

        assertThat(first.get().id()).isEqualTo(1);
        for (int i = 0; i < others.size(); i++) {
            assertThat(others.get(i).get().id()).isEqualTo(i + 2L);
        }
        assertThat(service.calls()).isEqualTo(2);
    }

    @Test
    void unknownUserFailsItsOwnCallerOnly() throws Exception {
        CustomAsyncCollapseExecutor users = new CustomAsyncCollapseExecutor(service, ONE_AT_A_TIME);
        users.setExecutor(pool);
        CompletableFuture<UserEntity> first = users.execute(1L);
        await(service.entered);
        CompletableFuture<UserEntity> nobody = users.execute(-1L);
        CompletableFuture<UserEntity> known = users.execute(2L);
        service.release.countDown();

        assertThat(first.get().id()).isEqualTo(1);
        assertThat(known.get().id()).isEqualTo(2);
        assertThatThrownBy(nobody::get).hasCauseInstanceOf(NoSuchElementException.class);
        assertThat(service.calls()).isEqualTo(2);
    }

    @Test
    void unknownUserIsTheCallersException() {
        CustomBlockingCollapseExecutor users =
                new CustomBlockingCollapseExecutor(new UserService(), CollapseOptions.defaults());
        assertThatThrownBy(() -> users.execute(-1L))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessage("There is no user -1");
    }

    @Test
    void exampleAnswersEveryCallerInEachWay() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CollapseExecutorAdvancedExample.run(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .hasSize(3)
                .allMatch(line -> line.matches("[a-z, ]+: 50 callers, [0-9]+ bulk calls"));
    }

    private FutureTask<UserEntity> inThread(CustomBlockingCollapseExecutor users, long id) {
        FutureTask<UserEntity> call = new FutureTask<>(() -> users.execute(id));
        Thread thread = new Thread(call, "caller of user " + id);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return call;
    }

    /** A caller that waits for its batch is a thread that waits. */
    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(thread.isAlive()).as(thread.getName() + " waits").isTrue();
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    }

    /** Keeps its first bulk call until it is released. */
    private static final class HeldService extends UserService {

        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch release = new CountDownLatch(1);

        @Override
        public Map<Long, UserEntity> findAll(Collection<Long> ids) {
            entered.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return super.findAll(ids);
        }
    }
}
