package io.github.collapseexecutor.sample.commitlog.xa;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.sample.commitlog.Stage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Groups of transactions pass three {@linkplain Stage stages}, which overlap: <em>flush</em> writes the binlog, <em>sync</em>
 * syncs it, <em>commit</em> makes the transactions visible.
 *
 * <p>The two ways differ in how they treat the prepares in the redo log. Either each caller writes and syncs its own,
 * before its transaction enters the flush stage: the first caller to get the lock does so for some of the others, by chance. Or
 * the flush stage does so once, up to the largest LSN of its group.
 */
final class StagedCommits implements CommitPath {

    // immutable
    private final CommitSteps steps;
    private final boolean groupedRedo;
    private final Stage<Prepared> flush;
    private final Stage<BinlogGroup> sync;
    private final Stage<BinlogGroup> commit;

    // mutable, confined to the flush stage
    private CompletableFuture<Boolean> lastGroup = CompletableFuture.completedFuture(true);

    StagedCommits(CommitSteps steps, boolean groupedRedo) {
        this.steps = steps;
        this.groupedRedo = groupedRedo;
        int unlimited = CollapseOptions.UNLIMITED;
        flush = Stage.onOwnThread("store-flush", TransactionStoreOptions.MAX_GROUP, null, this::flush);
        sync = Stage.onOwnThread("store-sync", unlimited, null, this::sync);
        commit = Stage.onOwnThread("store-commit", unlimited, null, this::commit);
    }

    @Override
    public long commit(Map<String, String> rows) throws IOException {
        Prepared transaction = steps.prepare(rows);
        if (!groupedRedo) {
            steps.flushRedo(transaction.redoLsn());
        }
        try {
            flush.execute(transaction).join();
            return transaction.xid();
        } catch (CompletionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw e;
        }
    }

    private CompletableFuture<Boolean> flush(List<Prepared> transactions) throws IOException {
        steps.endFileIfFull(this::awaitLastGroup);
        BinlogGroup group = steps.writeGroup(() -> flushRedo(transactions), transactions);
        lastGroup = sync.execute(group);
        return lastGroup;
    }

    private void flushRedo(List<Prepared> transactions) throws IOException {
        if (groupedRedo) {
            long largest = 0;
            for (Prepared transaction : transactions) {
                largest = Math.max(largest, transaction.redoLsn());
            }
            steps.flushRedo(largest);
        }
    }

    /** Waits until the last group, and with it all before it, has its outcome, whatever that is. */
    private void awaitLastGroup() {
        lastGroup.handle((done, failure) -> done).join();
    }

    private CompletableFuture<Boolean> sync(List<BinlogGroup> groups) throws IOException {
        BinlogGroup group = BinlogGroup.joined(groups);
        steps.syncBinlog(group);
        return commit.execute(group);
    }

    private CompletableFuture<Boolean> commit(List<BinlogGroup> groups) throws IOException {
        for (BinlogGroup group : groups) {
            steps.commit(group);
        }
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public void shutDown() {
        flush.shutDown();
        sync.shutDown();
        commit.shutDown();
    }
}
