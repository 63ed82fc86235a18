package io.github.collapseexecutor.foreign.writes;

import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** jOOQ's own transactions. */
final class JooqTransactions implements Transactions {

    @Override
    public boolean areNoticed() {
        return false;
    }

    @Override
    public Runner over(DataSource dataSource, Consumer<AutoCloseable> closing) {
        return work -> DSL.using(dataSource, SQLDialect.DEFAULT)
                .transaction(inside -> work.run(text -> DSL.using(inside).execute(Own.SQL, text)));
    }
}
