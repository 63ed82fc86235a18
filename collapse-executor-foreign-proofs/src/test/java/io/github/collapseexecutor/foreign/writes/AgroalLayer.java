package io.github.collapseexecutor.foreign.writes;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Agroal. */
final class AgroalLayer implements Layer {

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing)
            throws Exception {
        TargetDriver.Address address = TargetDriver.addressOf(target);
        boolean commitsByItself = random.nextBoolean();
        AgroalDataSource pool = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(connections -> connections
                        .maxSize(2)
                        .acquisitionTimeout(Duration.ofSeconds(20))
                        .connectionValidator(ConnectionValidator.defaultValidator())
                        .validateOnBorrow(random.nextBoolean())
                        .flushOnClose(random.nextBoolean())
                        .connectionFactoryConfiguration(factory -> factory.connectionProviderClass(TargetDriver.class)
                                .jdbcUrl(address.url())
                                .autoCommit(commitsByItself)
                                .trackJdbcResources(random.nextBoolean()))));
        closing.accept(address);
        closing.accept(pool);
        return pool;
    }
}
