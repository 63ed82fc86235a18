package io.github.collapseexecutor.foreign.writes;

import com.atomikos.icatch.jta.UserTransactionManager;
import com.atomikos.jdbc.AtomikosDataSourceBean;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.transaction.jta.JtaTransactionManager;

/** Global transactions of Atomikos, begun by Spring. */
final class AtomikosTransactions implements Transactions {

    @Override
    public DataSource pool(DataSource target, int connections, Consumer<AutoCloseable> closing) {
        AtomikosDataSourceBean pool = AtomikosLayer.pool(target, connections);
        closing.accept(pool::close);
        return pool;
    }

    @Override
    public Runner over(DataSource dataSource, Consumer<AutoCloseable> closing) throws Exception {
        UserTransactionManager manager = new UserTransactionManager();
        manager.init();
        closing.accept(manager::close);
        return SpringTransactions.of(new JtaTransactionManager(manager, manager), dataSource);
    }
}
