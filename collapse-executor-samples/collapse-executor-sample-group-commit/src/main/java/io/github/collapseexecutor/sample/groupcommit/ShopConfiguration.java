package io.github.collapseexecutor.sample.groupcommit;

import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.jdbc.GroupCommitOptions;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The group commit of the application, and what counts the work of its database. */
@Configuration
class ShopConfiguration {

    @Bean
    GroupCommit groupCommit(DataSource dataSource) {
        return new GroupCommit(
                dataSource, GroupCommitOptions.builder().maxBatchSize(200).build());
    }

    @Bean
    static StatementCounts statementCounts() {
        return new StatementCounts();
    }

    @Bean
    static BeanPostProcessor countingDataSource(StatementCounts counts) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource dataSource ? new CountingDataSource(dataSource, counts) : bean;
            }
        };
    }
}
