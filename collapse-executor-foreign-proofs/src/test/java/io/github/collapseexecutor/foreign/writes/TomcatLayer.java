package io.github.collapseexecutor.foreign.writes;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.tomcat.jdbc.pool.DataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;

/** Tomcat's pool, with its interceptors. */
final class TomcatLayer implements Layer {

    @Override
    public boolean isPool() {
        return true;
    }

    private static final List<String> INTERCEPTORS = List.of(
            "ConnectionState",
            "StatementFinalizer",
            "StatementCache(prepared=true,callable=true,max=20)",
            "SlowQueryReport(threshold=1)",
            "ResetAbandonedTimer",
            "QueryTimeoutInterceptor(queryTimeout=30)",
            "StatementDecoratorInterceptor");

    @Override
    public javax.sql.DataSource around(
            Server server, javax.sql.DataSource target, Random random, Consumer<AutoCloseable> closing) {
        PoolProperties properties = new PoolProperties();
        properties.setDataSource(target);
        properties.setInitialSize(0);
        properties.setMinIdle(0);
        properties.setMaxActive(2);
        properties.setMaxWait(20_000);
        if (random.nextBoolean()) {
            properties.setDefaultAutoCommit(random.nextBoolean());
        }
        properties.setRollbackOnReturn(random.nextBoolean());
        properties.setCommitOnReturn(random.nextInt(3) == 0);
        properties.setTestOnBorrow(random.nextBoolean());
        properties.setUseDisposableConnectionFacade(random.nextBoolean());
        List<String> chosen = new ArrayList<>();
        for (String interceptor : INTERCEPTORS) {
            if (random.nextInt(3) == 0) {
                chosen.add(interceptor);
            }
        }
        if (!chosen.isEmpty()) {
            properties.setJdbcInterceptors(String.join(";", chosen));
        }
        DataSource pool = new DataSource(properties);
        closing.accept(pool::close);
        return pool;
    }
}
