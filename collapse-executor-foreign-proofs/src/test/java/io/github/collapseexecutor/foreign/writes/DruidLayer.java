package io.github.collapseexecutor.foreign.writes;

import com.alibaba.druid.pool.DruidDataSource;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Druid. */
final class DruidLayer implements Layer {

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing)
            throws Exception {
        TargetDriver.Address address = TargetDriver.addressOf(target);
        DruidDataSource pool = new DruidDataSource();
        pool.setDriver(new TargetDriver());
        pool.setUrl(address.url());
        pool.setDbType(
                switch (server) {
                    case H2, H2_AS_MYSQL, H2_AS_POSTGRESQL -> "h2";
                    case MARIADB, MYSQL -> "mysql";
                    case POSTGRESQL -> "postgresql";
                });
        pool.setInitialSize(0);
        pool.setMaxActive(2);
        pool.setMaxWait(20_000);
        pool.setDefaultAutoCommit(random.nextBoolean());
        pool.setPoolPreparedStatements(random.nextBoolean());
        pool.setTestOnBorrow(random.nextBoolean());
        pool.setTestWhileIdle(false);
        pool.setValidationQuery("SELECT 1");
        pool.setBreakAfterAcquireFailure(false);
        pool.setTimeBetweenConnectErrorMillis(20);
        if (random.nextBoolean()) {
            pool.setFilters(random.nextBoolean() ? "stat" : "stat,wall");
        }
        closing.accept(address);
        closing.accept(pool);
        return pool;
    }
}
