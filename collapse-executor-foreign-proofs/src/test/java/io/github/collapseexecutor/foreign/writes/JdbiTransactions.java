package io.github.collapseexecutor.foreign.writes;

import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Jdbi, in transactions of Spring or in its own. */
record JdbiTransactions(boolean areNoticed) implements Transactions {

    @Override
    public Runner over(DataSource dataSource, Consumer<AutoCloseable> closing) {
        if (areNoticed) {
            Jdbi jdbi = Jdbi.create(new TransactionAwareDataSourceProxy(dataSource));
            return SpringTransactions.of(
                    new JdbcTransactionManager(dataSource),
                    text -> jdbi.useHandle(handle -> handle.execute(Own.SQL, text)));
        }
        Jdbi jdbi = Jdbi.create(dataSource);
        return work -> jdbi.useTransaction(handle -> work.run(text -> handle.execute(Own.SQL, text)));
    }
}
