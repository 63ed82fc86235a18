package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.RowOutcome;
import io.github.collapseexecutor.jdbc.RowStatement;
import io.github.collapseexecutor.jdbc.WriteOptions;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Writes rows in groups that gather as {@code shop.gathering} says, until another way is asked for. */
@Component
class RowGroups implements AutoCloseable {

    // immutable
    private final DataSource dataSource;

    // mutable
    private volatile GroupCommit groupCommit;

    RowGroups(DataSource dataSource, Environment environment) {
        this.dataSource = dataSource;
        groupCommit = new GroupCommit(dataSource, Gathering.of(environment).options());
    }

    /** Has rows gather in another way; only while nobody writes. */
    void use(Gathering gathering) {
        use(gathering.options());
    }

    /** Has rows gather in another way; only while nobody writes. */
    void use(WriteOptions options) {
        GroupCommit before = groupCommit;
        groupCommit = new GroupCommit(dataSource, options);
        before.close();
    }

    /** Completes when the row is durable; no thread waits for it. */
    CompletableFuture<RowOutcome> submit(RowStatement statement, Object... values) {
        return groupCommit.submit(statement, values);
    }

    /** How many callers wait. */
    int callers() {
        return groupCommit.counts().callers();
    }

    /** Returns when the row is durable. */
    RowOutcome write(RowStatement statement, Object... values) throws SQLException, InterruptedException {
        return groupCommit.execute(statement, values);
    }

    @Override
    public void close() {
        groupCommit.close();
    }
}
