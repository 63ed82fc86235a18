package io.github.collapseexecutor.sample.commitlog.xa;

import java.io.IOException;

/** The two rules that recovery relies on. Tests break each of them and see that transactions are lost. */
class XaRules {

    /** A step on a log. */
    interface Step {

        void run() throws IOException;
    }

    /** Writes a group to the binlog. */
    interface BinlogWrite {

        BinlogGroup run() throws IOException;
    }

    /**
     * The prepares of a group are in the redo log before the binlog names them: recovery commits what the binlog names, and
     * can do so only with the rows that the redo log holds.
     */
    BinlogGroup writeGroup(Step redo, BinlogWrite binlog) throws IOException {
        redo.run();
        return binlog.run();
    }

    /**
     * A binlog file ends when all its transactions are committed, and when the redo log says so durably: recovery looks for
     * xids in the last file only.
     */
    void endFile(Step awaitOlder, Step syncRedo) throws IOException {
        awaitOlder.run();
        syncRedo.run();
    }
}
