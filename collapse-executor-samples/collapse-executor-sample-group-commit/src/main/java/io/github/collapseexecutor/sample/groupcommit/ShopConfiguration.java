package io.github.collapseexecutor.sample.groupcommit;

import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What counts the work of the database, and what slows its commits. */
@Configuration
class ShopConfiguration {

    @Bean
    static StatementCounts statementCounts() {
        return new StatementCounts();
    }

    @Bean
    static SlowDisk slowDisk() {
        return new SlowDisk();
    }

    /** Asks for the two when the first data source is there: Spring warns of beans that it makes for a post-processor. */
    @Bean
    static BeanPostProcessor countingDataSource(
            ObjectProvider<StatementCounts> counts, ObjectProvider<SlowDisk> slowDisk) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource dataSource
                        ? new CountingDataSource(dataSource, counts.getObject(), slowDisk.getObject())
                        : bean;
            }
        };
    }
}
