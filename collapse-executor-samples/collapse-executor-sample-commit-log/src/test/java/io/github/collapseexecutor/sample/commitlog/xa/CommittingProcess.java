package io.github.collapseexecutor.sample.commitlog.xa;

import io.github.collapseexecutor.sample.commitlog.ChildProcess;
import io.github.collapseexecutor.sample.commitlog.LogFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A process of its own that commits without end, from many threads, and prints each transaction that is acknowledged, until it is killed
 * or a commit fails.
 */
final class CommittingProcess {

    /** A transaction that the process was told is committed. */
    record Acknowledged(long xid, int caller, int number) {

        private static Acknowledged parse(String line) {
            String[] parts = line.split(" ", 3);
            return new Acknowledged(Long.parseLong(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
        }
    }

    private CommittingProcess() {}

    /**
     * Starts the process.
     *
     * @param firstNumber of the transactions of each caller
     */
    static ChildProcess<Acknowledged> start(
            Path directory,
            CommitWay way,
            int flushLogAtCommit,
            int syncBinlog,
            XaRulesTests.Rules rules,
            int callers,
            int firstNumber)
            throws IOException {
        return ChildProcess.start(
                List.of(),
                CommittingProcess.class,
                List.of(
                        directory.toString(),
                        way.name(),
                        "" + flushLogAtCommit,
                        "" + syncBinlog,
                        rules.name(),
                        "" + callers,
                        "" + firstNumber),
                Acknowledged::parse);
    }

    /** Commits, in the process that is started. */
    public static void main(String[] args) throws Exception {
        TransactionStoreOptions options = TransactionStoreOptions.builder()
                .way(CommitWay.valueOf(args[1]))
                .flushLogAtCommit(Integer.parseInt(args[2]))
                .syncBinlog(Integer.parseInt(args[3]))
                .binlogFileSize(20_000)
                .redoFileSize(50_000)
                .build();
        XaRules rules = XaRulesTests.Rules.valueOf(args[4]).rules();
        int callers = Integer.parseInt(args[5]);
        int firstNumber = Integer.parseInt(args[6]);
        TransactionStore store = TransactionStore.open(Path.of(args[0]), options, LogFiles.onDisk(), rules);
        CountDownLatch ready = new CountDownLatch(callers);
        for (int i = 0; i < callers; i++) {
            int caller = i;
            new Thread(() -> commit(store, caller, firstNumber, ready)).start();
        }
    }

    private static void commit(TransactionStore store, int caller, int firstNumber, CountDownLatch ready) {
        try {
            ready.countDown();
            ready.await();
            for (int number = firstNumber; ; number++) {
                long xid = store.commit(StoreContent.rows(caller, number));
                ChildProcess.print(xid + " " + caller + " " + number);
            }
        } catch (IOException | InterruptedException e) {
            System.err.println(e);
        }
    }
}
