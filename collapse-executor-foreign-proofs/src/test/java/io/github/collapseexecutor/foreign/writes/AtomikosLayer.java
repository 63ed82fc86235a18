package io.github.collapseexecutor.foreign.writes;

import com.atomikos.jdbc.AtomikosDataSourceBean;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** The pool of Atomikos, on a thread that is in no global transaction. */
final class AtomikosLayer implements Layer {

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        AtomikosDataSourceBean pool = pool(target, 2);
        pool.setTestQuery(random.nextBoolean() ? "SELECT 1" : null);
        closing.accept(pool::close);
        return pool;
    }

    static AtomikosDataSourceBean pool(DataSource target, int connections) {
        AtomikosDataSourceBean pool = new AtomikosDataSourceBean();
        pool.setUniqueResourceName("foreign" + System.nanoTime());
        pool.setXaDataSource(new LocalXaSource(target));
        pool.setLocalTransactionMode(true);
        pool.setMinPoolSize(connections);
        pool.setMaxPoolSize(connections);
        pool.setBorrowConnectionTimeout(20);
        return pool;
    }
}
