package io.github.collapseexecutor.sample.annotations;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hibernate.resource.jdbc.spi.StatementInspector;

/** Counts the queries that Hibernate sends, and holds them while it is told to. */
final class HeldStatements implements StatementInspector {

    private static final long serialVersionUID = 1L;

    // mutable, thread-safe
    private final transient List<String> queries = new CopyOnWriteArrayList<>();
    private transient volatile CountDownLatch open = new CountDownLatch(0);

    void hold() {
        queries.clear();
        open = new CountDownLatch(1);
    }

    void release() {
        open.countDown();
    }

    List<String> queries() {
        return queries;
    }

    @Override
    public String inspect(String sql) {
        if (sql.startsWith("select")) {
            queries.add(sql);
            try {
                if (!open.await(60, TimeUnit.SECONDS)) {
                    throw new AssertionError("nobody released the query");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
        return sql;
    }
}
