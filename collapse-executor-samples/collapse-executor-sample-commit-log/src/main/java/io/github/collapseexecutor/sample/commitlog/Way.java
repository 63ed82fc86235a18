package io.github.collapseexecutor.sample.commitlog;

import io.github.collapseexecutor.core.BlockingCollapseExecutor;
import io.github.collapseexecutor.core.CollapseExecutors;
import io.github.collapseexecutor.core.CollapseOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The ways to make appends durable that are compared; all write the same files by the same code. */
enum Way implements Load.Opening {
    /** Each append is written, synced and applied by its own caller, one after another, first come, first served. */
    SYNC_PER_APPEND("one sync per append") {
        @Override
        public Load.Subject open(Path directory, LogFiles files) throws IOException {
            LogStore store = LogStore.open(directory, CommitLogOptions.defaults(), files);
            ReentrantLock lock = new ReentrantLock(true);
            return new Appending(store, record -> {
                lock.lock();
                try {
                    return appendAll(store, List.of(Entry.of(record))).get(0);
                } finally {
                    lock.unlock();
                }
            });
        }
    },
    /** Group commit: a batch is written, synced and applied by one of its callers, before the next one starts. */
    ONE_STAGE("one stage") {
        @Override
        public Load.Subject open(Path directory, LogFiles files) throws IOException {
            LogStore store = LogStore.open(directory, CommitLogOptions.defaults(), files);
            BlockingCollapseExecutor<Entry, Long> executor = CollapseExecutors.blockingInOrder(
                    entries -> appendAll(store, entries),
                    CollapseOptions.builder().maxConcurrentBatches(1).build());
            return new Appending(store, record -> executor.execute(Entry.of(record)));
        }
    },
    /** The log as it is. */
    THREE_STAGES("three stages") {
        @Override
        public Load.Subject open(Path directory, LogFiles files) throws IOException {
            CommitLog log = CommitLog.open(directory, CommitLogOptions.defaults(), files, null);
            return new Appending(log, log::append);
        }
    };

    /** Appends a record and returns its LSN when it is durable. */
    private interface Append {

        long append(byte[] record) throws Exception;
    }

    /** An open log. */
    private record Appending(Closeable log, Append append) implements Load.Subject {

        private static final byte[] RECORD = new byte[200];

        @Override
        public void append(int caller) throws Exception {
            append.append(RECORD);
        }

        @Override
        public void close() throws IOException {
            log.close();
        }
    }

    // immutable
    final String label;

    Way(String label) {
        this.label = label;
    }

    private static List<Long> appendAll(LogStore store, List<Entry> entries) throws IOException {
        Group group = store.write(entries);
        store.sync(group.lastLsn());
        store.commit(group);
        return entries.stream().map(Entry::lsn).toList();
    }
}
