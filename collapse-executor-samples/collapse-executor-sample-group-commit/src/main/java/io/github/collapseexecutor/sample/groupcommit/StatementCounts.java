package io.github.collapseexecutor.sample.groupcommit;

import java.util.concurrent.atomic.LongAdder;

/** How much work the database was given: connections that were taken, statements that were sent, a batch counting as one, and commits. */
final class StatementCounts {

    // immutable
    private final LongAdder connections = new LongAdder();
    private final LongAdder statements = new LongAdder();
    private final LongAdder commits = new LongAdder();

    void connection() {
        connections.increment();
    }

    void statement() {
        statements.increment();
    }

    void commit() {
        commits.increment();
    }

    long connections() {
        return connections.sum();
    }

    long statements() {
        return statements.sum();
    }

    long commits() {
        return commits.sum();
    }
}
