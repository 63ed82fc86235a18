package io.github.collapseexecutor.foreign.writes;

import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.DataSourceConnectionFactory;
import org.apache.commons.dbcp2.PoolableConnection;
import org.apache.commons.dbcp2.PoolableConnectionFactory;
import org.apache.commons.dbcp2.PoolingDataSource;
import org.apache.commons.pool2.impl.GenericObjectPool;

/** DBCP 2. */
final class Dbcp2Layer implements Layer {

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        PoolableConnectionFactory factory =
                new PoolableConnectionFactory(new DataSourceConnectionFactory(target), null);
        if (random.nextBoolean()) {
            factory.setDefaultAutoCommit(random.nextBoolean());
        }
        factory.setPoolStatements(random.nextBoolean());
        factory.setCacheState(random.nextBoolean());
        factory.setAutoCommitOnReturn(random.nextBoolean());
        factory.setRollbackOnReturn(random.nextInt(4) > 0);
        factory.setFastFailValidation(random.nextBoolean());
        GenericObjectPool<PoolableConnection> pool = new GenericObjectPool<>(factory);
        factory.setPool(pool);
        PoolingDataSource<PoolableConnection> dataSource = new PoolingDataSource<>(pool);
        closing.accept(dataSource);
        return dataSource;
    }
}
