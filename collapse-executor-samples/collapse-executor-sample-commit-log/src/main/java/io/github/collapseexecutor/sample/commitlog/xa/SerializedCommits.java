package io.github.collapseexecutor.sample.commitlog.xa;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Each caller takes all steps for its own transaction, one caller after another. */
final class SerializedCommits implements CommitPath {

    // immutable
    private final CommitSteps steps;
    private final ReentrantLock prepareCommitMutex = new ReentrantLock(true);

    SerializedCommits(CommitSteps steps) {
        this.steps = steps;
    }

    @Override
    public long commit(Map<String, String> rows) throws IOException {
        prepareCommitMutex.lock();
        try {
            // The redo log learns the xid before a file ends: recovery takes the largest xid from there and from the
            // next file.
            Prepared transaction = steps.prepare(rows);
            steps.endFileIfFull(() -> {}); // nobody else is between prepare and commit
            BinlogGroup group = steps.writeGroup(() -> steps.flushRedo(transaction.redoLsn()), List.of(transaction));
            steps.syncBinlog(group);
            steps.commit(group);
            return transaction.xid();
        } finally {
            prepareCommitMutex.unlock();
        }
    }

    @Override
    public void shutDown() {
        // it has no threads
    }
}
