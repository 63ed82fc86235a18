package io.github.collapseexecutor.sample.commitlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CollapseOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stages overlap, groups grow, syncs are shared, and who leaves leaves the others alone. */
class StageTests {

    @TempDir
    private Path directory;

    private final FaultyFiles files = new FaultyFiles();
    private final Queue<BatchSummary> batches = new ConcurrentLinkedQueue<>();
    private CommitLog log;

    @BeforeEach
    void open() throws Exception {
        log = CommitLog.open(directory, CommitLogOptions.defaults(), files, batches::add);
    }

    @AfterEach
    void close() throws Exception {
        log.close();
    }

    private Gate holdForce() {
        Gate gate = new Gate();
        files.beforeForce = gate::pass;
        return gate;
    }

    private Gate holdWrite() {
        Gate gate = new Gate();
        files.limit = bytes -> {
            gate.pass();
            return bytes;
        };
        return gate;
    }

    private List<Integer> sizes(String stage) {
        return batches.stream()
                .filter(batch -> batch.executor().equals(stage))
                .map(BatchSummary::size)
                .toList();
    }

    private String record(long lsn) throws Exception {
        return new String(log.read(lsn), UTF_8);
    }

    @Test
    void groupsAreWrittenWhileAnotherIsSyncedAndThenSyncedTogether() throws Exception {
        Gate sync = holdForce();
        Appender first = Appender.of(log, "first");
        sync.awaitReached();
        List<Appender> others = new ArrayList<>();
        for (int i = 2; i <= 4; i++) {
            others.add(Appender.of(log, "other " + i));
            int groups = i;
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> sizes("commit-log-flush").size() == groups);
        }
        assertThat(first.isDone()).isFalse();
        assertThat(log.lastLsn()).isZero();
        assertThat(others).noneMatch(Appender::isDone);
        sync.open();
        assertThat(first.lsn()).isEqualTo(1);
        for (int i = 2; i <= 4; i++) {
            assertThat(others.get(i - 2).lsn()).isEqualTo(i);
            assertThat(record(i)).isEqualTo("other " + i);
        }
        log.close();
        assertThat(sizes("commit-log-flush")).startsWith(1, 1, 1, 1);
        assertThat(sizes("commit-log-sync")).startsWith(1, 3);
        assertThat(files.forces).as("for the new segment, and twice for groups").hasValue(3);
    }

    @Test
    void appendsThatComeWhileOneIsWrittenAreWrittenTogether() throws Exception {
        Gate write = holdWrite();
        Appender first = Appender.of(log, "first");
        write.awaitReached();
        List<Appender> others = new ArrayList<>();
        for (int i = 2; i <= 20; i++) {
            others.add(Appender.of(log, "other " + i).awaitWaiting());
        }
        write.open();
        assertThat(first.lsn()).isEqualTo(1);
        for (int i = 2; i <= 20; i++) {
            assertThat(others.get(i - 2).lsn()).as("in order of submission").isEqualTo(i);
        }
        log.close();
        assertThat(sizes("commit-log-flush")).startsWith(1, 19);
    }

    @Test
    void aStageWorksOnOneBatchAtATimeHoweverManyThreadsThereAre() throws Exception {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        Gate gate = new Gate();
        Queue<List<String>> worked = new ConcurrentLinkedQueue<>();
        Stage<String> stage = new Stage<>("test", threads, CollapseOptions.UNLIMITED, null, inputs -> {
            worked.add(inputs);
            if (inputs.contains("first")) {
                gate.pass();
            }
            return CompletableFuture.completedFuture(true);
        });
        CompletableFuture<Boolean> first = stage.execute("first");
        gate.awaitReached();
        CompletableFuture<Boolean> second = stage.execute("second");
        CompletableFuture<Boolean> third = stage.execute("third");
        threads.submit(() -> {}).get(1, TimeUnit.MINUTES); // by then the other thread has done what it was given before
        assertThat(worked).containsExactly(List.of("first"));
        gate.open();
        CompletableFuture.allOf(first, second, third).get(1, TimeUnit.MINUTES);
        assertThat(worked).containsExactly(List.of("first"), List.of("second", "third"));
        stage.shutDown();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void aGroupHasNoMoreRecordsThanASegmentHasRoomFor() throws Exception {
        log.close();
        CommitLogOptions large =
                CommitLogOptions.builder().maxRecordSize(64 << 20).build();
        log = CommitLog.open(directory, large, files, batches::add);
        Gate write = holdWrite();
        Appender first = Appender.of(log, "first");
        write.awaitReached();
        List<Appender> others = new ArrayList<>();
        for (int i = 2; i <= 10; i++) {
            others.add(Appender.of(log, "other " + i).awaitWaiting());
        }
        batches.clear();
        write.open();
        assertThat(first.lsn()).isEqualTo(1);
        for (int i = 2; i <= 10; i++) {
            assertThat(others.get(i - 2).lsn()).isEqualTo(i);
        }
        log.close();
        assertThat(sizes("commit-log-flush")).as("512 MiB at most").startsWith(1, 7, 2);
    }

    @Test
    void aGroupThatIsOutOfOrderIsNotMadeVisible() throws Exception {
        log.close();
        try (LogStore store = LogStore.open(directory, CommitLogOptions.defaults(), files)) {
            Group first = store.write(List.of(Entry.of(new byte[1])));
            Group second = store.write(List.of(Entry.of(new byte[2])));
            store.sync(second.lastLsn());
            assertThatIllegalStateException()
                    .isThrownBy(() -> store.commit(second))
                    .withMessage("Record 2 was to be applied after 0");
            assertThat(store.lastLsn()).isZero();
            store.commit(first);
            store.commit(second);
            assertThat(store.lastLsn()).isEqualTo(2);
        }
    }

    @Test
    void closingWaitsForWhatWasSubmittedBeforeAndRefusesWhatComesLater() throws Exception {
        Gate sync = holdForce();
        Appender before = Appender.of(log, "before");
        sync.awaitReached();
        FutureTask<Void> closing = new FutureTask<>(() -> {
            log.close();
            return null;
        });
        new Thread(closing, "closes").start();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> sizes("commit-log-flush").size() == 2);
        assertThat(Appender.of(log, "later").failure())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The log in " + directory + " is closed: open it again");
        assertThat(before.isDone()).isFalse();
        assertThat(closing.isDone()).isFalse();
        sync.open();
        assertThat(before.lsn()).isEqualTo(1);
        closing.get(1, TimeUnit.MINUTES);
        open();
        assertThat(log.lastLsn()).isEqualTo(1);
    }

    @Test
    void threadsOfStagesEndWhenTheyAreIdleAndComeBack() throws Exception {
        assertThat(Appender.of(log, "first").lsn()).isEqualTo(1);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("commit-log-")));
        assertThat(Appender.of(log, "second").lsn()).isEqualTo(2);
    }

    @Test
    void recordsThatALaterSyncHasCoveredAreNotSyncedAgain() throws Exception {
        log.close();
        try (LogStore store = LogStore.open(directory, CommitLogOptions.defaults(), files)) {
            int before = files.forces.get();
            Group first = store.write(List.of(Entry.of(new byte[1])));
            Group second = store.write(List.of(Entry.of(new byte[2])));
            store.sync(first.lastLsn());
            assertThat(files.forces).hasValue(before + 1);
            store.sync(second.lastLsn());
            assertThat(files.forces).hasValue(before + 1);
            store.sync(store.write(List.of(Entry.of(new byte[3]))).lastLsn());
            assertThat(files.forces).hasValue(before + 2);
        }
    }

    @Test
    void recordsThatWereSyncedWhenTheirSegmentWasFullAreNotSyncedAgain() throws Exception {
        log.close();
        CommitLogOptions small = CommitLogOptions.builder().segmentSize(50).build();
        try (LogStore store = LogStore.open(directory, small, files)) {
            int before = files.forces.get();
            Group full = store.write(List.of(Entry.of(new byte[100])));
            Group next = store.write(List.of(Entry.of(new byte[100])));
            assertThat(Segment.firstLsns(directory)).containsExactly(1L, 2L);
            assertThat(files.forces)
                    .as("for the segment that is full, and for the next")
                    .hasValue(before + 2);
            store.sync(full.lastLsn());
            assertThat(files.forces).hasValue(before + 2);
            store.sync(next.lastLsn());
            assertThat(files.forces).hasValue(before + 3);
        }
    }

    @Test
    void recordsThatAreWrittenDuringASyncAreNotTakenForSynced() throws Exception {
        log.close();
        try (LogStore store = LogStore.open(directory, CommitLogOptions.defaults(), files)) {
            Group first = store.write(List.of(Entry.of(new byte[1])));
            List<Group> during = new ArrayList<>();
            files.beforeForce = () -> {
                files.beforeForce = () -> {};
                during.add(store.write(List.of(Entry.of(new byte[2]))));
            };
            store.sync(first.lastLsn());
            int before = files.forces.get();
            store.sync(during.get(0).lastLsn());
            assertThat(files.forces).hasValue(before + 1);
        }
    }

    @Test
    void aCallerThatIsInterruptedBeforeTheRecordIsWrittenWithdrawsIt() throws Exception {
        Gate write = holdWrite();
        Appender first = Appender.of(log, "first");
        write.awaitReached();
        Appender leaving = Appender.of(log, "leaving").awaitWaiting();
        Appender staying = Appender.of(log, "staying").awaitWaiting();
        assertThat(leaving.interrupt().failure())
                .isInstanceOf(InterruptedException.class)
                .hasMessageContaining("it is not in the log");
        write.open();
        assertThat(first.lsn()).isEqualTo(1);
        assertThat(staying.lsn()).isEqualTo(2);
        assertThat(record(2)).isEqualTo("staying");
        assertThat(log.lastLsn()).isEqualTo(2);
    }

    @Test
    void aCallerThatIsInterruptedWhileTheRecordIsWrittenLeavesItToTheLog() throws Exception {
        Gate write = holdWrite();
        Appender leaving = Appender.of(log, "leaving");
        write.awaitReached();
        assertThat(leaving.interrupt().failure())
                .isInstanceOf(InterruptedException.class)
                .hasMessageContaining("it may be in the log");
        write.open();
        assertThat(Appender.of(log, "next").lsn()).isEqualTo(2);
        assertThat(record(1)).isEqualTo("leaving");
        assertThat(record(2)).isEqualTo("next");
    }

    @Test
    void aLaterChangeOfTheCallersArrayDoesNotChangeTheRecord() throws Exception {
        byte[] record = new byte[1 << 20]; // more than is written at once
        Arrays.fill(record, (byte) 'x');
        Gate write = holdWrite();
        Appender leaving = Appender.of(log, record);
        write.awaitReached();
        assertThat(leaving.interrupt().failure()).isInstanceOf(InterruptedException.class);
        byte[] before = record.clone();
        Arrays.fill(record, (byte) 'y');
        write.open();
        assertThat(Appender.of(log, "next").lsn()).isEqualTo(2);
        assertThat(log.read(1)).isEqualTo(before);
    }

    @Test
    void aCallerThatIsInterruptedWhileTheRecordIsSyncedLeavesItToTheLog() throws Exception {
        Gate sync = holdForce();
        Appender leaving = Appender.of(log, "leaving");
        sync.awaitReached();
        assertThat(leaving.interrupt().failure())
                .isInstanceOf(InterruptedException.class)
                .hasMessageContaining("it may be in the log");
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(() -> log.read(1));
        sync.open();
        assertThat(Appender.of(log, "next").lsn()).isEqualTo(2);
        assertThat(record(1)).isEqualTo("leaving");
    }

    @Test
    void aCallerThatIsInterruptedAtAnyMomentIsToldTheTruth() throws Exception {
        int threads = 16;
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        Queue<String> acknowledged = new ConcurrentLinkedQueue<>();
        Queue<String> withdrawn = new ConcurrentLinkedQueue<>();
        List<Future<?>> ends = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            String name = "thread " + thread;
            ends.add(callers.submit(() -> {
                for (int i = 0; i < 200; i++) {
                    String record = name + " record " + i;
                    if (ThreadLocalRandom.current().nextInt(4) == 0) {
                        Thread.currentThread().interrupt();
                    }
                    try {
                        acknowledged.add(log.append(record.getBytes(UTF_8)) + " " + record);
                    } catch (InterruptedException e) {
                        if (e.getMessage().contains("it is not in the log")) {
                            withdrawn.add(record);
                        }
                    }
                }
                return null;
            }));
        }
        for (Future<?> end : ends) {
            end.get();
        }
        callers.shutdown();
        log.close();
        open();
        List<String> found = new ArrayList<>();
        for (long lsn = 1; lsn <= log.lastLsn(); lsn++) {
            found.add(lsn + " " + record(lsn));
        }
        assertThat(found).containsAll(acknowledged);
        assertThat(withdrawn).isNotEmpty();
        assertThat(found.stream().map(each -> each.substring(each.indexOf(' ') + 1)))
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(withdrawn);
    }
}
