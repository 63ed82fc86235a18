package io.github.collapseexecutor.sample.groupcommit;

import java.util.concurrent.atomic.LongAdder;

/** How much work the database was given: statements that were sent, a batch counting as one, and commits. */
final class StatementCounts {

    // immutable
    private final LongAdder statements = new LongAdder();
    private final LongAdder commits = new LongAdder();

    void statement() {
        statements.increment();
    }

    void commit() {
        commits.increment();
    }

    long statements() {
        return statements.sum();
    }

    long commits() {
        return commits.sum();
    }
}
