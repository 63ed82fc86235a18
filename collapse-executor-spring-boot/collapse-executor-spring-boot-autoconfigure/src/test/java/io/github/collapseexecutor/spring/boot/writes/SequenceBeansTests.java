package io.github.collapseexecutor.spring.boot.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.github.collapseexecutor.core.ExecutorClosedException;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.fixture.RecordingFailureAnalysisReporter;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.Driver;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Numbers by a bean: what stands under {@code collapse.executor.sequences}. */
class SequenceBeansTests {

    private static final int CONNECTIONS = 4;

    private ConfigurableApplicationContext context;

    private ConfigurableApplicationContext start(String yaml, Class<?>... configurations) {
        context = new TestApplication().alone().with(configurations).start(yaml);
        return context;
    }

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
        }
        RecordingFailureAnalysisReporter.take();
    }

    @Test
    void aSequenceOfTheDatabaseNeedsNoConfiguration() throws Exception {
        Sequences sequences = start("", Pool.class).getBean(Sequences.class);
        assertThat(sequences.next("order_id")).isEqualTo(1);
        assertThat(sequences.next("order_id")).isEqualTo(2);
    }

    @Test
    void theSequencesAreClosedWithTheContext() throws Exception {
        Sequences sequences = start("", Pool.class).getBean(Sequences.class);
        assertThat(sequences.next("order_id")).isEqualTo(1);
        context.close();
        assertThatThrownBy(() -> sequences.next("order_id")).isInstanceOf(ExecutorClosedException.class);
    }

    @Test
    void aTableIsNamedWithItsColumns() throws Exception {
        Sequences sequences = start("""
                collapse.executor.sequences:
                  table: numbers
                  name-column: what
                  number-column: latest
                """, Pool.class).getBean(Sequences.class);
        assertThat(sequences.next("invoice")).isEqualTo(501);
    }

    @Test
    void aTableHasTheColumnsOfTheDocumentationByDefault() throws Exception {
        Sequences sequences = start("collapse.executor.sequences.table: id_sequence", Pool.class)
                .getBean(Sequences.class);
        assertThat(sequences.next("order_id")).isEqualTo(1);
    }

    /** With one pool for both, each waits for a connection that none of them gives back. */
    @Test
    void callersThatHoldAllConnectionsOfTheApplicationGetTheirNumbers() throws Exception {
        Sequences sequences = start("", Pool.class).getBean(Sequences.class);
        DataSource dataSource = context.getBean(DataSource.class);
        CyclicBarrier allHoldOne = new CyclicBarrier(CONNECTIONS);
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            List<Future<Long>> numbers = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                numbers.add(threads.submit(() -> {
                    try (Connection held = dataSource.getConnection()) {
                        allHoldOne.await(30, TimeUnit.SECONDS);
                        long number = sequences.next("order_id");
                        assertThat(held.isValid(1)).isTrue();
                        return number;
                    }
                }));
            }
            List<Long> given = new ArrayList<>();
            for (Future<Long> number : numbers) {
                given.add(number.get(20, TimeUnit.SECONDS));
            }
            assertThat(given).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void thePoolOfItsOwnIsLikeTheApplicationsAndEndsWithTheContext() throws Exception {
        start("collapse.executor.sequences.pool-size: 3", Pool.class)
                .getBean(Sequences.class)
                .next("order_id");
        NumberPool pool = context.getBean(NumberPool.class);
        HikariDataSource connections = (HikariDataSource) pool.connections();
        HikariDataSource applications = context.getBean(HikariDataSource.class);
        assertThat(connections).isNotSameAs(applications);
        assertThat(connections.getMaximumPoolSize()).isEqualTo(3);
        assertThat(connections.getConnectionInitSql()).isEqualTo(applications.getConnectionInitSql());
        assertThat(context.getBeansOfType(DataSource.class)).hasSize(1);
        assertThat(context.getBeanFactory().getDependentBeans(context.getBeanNamesForType(DataSource.class)[0]))
                .contains("collapseNumberPool");
        context.close();
        assertThat(connections.isClosed()).isTrue();
    }

    @Test
    void withPoolSizeZeroTheDataSourceItselfIsUsedAndNotClosedByIt() throws Exception {
        start("collapse.executor.sequences.pool-size: 0", Pool.class)
                .getBean(Sequences.class)
                .next("order_id");
        NumberPool pool = context.getBean(NumberPool.class);
        assertThat(pool.connections()).isSameAs(context.getBean(DataSource.class));
        pool.close();
        assertThat(context.getBean(HikariDataSource.class).isClosed()).isFalse();
    }

    @Test
    void nobodyTakesNumbersSoThereIsNoPool() {
        start("", Pool.class);
        assertThat(context.getBeanFactory().containsSingleton("collapseNumberPool"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "collapse.executor.sequences.pool-size: 0"})
    void numbersOfAnotherTenantAreRefused(String yaml) {
        start(yaml, Routing.class);
        assertThatThrownBy(() -> context.getBean(Sequences.class))
                .hasStackTraceContaining("asks the calling thread which database is meant")
                .hasStackTraceContaining("collapse.executor.sequences.data-source");
    }

    /** The copy would try to log in with the password of the configuration, which there is none of. */
    @Test
    void aPoolThatMakesItsPasswordsItselfIsNotCopied() throws Exception {
        start("", PoolWithTokens.class);
        assertThatThrownBy(() -> context.getBean(Sequences.class))
                .hasStackTraceContaining("collapse.executor.sequences.pool-size")
                .hasStackTraceContaining(" of its own, which a copy would not have")
                .hasStackTraceContaining("by collapse.executor.sequences.data-source");
        context.close();
        Sequences sequences = start("collapse.executor.sequences.pool-size: 0", PoolWithTokens.class)
                .getBean(Sequences.class);
        assertThat(sequences.next("order_id")).isEqualTo(1);
    }

    @Test
    void aPasswordThatChangesWhileTheApplicationRunsHoldsForNumbersToo() throws Exception {
        Sequences sequences = start("", PoolWithPassword.class).getBean(Sequences.class);
        assertThat(sequences.next("order_id")).isEqualTo(1);
        HikariDataSource applications = context.getBean(HikariDataSource.class);
        new JdbcTemplate(applications).execute("ALTER USER sa SET PASSWORD 'second'");
        applications.getHikariConfigMXBean().setPassword("second");
        HikariDataSource numbers =
                (HikariDataSource) context.getBean(NumberPool.class).connections();
        numbers.getHikariPoolMXBean().softEvictConnections();
        assertThat(sequences.next("order_id")).isEqualTo(2);
    }

    @Test
    void ofSeveralDataSourcesOneIsNamed() throws Exception {
        start("", Pool.class, Routing.class);
        assertThatThrownBy(() -> context.getBean(Sequences.class))
                .hasStackTraceContaining("name one as collapse.executor.sequences.data-source");
        context.close();
        Sequences sequences = start("collapse.executor.sequences.data-source: pool", Pool.class, Routing.class)
                .getBean(Sequences.class);
        assertThat(sequences.next("order_id")).isEqualTo(1);
    }

    @Test
    void itIsMeasured() throws Exception {
        context = new TestApplication().with(Pool.class, Registry.class).start("");
        context.getBean(Sequences.class).next("order_id");
        assertThat(context.getBean(MeterRegistry.class)
                        .get("collapse.numbers")
                        .tag("name", "sequences")
                        .counter()
                        .count())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "pool-size,    -1,      it must not be negative",
        "data-source,  nowhere, there is no DataSource bean of this name",
        "max-pending,  0,       at least 1",
        "call-timeout, 0s,      positive",
    })
    void aMistakeStopsTheStart(String key, String value, String reason) {
        assertThat(new TestApplication()
                        .alone()
                        .with(Pool.class)
                        .failure("collapse.executor.sequences: {" + key + ": " + value + "}"))
                .contains("Property: collapse.executor.sequences." + key)
                .contains("Value: \"" + value + "\"")
                .contains(reason);
    }

    @Configuration(proxyBeanMethods = false)
    static class Pool {

        @Bean
        HikariDataSource pool() {
            HikariDataSource pool = new HikariDataSource();
            // Other tests of this JVM may have left the DriverManager without drivers.
            pool.setDriverClassName(Driver.class.getName());
            pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            pool.setConnectionInitSql("SELECT 1");
            pool.setMaximumPoolSize(CONNECTIONS);
            pool.setConnectionTimeout(TimeUnit.SECONDS.toMillis(60));
            JdbcTemplate template = new JdbcTemplate(pool);
            template.execute("CREATE SEQUENCE order_id");
            template.execute("CREATE TABLE id_sequence (name VARCHAR(100) PRIMARY KEY, last_number BIGINT NOT NULL)");
            template.execute("INSERT INTO id_sequence VALUES ('order_id', 0)");
            template.execute("CREATE TABLE numbers (what VARCHAR(100) PRIMARY KEY, latest BIGINT NOT NULL)");
            template.execute("INSERT INTO numbers VALUES ('invoice', 500)");
            return pool;
        }
    }

    /** As where passwords are changed from time to time. */
    @Configuration(proxyBeanMethods = false)
    static class PoolWithPassword {

        @Bean
        HikariDataSource pool() {
            HikariDataSource pool = new HikariDataSource();
            pool.setDriverClassName(Driver.class.getName());
            pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            pool.setUsername("sa");
            pool.setPassword("first");
            pool.setConnectionTimeout(TimeUnit.SECONDS.toMillis(5));
            new JdbcTemplate(pool).execute("CREATE SEQUENCE order_id");
            return pool;
        }
    }

    /** As for databases that take tokens with a short life in place of passwords. */
    @Configuration(proxyBeanMethods = false)
    static class PoolWithTokens {

        @Bean
        HikariDataSource pool() {
            String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
            JdbcDataSource database = new JdbcDataSource();
            database.setURL(url);
            database.setUser("sa");
            database.setPassword("token");
            new JdbcTemplate(database).execute("CREATE SEQUENCE order_id");
            HikariDataSource pool = new HikariDataSource() {
                @Override
                public String getPassword() {
                    return "token";
                }

                @Override
                public Credentials getCredentials() {
                    return Credentials.of("sa", "token");
                }
            };
            pool.setDriverClassName(Driver.class.getName());
            pool.setJdbcUrl(url);
            pool.setUsername("sa");
            return pool;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Routing {

        @Bean
        DataSource routing() {
            JdbcDataSource first = new JdbcDataSource();
            first.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return "tenant";
                }
            };
            routing.setTargetDataSources(Map.of());
            routing.setDefaultTargetDataSource(first);
            return routing;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Registry {

        @Bean
        MeterRegistry registry() {
            return new SimpleMeterRegistry();
        }
    }
}
