package io.github.collapseexecutor.foreign.writes;

import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's transactions over one data source, with a {@code JdbcTemplate}. */
final class SpringTransactions implements Transactions {

    @Override
    public Runner over(DataSource dataSource, Consumer<AutoCloseable> closing) {
        return of(new JdbcTransactionManager(dataSource), dataSource);
    }

    static Runner of(PlatformTransactionManager manager, DataSource dataSource) {
        JdbcTemplate template = new JdbcTemplate(dataSource);
        return of(manager, text -> template.update(Own.SQL, text));
    }

    static Runner of(PlatformTransactionManager manager, Own own) {
        TransactionTemplate transaction = new TransactionTemplate(manager);
        return work -> transaction.executeWithoutResult(status -> {
            try {
                work.run(own);
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        });
    }
}
