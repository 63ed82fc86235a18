package io.github.collapseexecutor.foreign.writes;

import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.commons.dbcp.DataSourceConnectionFactory;
import org.apache.commons.dbcp.PoolableConnectionFactory;
import org.apache.commons.dbcp.PoolingDataSource;
import org.apache.commons.pool.impl.GenericKeyedObjectPoolFactory;
import org.apache.commons.pool.impl.GenericObjectPool;

/** DBCP 1, which knows the methods of JDBC 3 and 4.0 only. */
final class Dbcp1Layer implements Layer {

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        GenericObjectPool<Object> pool = new GenericObjectPool<>();
        PoolableConnectionFactory factory = new PoolableConnectionFactory(
                new DataSourceConnectionFactory(target),
                pool,
                random.nextBoolean() ? new GenericKeyedObjectPoolFactory<Object, Object>(null) : null,
                random.nextBoolean() ? "SELECT 1" : null,
                false,
                random.nextBoolean());
        closing.accept(pool::close);
        return new PoolingDataSource(factory.getPool());
    }
}
