package io.github.collapseexecutor.sample.groupcommit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SlowDiskTests {

    @Test
    void commitsThatComeDuringASyncShareTheNext() throws Exception {
        AtomicInteger syncs = new AtomicInteger();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        SlowDisk disk = new SlowDisk(nanos -> {
            syncs.incrementAndGet();
            begun.countDown();
            end.await();
        });
        disk.delay(Duration.ofMillis(5));
        List<CompletableFuture<Void>> commits = new ArrayList<>();
        commits.add(commit(disk));
        begun.await();
        for (int i = 0; i < 10; i++) {
            commits.add(commit(disk));
        }
        while (disk.waiting() < 11) {
            Thread.onSpinWait();
        }
        assertThat(commits).noneMatch(CompletableFuture::isDone);
        end.countDown();
        for (CompletableFuture<Void> commit : commits) {
            commit.get(30, TimeUnit.SECONDS);
        }
        assertThat(syncs).hasValue(2);
    }

    @Test
    void syncTakesAsLongAsItIsTold() throws Exception {
        SlowDisk disk = new SlowDisk();
        disk.delay(Duration.ofMillis(20));
        long begin = System.nanoTime();
        disk.sync();
        assertThat(System.nanoTime() - begin)
                .isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
    }

    @Test
    void diskWithoutDelayDoesNotSync() throws Exception {
        SlowDisk disk = new SlowDisk(nanos -> {
            throw new AssertionError("a sync");
        });
        disk.sync();
        disk.delay(Duration.ofMillis(5));
        disk.delay(Duration.ZERO);
        disk.sync();
        assertThat(disk.waiting()).isZero();
    }

    @Test
    void interruptedCommitIsNotSent() {
        SlowDisk disk = new SlowDisk();
        disk.delay(Duration.ofMinutes(1));
        Thread.currentThread().interrupt();
        assertThatThrownBy(disk::sync).isInstanceOf(SQLException.class).hasMessageContaining("not sent");
        assertThat(Thread.interrupted()).isTrue();
    }

    private static CompletableFuture<Void> commit(SlowDisk disk) {
        CompletableFuture<Void> commit = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        disk.sync();
                        commit.complete(null);
                    } catch (SQLException | RuntimeException e) {
                        commit.completeExceptionally(e);
                    }
                })
                .start();
        return commit;
    }
}
