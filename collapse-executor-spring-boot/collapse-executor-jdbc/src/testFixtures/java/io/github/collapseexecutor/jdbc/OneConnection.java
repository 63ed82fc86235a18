package io.github.collapseexecutor.jdbc;

import java.sql.Connection;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Gives one connection again and again, and does not say so: for a test that writes one batch at a time. */
final class OneConnection extends DelegatingDataSource implements AutoCloseable {

    // immutable
    private final SingleConnectionDataSource single;

    OneConnection(Connection connection) {
        this(new SingleConnectionDataSource(connection, true));
    }

    private OneConnection(SingleConnectionDataSource single) {
        super(single);
        this.single = single;
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }

    @Override
    public void close() {
        single.close();
    }
}
