package io.github.collapseexecutor.foreign.writes;

import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.ats.jta.TransactionManager;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.transaction.TransactionIntegration;
import io.agroal.narayana.NarayanaTransactionIntegration;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Agroal, which may take part in global transactions of Narayana. */
final class AgroalLayer implements Layer {

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing)
            throws Exception {
        return pool(target, 2, random, random.nextBoolean(), closing);
    }

    static DataSource pool(
            DataSource target, int connections, Random random, boolean isGlobal, Consumer<AutoCloseable> closing)
            throws SQLException {
        TargetDriver.Address address = TargetDriver.addressOf(target);
        closing.accept(address);
        boolean commitsByItself = random.nextBoolean();
        TransactionIntegration transactions = isGlobal
                ? new NarayanaTransactionIntegration(
                        TransactionManager.transactionManager(), new TransactionSynchronizationRegistryImple())
                : TransactionIntegration.none();
        AgroalDataSource pool = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(each -> each.maxSize(connections)
                        .transactionIntegration(transactions)
                        .acquisitionTimeout(Duration.ofSeconds(20))
                        .connectionValidator(ConnectionValidator.defaultValidator())
                        .validateOnBorrow(random.nextBoolean())
                        .flushOnClose(random.nextBoolean())
                        .connectionFactoryConfiguration(factory -> factory.connectionProviderClass(TargetDriver.class)
                                .jdbcUrl(address.url())
                                .autoCommit(commitsByItself)
                                .trackJdbcResources(random.nextBoolean()))));
        closing.accept(pool);
        return pool;
    }
}
