package io.github.collapseexecutor.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** What stands between the writer and the driver in a cell of the matrix. */
enum MatrixPool {
    /** Nothing. */
    NONE {
        @Override
        DataSource around(FaultyDataSource.Opening opening) throws SQLException {
            return new OneConnection(opening.open());
        }
    },
    /** A pool whose connections do not commit by themselves. */
    MANUAL_COMMITS {
        @Override
        void configure(HikariConfig config) {
            config.setAutoCommit(false);
        }
    },
    /** A pool for readers. */
    READ_ONLY {
        @Override
        void configure(HikariConfig config) {
            config.setReadOnly(true);
        }
    },
    /** A pool of which much is set, behind two proxies of Spring's. */
    ADORNED {
        @Override
        void configure(HikariConfig config) {
            config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
            config.setConnectionInitSql("SELECT 1");
            config.setLeakDetectionThreshold(TimeUnit.SECONDS.toMillis(2));
            config.setKeepaliveTime(TimeUnit.SECONDS.toMillis(30));
        }

        @Override
        DataSource around(FaultyDataSource.Opening opening) throws SQLException {
            return new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(super.around(opening)));
        }
    };

    void configure(HikariConfig config) {}

    /** A data source that gives one connection at a time. */
    DataSource around(FaultyDataSource.Opening opening) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setDataSource(new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return opening.open();
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return opening.open();
            }
        });
        config.setMaximumPoolSize(1);
        configure(config);
        return new HikariDataSource(config);
    }

    /** Ends what {@link #around} has begun. */
    static void close(@Nullable DataSource dataSource) throws SQLException {
        if (dataSource instanceof LazyConnectionDataSourceProxy lazy) {
            close(lazy.getTargetDataSource());
        } else if (dataSource instanceof TransactionAwareDataSourceProxy aware) {
            close(aware.getTargetDataSource());
        } else if (dataSource instanceof HikariDataSource pool) {
            pool.close();
        } else if (dataSource instanceof OneConnection one) {
            one.close();
        }
    }
}
