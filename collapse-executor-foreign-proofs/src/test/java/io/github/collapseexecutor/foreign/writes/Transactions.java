package io.github.collapseexecutor.foreign.writes;

import com.zaxxer.hikari.HikariDataSource;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A library by which an application has transactions, by its class; {@link ForeignTransactionsTests} lists them. */
interface Transactions {

    /** What an application does in a transaction. */
    @FunctionalInterface
    interface Work {

        /**
         * Does it.
         *
         * @param own writes rows of the application in that transaction
         */
        void run(Own own) throws Exception;
    }

    /** Writes a row in a transaction. */
    @FunctionalInterface
    interface Own {

        String SQL = "INSERT INTO f_own (text) VALUES (?)";

        void insert(String text) throws Exception;
    }

    /** Runs work in a transaction, which commits if that returns, and rolls back if it throws. */
    @FunctionalInterface
    interface Runner {
        void run(Work work) throws Exception;
    }

    /** Whether they are Spring's, or Spring is told of them. */
    default boolean areNoticed() {
        return true;
    }

    /** A pool that takes part in them. */
    default DataSource pool(DataSource target, int connections, Consumer<AutoCloseable> closing) throws Exception {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(target);
        pool.setMaximumPoolSize(connections);
        pool.setMinimumIdle(0);
        closing.accept(pool);
        return pool;
    }

    /**
     * Has transactions over a data source of {@link #pool}.
     *
     * @param closing is given what has to be closed when all are over
     */
    Runner over(DataSource dataSource, Consumer<AutoCloseable> closing) throws Exception;
}
