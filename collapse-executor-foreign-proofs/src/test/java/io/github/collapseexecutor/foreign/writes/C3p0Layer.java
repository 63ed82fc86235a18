package io.github.collapseexecutor.foreign.writes;

import com.mchange.v2.c3p0.DataSources;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** c3p0. */
final class C3p0Layer implements Layer {

    @Override
    public boolean isPool() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing)
            throws Exception {
        Map<String, Object> options = new HashMap<>();
        options.put("initialPoolSize", 1);
        options.put("minPoolSize", 1);
        options.put("maxPoolSize", 2);
        options.put("acquireIncrement", 1);
        options.put("numHelperThreads", 1);
        options.put("acquireRetryAttempts", 3);
        options.put("acquireRetryDelay", 10);
        options.put("checkoutTimeout", 20_000);
        options.put("maxStatements", random.nextBoolean() ? 20 : 0);
        options.put("autoCommitOnClose", random.nextBoolean());
        options.put("testConnectionOnCheckout", random.nextBoolean());
        DataSource pool = DataSources.pooledDataSource(target, options);
        closing.accept(() -> DataSources.destroy(pool));
        return pool;
    }
}
