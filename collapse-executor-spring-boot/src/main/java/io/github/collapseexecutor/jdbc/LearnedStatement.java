package io.github.collapseexecutor.jdbc;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a writer knows of a statement: from its text, and from how the database and its driver answered it. So the next batch does not pay again for
 * the same knowledge.
 */
final class LearnedStatement {

    /** How the rows of a batch are executed so that each row's answer is told from the others'. */
    enum Execution {
        /** As one batch, of which the driver makes what it likes: fewer statements, one command. */
        MERGED,
        /** As one batch of which the driver is kept from making fewer statements, because it loses the counts then. */
        UNMERGED,
        /** Row by row, in one transaction. */
        SINGLE;

        Execution next() {
            return this == MERGED ? UNMERGED : SINGLE;
        }
    }

    private static final int STATEMENTS_AT_MOST = 256;

    // immutable
    private final boolean writesExactlyOneRow;
    private final boolean mayReturnRows;

    // mutable, by any writer: each is a hint for the next batch, so that none needs the newest value
    private volatile @Nullable MultiRowInsert multiRowInsert;
    private volatile Execution execution;
    private volatile boolean failsThroughout;

    LearnedStatement(String sql) {
        writesExactlyOneRow = StatementText.writesExactlyOneRow(sql);
        mayReturnRows = StatementText.mayReturnRows(sql);
        multiRowInsert = MultiRowInsert.of(sql);
        execution = mayReturnRows ? Execution.SINGLE : Execution.MERGED;
    }

    /** What a writer learns, by statement: of the statements that were used last. */
    static Map<RowStatement, LearnedStatement> memory() {
        return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<RowStatement, LearnedStatement> eldest) {
                return size() > STATEMENTS_AT_MOST;
            }
        });
    }

    /** Whether success means one row, also where the driver gives no count. */
    boolean writesExactlyOneRow() {
        return writesExactlyOneRow;
    }

    /** Whether rows may come back that have to be read before the commit. */
    boolean mayReturnRows() {
        return mayReturnRows;
    }

    /** The form for many rows; null if there is none, or it did not write each of its rows. */
    @Nullable MultiRowInsert multiRowInsert() {
        return multiRowInsert;
    }

    /** Notes that the form for many rows wrote another number of rows, as with a trigger that suppresses one. */
    void wroteAnotherNumberOfRows() {
        multiRowInsert = null;
    }

    Execution execution() {
        return execution;
    }

    /** Whether all rows were bad last time, so that it does not pay to look for the good ones in a batch. */
    boolean failsThroughout() {
        return failsThroughout;
    }

    /** Notes that the answer to a batch could not be told from the ones to its rows. */
    void answeredUnclearly(Execution tried) {
        if (execution == tried) {
            execution = tried.next();
        }
    }

    /**
     * Notes that the driver made one statement of a batch whose generated keys were asked for. The database names one key of such a statement, and
     * the driver computes the others: wrongly, if rows bring keys of their own, or the session counts in other steps.
     */
    void computedKeys() {
        execution = Execution.SINGLE;
    }

    void failedThroughout(boolean failed) {
        if (failsThroughout != failed) {
            failsThroughout = failed;
        }
    }
}
