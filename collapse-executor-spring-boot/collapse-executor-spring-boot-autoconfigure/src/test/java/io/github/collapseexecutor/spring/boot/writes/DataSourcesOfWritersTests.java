package io.github.collapseexecutor.spring.boot.writes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import com.baomidou.dynamic.datasource.DynamicRoutingDataSource;
import io.github.collapseexecutor.LoggedEvents;
import io.github.collapseexecutor.jdbc.GroupCommit;
import io.github.collapseexecutor.spring.jdbc.GroupCommitTemplate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Which data source a writer writes to. */
class DataSourcesOfWritersTests extends NamedWritersFixture {

    @Nested
    class OfSeveralTenants {

        private static final String REMEDY =
                "Name the data source of one database as collapse.executor.writers.group-commit.data-source";

        @ParameterizedTest
        @ValueSource(classes = {Tenants.class, TenantsOfALibrary.class, DynamicTenants.class})
        void aWriterThatWouldWriteForAnotherTenantIsRefused(Class<?> tenants) {
            start("", tenants);
            assertThatThrownBy(() -> context.getBean(GroupCommitTemplate.class))
                    .hasStackTraceContaining("asks the calling thread which database is meant")
                    .hasStackTraceContaining(REMEDY);
            assertThatThrownBy(() -> context.getBean(GroupCommit.class)).hasStackTraceContaining(REMEDY);
            assertThatThrownBy(() -> context.getBean(NamedWriters.class).groupCommit("notes"))
                    .hasMessageContaining("collapse.executor.writers.notes.data-source");
        }

        /** Only the application knows whether the class looks at the thread; many count or measure. */
        @Test
        void oneThatMaySetTheTenantOfEachConnectionWritesWithAWarning() throws Exception {
            start("", TellingTenants.class);
            try (LoggedEvents warnings = new LoggedEvents(DataSources.class, Level.WARN)) {
                GroupCommit commits = context.getBean(GroupCommit.class);
                commits.execute(INSERT, "a note");
                assertThat(rows(context.getBean(DataSource.class))).isEqualTo(1);
                assertThat(warnings.messages())
                        .singleElement()
                        .asString()
                        .contains(
                                TellingTenants.class.getName(),
                                "data source dataSource",
                                "collapse.executor.writers.group-commit.data-source");
            }
        }

        /** A statement of any other thread would be part of the batch's transaction. */
        @Test
        void aWriterThatWouldShareItsConnectionIsRefused() {
            start("", OneConnection.class);
            assertThatThrownBy(() -> context.getBean(GroupCommit.class))
                    .hasStackTraceContaining("gives all threads one connection")
                    .hasStackTraceContaining("as collapse.executor.writers.group-commit.data-source");
        }

        @Test
        void eachTenantHasAWriterOfItsOwn() throws Exception {
            start("", Tenants.class);
            NamedWriters writers = context.getBean(NamedWriters.class);
            DataSource two =
                    (DataSource) context.getBean(Tenants.class).databases.get("two");
            GroupCommit commits = writers.groupCommit("two", two);
            together(() -> commits.execute(INSERT, "of the second tenant"));
            assertThat(rows(two)).isEqualTo(CALLERS);
        }
    }

    @Nested
    class OfSeveralDataSources {

        private static final String YAML = """
                collapse.executor.writers:
                  orders: {data-source: ordersDatabase}
                  audit: {data-source: auditDatabase, max-batch-size: 2}
                """;

        @Test
        void eachNameIsThatOfABeanForItsDataSource() throws Exception {
            TwoWriters writers =
                    start(YAML, TwoDatabases.class, TwoWriters.class).getBean(TwoWriters.class);
            writers.orders.execute(INSERT, "an order");
            writers.audit.execute(INSERT, "who");
            writers.audit.execute(INSERT, "when");
            assertThat(rows(context.getBean("ordersDatabase", DataSource.class)))
                    .isEqualTo(1);
            assertThat(rows(context.getBean("auditDatabase", DataSource.class))).isEqualTo(2);
        }

        @Test
        void aWriterWithoutADataSourceSaysWhatIsMissing() {
            NamedWriters writers = start("", TwoDatabases.class).getBean(NamedWriters.class);
            assertThatThrownBy(() -> writers.groupCommit("notes"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("several data sources")
                    .hasMessageContaining("name one as collapse.executor.writers.notes.data-source");
        }

        @Test
        void oneMayBeHandedIn() throws Exception {
            NamedWriters writers = start("", TwoDatabases.class).getBean(NamedWriters.class);
            DataSource audit = context.getBean("auditDatabase", DataSource.class);
            writers.groupCommit("notes", audit).execute(INSERT, "handed in");
            assertThat(rows(audit)).isEqualTo(1);
        }
    }

    /** Two tenants with a database each; the calling thread says which is meant, and no tenant means the first. */
    @Configuration(proxyBeanMethods = false)
    static class Tenants {

        static final ThreadLocal<String> TENANT = new ThreadLocal<>();

        final Map<Object, Object> databases = Map.of("one", database(), "two", database());

        static DataSource database() {
            JdbcDataSource database = new JdbcDataSource();
            database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
            new JdbcTemplate(database).execute(NOTES);
            return database;
        }

        @Bean
        DataSource dataSource() {
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return TENANT.get();
                }
            };
            routing.setTargetDataSources(databases);
            routing.setDefaultTargetDataSource(databases.get("one"));
            routing.afterPropertiesSet();
            return new LazyConnectionDataSourceProxy(routing);
        }
    }

    /** As a library chooses that does without Spring's class for it. */
    @Configuration(proxyBeanMethods = false)
    static class TenantsOfALibrary extends Tenants {

        @Bean
        @Override
        DataSource dataSource() {
            return new LazyConnectionDataSourceProxy(new AbstractDataSource() {
                @Override
                public Connection getConnection() throws SQLException {
                    return ((DataSource) databases.get(TENANT.get())).getConnection();
                }

                @Override
                public Connection getConnection(String user, String password) throws SQLException {
                    return ((DataSource) databases.get(TENANT.get())).getConnection(user, password);
                }
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneConnection {

        @Bean
        DataSource dataSource() throws SQLException {
            return new LazyConnectionDataSourceProxy(
                    new SingleConnectionDataSource(Tenants.database().getConnection(), true));
        }
    }

    /** Could tell the database the tenant of each connection, as row-level security needs it. */
    @Configuration(proxyBeanMethods = false)
    static class TellingTenants {

        @Bean
        DataSource dataSource() {
            return new LazyConnectionDataSourceProxy(new DelegatingDataSource(Tenants.database()) {});
        }
    }

    /** As applications with dynamic-datasource have it. */
    @Configuration(proxyBeanMethods = false)
    static class DynamicTenants {

        @Bean
        DataSource dataSource() {
            DynamicRoutingDataSource databases = new DynamicRoutingDataSource(List.of());
            List.of("one", "two").forEach(tenant -> databases.addDataSource(tenant, Tenants.database()));
            databases.setPrimary("one");
            return databases;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoWriters {

        final GroupCommit orders;
        final GroupCommit audit;

        TwoWriters(@Qualifier("orders") GroupCommit orders, @Qualifier("audit") GroupCommit audit) {
            this.orders = orders;
            this.audit = audit;
        }
    }
}
