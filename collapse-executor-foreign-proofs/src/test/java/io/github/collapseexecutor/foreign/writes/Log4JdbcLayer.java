package io.github.collapseexecutor.foreign.writes;

import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import net.sf.log4jdbc.sql.jdbcapi.DataSourceSpy;

/** log4jdbc, of bgee. */
final class Log4JdbcLayer implements Layer {

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        return new DataSourceSpy(target);
    }
}
