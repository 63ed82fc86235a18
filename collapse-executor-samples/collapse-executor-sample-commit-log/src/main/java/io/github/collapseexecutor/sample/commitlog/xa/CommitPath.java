package io.github.collapseexecutor.sample.commitlog.xa;

import java.io.IOException;
import java.util.Map;

/** The way of a transaction through prepare, binlog and commit. */
interface CommitPath {

    /** Returns the xid when the transaction is committed; called by any number of threads. */
    long commit(Map<String, String> rows) throws IOException;

    /** Lets its threads end; no commit is under way. */
    void shutDown();
}
