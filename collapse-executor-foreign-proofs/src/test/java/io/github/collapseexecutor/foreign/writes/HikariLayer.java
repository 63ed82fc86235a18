package io.github.collapseexecutor.foreign.writes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** HikariCP. */
final class HikariLayer implements Layer {

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(target);
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(0);
        config.setAutoCommit(random.nextBoolean());
        config.setIsolateInternalQueries(random.nextBoolean());
        if (random.nextInt(4) == 0) {
            config.setReadOnly(true);
        }
        if (random.nextInt(3) == 0) {
            config.setTransactionIsolation(
                    random.nextBoolean() ? "TRANSACTION_READ_COMMITTED" : "TRANSACTION_SERIALIZABLE");
        }
        if (random.nextInt(3) == 0) {
            config.setConnectionTestQuery("SELECT 1");
        }
        if (random.nextInt(3) == 0) {
            config.setConnectionInitSql("SELECT 1");
        }
        HikariDataSource pool = new HikariDataSource(config);
        closing.accept(pool);
        return pool;
    }
}
