package io.github.collapseexecutor.foreign.writes;

import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import net.ttddyy.dsproxy.listener.logging.SLF4JLogLevel;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;

/** datasource-proxy. */
final class DatasourceProxyLayer implements Layer {

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        ProxyDataSourceBuilder builder = ProxyDataSourceBuilder.create(target)
                .logQueryBySlf4j(SLF4JLogLevel.TRACE)
                .countQuery();
        if (random.nextBoolean()) {
            builder.proxyResultSet();
        }
        if (random.nextBoolean()) {
            builder.proxyGeneratedKeys();
        }
        if (random.nextInt(3) == 0) {
            builder.autoRetrieveGeneratedKeys(false);
        }
        return builder.build();
    }
}
