package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.CrudRepository;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

/** A Spring Data repository on a real database: findById of many callers becomes findAllById. */
class SpringDataTests {

    @Table("users")
    record User(@Id Long id, String name) {}

    interface UserRepository extends CrudRepository<User, Long> {

        @Override
        @CollapseBatch(method = "findAllById", itemKey = "id", name = "users")
        Optional<User> findById(Long id);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @EnableJdbcRepositories(considerNestedRepositories = true, basePackageClasses = SpringDataTests.class)
    static class Database extends AbstractJdbcConfiguration {

        @Bean(destroyMethod = "shutdown")
        DataSource dataSource() {
            return new EmbeddedDatabaseBuilder()
                    .setType(EmbeddedDatabaseType.H2)
                    .generateUniqueName(true)
                    .build();
        }

        @Bean
        WatchedStatements namedParameterJdbcOperations(DataSource dataSource, Gate gate) {
            return new WatchedStatements(dataSource, gate::pass); // which counts statements, and holds them
        }

        @Bean
        PlatformTransactionManager transactionManager(DataSource dataSource) {
            return new DataSourceTransactionManager(dataSource);
        }
    }

    // mutable, confined to the test's thread
    private final Application application = Application.start(Database.class);
    private final UserRepository users = application.get(UserRepository.class);
    private final Gate gate = application.get(Gate.class);

    SpringDataTests() {
        JdbcTemplate jdbc = new JdbcTemplate(application.get(DataSource.class));
        jdbc.execute("create table \"users\" (id bigint primary key, name varchar(20))");
        LongStream.rangeClosed(1, 200)
                .forEach(id -> jdbc.update("insert into \"users\" values (?, ?)", id, "user " + id));
    }

    @AfterEach
    void close() {
        gate.open();
        application.close();
    }

    @Test
    void twoHundredFindByIdAreTwoStatements() throws Exception {
        List<Optional<User>> found =
                Burst.of(200, gate, application.executor("users"), index -> () -> users.findById(index + 1L));
        assertThat(found)
                .isEqualTo(LongStream.rangeClosed(1, 200)
                        .mapToObj(id -> Optional.of(new User(id, "user " + id)))
                        .toList());
        assertThat(gate.executions()).hasSize(2).allMatch(sql -> sql.toString().contains(" IN ("));
    }

    @Test
    void callThroughTheGenericInterfaceIsCollapsed() throws Exception {
        CrudRepository<User, Long> generic = users;
        List<Optional<User>> found =
                Burst.of(20, gate, application.executor("users"), index -> () -> generic.findById(7L));
        assertThat(found).containsOnly(Optional.of(new User(7L, "user 7")));
        assertThat(gate.executions()).hasSize(2);
    }

    @Test
    void unknownIdIsEmpty() {
        assertThat(users.findById(999L)).isEmpty();
    }

    @Test
    void transactionSeesItsOwnRows() {
        new TransactionTemplate(application.get(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            new JdbcTemplate(application.get(DataSource.class)).update("insert into \"users\" values (500, 'own')");
            assertThat(users.findById(500L)).contains(new User(500L, "own"));
            assertThat(gate.executions()).as("batches").isEmpty();
            status.setRollbackOnly();
        });
        assertThat(users.findById(500L)).isEmpty();
        assertThat(gate.executions()).as("batches").hasSize(1);
    }
}
