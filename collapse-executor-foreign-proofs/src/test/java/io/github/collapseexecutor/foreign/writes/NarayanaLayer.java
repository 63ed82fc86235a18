package io.github.collapseexecutor.foreign.writes;

import com.arjuna.ats.jdbc.TransactionalDriver;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Narayana's driver, on a thread that is in no global transaction. */
final class NarayanaLayer implements Layer {

    @Override
    public boolean isInnermost() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        LocalXaSource source = new LocalXaSource(target);
        TransactionalDriver driver = new TransactionalDriver();
        return new AbstractDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                Properties properties = new Properties();
                properties.put(TransactionalDriver.XADataSource, source);
                properties.put(TransactionalDriver.poolConnections, "false"); // one pool for all, which waits for ever
                return driver.connect(TransactionalDriver.arjunaDriver + "foreign", properties);
            }

            @Override
            public Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };
    }
}
