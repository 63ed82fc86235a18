package io.github.collapseexecutor.foreign.writes;

import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.IsolationLevelDataSourceAdapter;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;

/** Spring's data sources around others. */
final class SpringLayer implements Layer {

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing) {
        switch (random.nextInt(5)) {
            case 0 -> {
                LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy();
                lazy.setTargetDataSource(target);
                if (random.nextBoolean()) {
                    lazy.setDefaultAutoCommit(random.nextBoolean());
                }
                lazy.afterPropertiesSet();
                return lazy;
            }
            case 1 -> {
                TransactionAwareDataSourceProxy aware = new TransactionAwareDataSourceProxy(target);
                aware.setReobtainTransactionalConnections(random.nextBoolean());
                return aware;
            }
            case 2 -> {
                UserCredentialsDataSourceAdapter adapter = new UserCredentialsDataSourceAdapter();
                adapter.setTargetDataSource(target);
                adapter.afterPropertiesSet();
                return adapter;
            }
            case 3 -> {
                IsolationLevelDataSourceAdapter adapter = new IsolationLevelDataSourceAdapter();
                adapter.setTargetDataSource(target);
                adapter.afterPropertiesSet();
                return adapter;
            }
            default -> {
                return new DelegatingDataSource(target);
            }
        }
    }
}
