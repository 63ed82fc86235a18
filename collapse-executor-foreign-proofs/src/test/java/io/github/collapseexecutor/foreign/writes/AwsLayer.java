package io.github.collapseexecutor.foreign.writes;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The AWS Advanced JDBC Wrapper, with the plugins that need no cluster. */
final class AwsLayer implements Layer {

    private static final List<String> PLUGINS = List.of(
            "",
            "connectTime,executionTime",
            "dataCache",
            "efm2",
            "auroraConnectionTracker",
            "dev",
            "readWriteSplitting");

    @Override
    public boolean isInnermost() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        TargetDriver.Address address = TargetDriver.addressOf(target);
        closing.accept(address);
        DriverManagerDataSource source =
                new DriverManagerDataSource(address.url().replace("jdbc:", "jdbc:aws-wrapper:") + "?wrapperDialect="
                        + (server.isMariaDb() ? "mariadb" : "pg") + "&wrapperPlugins="
                        + PLUGINS.get(random.nextInt(PLUGINS.size())));
        source.setDriverClassName("software.amazon.jdbc.Driver");
        return source;
    }
}
