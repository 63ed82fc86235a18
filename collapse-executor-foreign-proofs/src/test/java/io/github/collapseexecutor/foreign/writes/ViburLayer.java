package io.github.collapseexecutor.foreign.writes;

import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.vibur.dbcp.ViburDBCPDataSource;

/** Vibur DBCP. */
final class ViburLayer implements Layer {

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        ViburDBCPDataSource pool = new ViburDBCPDataSource();
        pool.setExternalDataSource(target);
        pool.setPoolInitialSize(0);
        pool.setPoolMaxSize(2);
        pool.setPoolEnableConnectionTracking(random.nextBoolean());
        pool.setAcquireRetryAttempts(0);
        pool.setStatementCacheMaxSize(random.nextBoolean() ? 20 : 0);
        pool.setClearSQLWarnings(random.nextBoolean());
        pool.setResetDefaultsAfterUse(random.nextBoolean());
        if (random.nextBoolean()) {
            pool.setDefaultAutoCommit(random.nextBoolean());
        }
        pool.setTestConnectionQuery(random.nextBoolean() ? "isValid" : "SELECT 1");
        pool.start();
        closing.accept(pool);
        return pool;
    }
}
