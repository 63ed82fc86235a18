package io.github.collapseexecutor.foreign.writes;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.shardingsphere.driver.api.ShardingSphereDataSourceFactory;
import org.apache.shardingsphere.single.config.SingleRuleConfiguration;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** ShardingSphere-JDBC over one database. */
final class ShardingSphereLayer implements Layer {

    /** It looks for these properties, to know which database it is. */
    public static final class Named extends DelegatingDataSource {

        // mutable, set once
        private String url;
        private String username = "";

        Named(DataSource target, String url) {
            super(target);
            this.url = url;
        }

        public String getUrl() {
            return url;
        }

        public void setUrl(String url) {
            this.url = url;
        }

        public String getUsername() {
            return username;
        }

        public void setUsername(String username) {
            this.username = username;
        }
    }

    @Override
    public boolean isInnermost() {
        return true;
    }

    @Override
    public DataSource around(Server server, DataSource target, Random random, Consumer<AutoCloseable> closing)
            throws Exception {
        Properties properties = new Properties();
        properties.setProperty("sql-show", "false");
        DataSource sharding = ShardingSphereDataSourceFactory.createDataSource(
                "foreign",
                Map.of("one", new Named(target, server.url())),
                List.of(new SingleRuleConfiguration(List.of("*.*"), null)),
                properties);
        closing.accept((AutoCloseable) sharding);
        return sharding;
    }
}
