package io.github.collapseexecutor.sample.commitlog.xa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.sample.commitlog.FaultyFiles.Before;
import io.github.collapseexecutor.sample.commitlog.ForwardingFiles;
import io.github.collapseexecutor.sample.commitlog.Gate;
import io.github.collapseexecutor.sample.commitlog.LogFile;
import io.github.collapseexecutor.sample.commitlog.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The files of the file system, which count, hold or fail writes and syncs of either log where a test says so. */
final class HeldLogs extends ForwardingFiles {

    private final AtomicInteger redoSyncs = new AtomicInteger();
    private final AtomicInteger binlogSyncs = new AtomicInteger();
    volatile Before beforeRedoForce = () -> {};
    volatile Before beforeRedoWrite = () -> {};
    volatile Before beforeBinlogForce = () -> {};
    volatile Before beforeBinlogWrite = () -> {};

    private int redoBegin;
    private int binlogBegin;

    HeldLogs() {
        super(LogFiles.onDisk());
    }

    /** Counts from now on. */
    void reset() {
        redoBegin = redoSyncs.get();
        binlogBegin = binlogSyncs.get();
    }

    int redoSyncs() {
        return redoSyncs.get() - redoBegin;
    }

    int binlogSyncs() {
        return binlogSyncs.get() - binlogBegin;
    }

    @Override
    protected LogFile inFrontOf(Path path, LogFile file) {
        if (!path.toString().endsWith(".log")) {
            return file;
        }
        boolean isRedo = path.getParent().endsWith("redo");
        return new ForwardingFile(file) {
            @Override
            public int write(ByteBuffer source, long position) throws IOException {
                (isRedo ? beforeRedoWrite : beforeBinlogWrite).run();
                return super.write(source, position);
            }

            @Override
            public void force() throws IOException {
                (isRedo ? redoSyncs : binlogSyncs).incrementAndGet();
                (isRedo ? beforeRedoForce : beforeBinlogForce).run();
                super.force();
            }
        };
    }

    /**
     * Commits from many threads: the first transaction is alone in its group, the others are in the second one, which is written
     * when the first one is committed.
     */
    void commitTogether(TransactionStore store, int transactions) throws Exception {
        commitTogether(store, transactions, () -> {});
    }

    /**
     * The same.
     *
     * @param beforeGroup comes before each group is written to the binlog
     */
    void commitTogether(TransactionStore store, int transactions, Before beforeGroup) throws Exception {
        Gate gate = new Gate();
        Gate next = new Gate();
        AtomicInteger groups = new AtomicInteger();
        beforeBinlogWrite = () -> {
            boolean isFirst = groups.getAndIncrement() == 0;
            (isFirst ? gate : next).pass();
            beforeGroup.run();
        };
        reset();
        List<Committer> committers = new ArrayList<>();
        committers.add(Committer.of(store, 0));
        gate.awaitReached();
        for (int caller = 1; caller < transactions; caller++) {
            committers.add(Committer.of(store, caller).awaitWaiting());
        }
        gate.open();
        assertThat(committers.get(0).xid()).isPositive();
        next.open();
        for (Committer each : committers) {
            assertThat(each.xid()).isPositive();
        }
        beforeBinlogWrite = () -> {};
    }
}
