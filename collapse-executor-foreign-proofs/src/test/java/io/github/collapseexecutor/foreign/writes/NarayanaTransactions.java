package io.github.collapseexecutor.foreign.writes;

import com.arjuna.ats.jta.UserTransaction;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.transaction.jta.JtaTransactionManager;

/** Global transactions of Narayana, begun by Spring. */
final class NarayanaTransactions implements Transactions {

    @Override
    public DataSource pool(DataSource target, int connections, Consumer<AutoCloseable> closing) throws Exception {
        return AgroalLayer.pool(target, connections, new Random(connections), true, closing);
    }

    @Override
    public Runner over(DataSource dataSource, Consumer<AutoCloseable> closing) {
        return SpringTransactions.of(
                new JtaTransactionManager(
                        UserTransaction.userTransaction(), com.arjuna.ats.jta.TransactionManager.transactionManager()),
                dataSource);
    }
}
