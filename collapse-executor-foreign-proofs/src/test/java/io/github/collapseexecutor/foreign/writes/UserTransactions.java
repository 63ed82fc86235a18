package io.github.collapseexecutor.foreign.writes;

import com.arjuna.ats.jta.TransactionManager;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Global transactions of Narayana, begun by the application itself. */
final class UserTransactions implements Transactions {

    @Override
    public boolean areNoticed() {
        return false;
    }

    @Override
    public DataSource pool(DataSource target, int connections, Consumer<AutoCloseable> closing) throws Exception {
        return new NarayanaTransactions().pool(target, connections, closing);
    }

    @Override
    public Runner over(DataSource dataSource, Consumer<AutoCloseable> closing) {
        jakarta.transaction.TransactionManager manager = TransactionManager.transactionManager();
        Own own = text -> {
            try (Connection connection = dataSource.getConnection();
                    PreparedStatement insert = connection.prepareStatement(Own.SQL)) {
                insert.setString(1, text);
                insert.executeUpdate();
            }
        };
        return work -> {
            manager.begin();
            try {
                work.run(own);
            } catch (Exception failure) {
                manager.rollback();
                throw failure;
            }
            manager.commit();
        };
    }
}
