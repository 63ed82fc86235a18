package io.github.collapseexecutor.jdbc;

import java.util.List;

/** Whether a table of the matrix is dropped and made anew between two batches, while the writer knows what it has learned of the first. */
enum MatrixRemaking {
    NOT,
    /** Its columns have another order, and one has another default. */
    COLUMNS,
    /** The same, and what the rule did with rows is gone. That a rule is new is noticed late, as the pages say. */
    WITHOUT_RULE;

    /** The statements that make the table of a cell anew. */
    List<String> creating(MatrixCell cell, String table) {
        MatrixRule rule = this == WITHOUT_RULE
                        && cell.rule().trigger(cell.driver().database, table).length() > 0
                ? MatrixRule.NONE
                : cell.rule();
        return rule.creating(cell.driver().database, table, cell.increment(), cell.setting(), true);
    }
}
