package io.github.collapseexecutor.spring.boot.cluster;

import static io.github.collapseexecutor.spring.boot.cluster.ClusterConfigurationFixture.awaitOneWaiter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.cluster.ResultCodec;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.WatchedStatements;
import io.github.collapseexecutor.spring.boot.fixture.Backend;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.CrudRepository;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/** The repositories of two applications on one database, which share nothing else but a Redis. */
class SharedRepositoryTests extends SharedMethodsFixture {

    @Table("users")
    record Account(@Id Long id, String name) {}

    interface Accounts extends CrudRepository<Account, Long> {

        @Override
        @CollapseBatch(method = "findAllById", itemKey = "id", name = "plain")
        Optional<Account> findById(Long id);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableJdbcRepositories(
            considerNestedRepositories = true,
            basePackageClasses = SharedRepositoryTests.class,
            includeFilters = @ComponentScan.Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Accounts.class))
    static class Database extends AbstractJdbcConfiguration {

        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:shared-accounts;DB_CLOSE_DELAY=-1");
        }

        @Bean
        WatchedStatements namedParameterJdbcOperations(DataSource dataSource, Backend backend) {
            return new WatchedStatements(dataSource, sql -> backend.call()); // which holds them
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }

        @Bean
        ResultCodec<Account> accountCodec() {
            return ResultCodec.of(
                    account -> (account.id() + " " + account.name()).getBytes(StandardCharsets.UTF_8), bytes -> {
                        String[] parts = new String(bytes, StandardCharsets.UTF_8).split(" ", 2);
                        return new Account(Long.valueOf(parts[0]), parts[1]);
                    });
        }
    }

    @Override
    TestApplication application(Class<?>... configurations) {
        return new TestApplication()
                .with(Database.class)
                .with((GenericApplicationContext context) ->
                        context.registerBean("backend", Backend.class, () -> backend));
    }

    private Future<Object> find(ConfigurableApplicationContext context, long id) {
        Accounts accounts = context.getBean(Accounts.class);
        return threads.submit(() -> accounts.findById(id));
    }

    @Test
    void oneStatementFindsTheRowForBoth() throws Exception {
        ConfigurableApplicationContext first = start();
        ConfigurableApplicationContext second = start();
        JdbcTemplate jdbc = new JdbcTemplate(first.getBean(DataSource.class));
        jdbc.execute("create table \"users\" (id bigint primary key, name varchar(20))");
        jdbc.update("insert into \"users\" values (7, 'ann')");
        Future<Object> led = find(first, 7);
        await().until(() -> backend.calls.get() == 1);
        Future<Object> taken = find(second, 7);
        awaitOneWaiter(second);
        backend.held.complete(null);
        assertThat(List.of(got(led), got(taken))).containsOnly(Optional.of(new Account(7L, "ann")));
        assertThat(backend.calls).hasValue(1);
        assertThat(second.getBean(ClusterCalls.class).counts().taken()).isEqualTo(1);
        assertThat(got(find(second, 8))).isEqualTo(Optional.empty());
    }
}
