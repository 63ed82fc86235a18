package io.github.collapseexecutor.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.jdbc.DatabaseSequences;
import io.github.collapseexecutor.sequence.Sequences;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.MappingException;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.jdbc.connections.spi.AbstractDataSourceBasedMultiTenantConnectionProviderImpl;
import org.hibernate.resource.beans.container.spi.BeanContainer;
import org.hibernate.resource.beans.container.spi.ContainedBean;
import org.hibernate.resource.beans.spi.BeanInstanceProducer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;

/** Each tenant of a session factory has a database: its ids are not silently those of another one. */
class TenantsTests {

    /** What each tenant has. */
    @Entity(name = "Note")
    static class Note {

        @Id
        @CollapsedSequence("note_id")
        @Nullable Long id;
    }

    /** What is of one tenant in the table of all. */
    @Entity(name = "SharedNote")
    static class SharedNote {

        @Id
        @CollapsedSequence("note_id")
        @Nullable Long id;

        @TenantId
        @Nullable String tenant;
    }

    private static final Map<String, DataSource> DATABASES = Map.of("a", database("a", 100), "b", database("b", 200));

    private static String tenant = "a";

    @AfterEach
    void firstTenantAgain() {
        tenant = "a";
    }

    private static DataSource database(String name, int firstId) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:tenant_" + name + ";DB_CLOSE_DELAY=-1");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SEQUENCE note_id START WITH " + firstId);
            statement.execute("CREATE TABLE Note (id BIGINT PRIMARY KEY)");
            statement.execute("CREATE TABLE SharedNote (id BIGINT PRIMARY KEY, tenant VARCHAR(9))");
            return database;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Connects to the database of a tenant. */
    static final class TenantConnections extends AbstractDataSourceBasedMultiTenantConnectionProviderImpl<String> {

        private static final long serialVersionUID = 1L;

        @Override
        protected DataSource selectAnyDataSource() {
            return DATABASES.get("a");
        }

        @Override
        protected DataSource selectDataSource(String identifier) {
            return DATABASES.get(identifier);
        }
    }

    /** Knows the tenant of a session. */
    static final class CurrentTenant implements CurrentTenantIdentifierResolver<String> {

        @Override
        public String resolveCurrentTenantIdentifier() {
            return tenant;
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return true;
        }
    }

    /** As Spring's for Hibernate, whose package is another one in each line of Spring. */
    private record SpringBeans(GenericApplicationContext context) implements BeanContainer {

        @Override
        public <B> ContainedBean<B> getBean(
                Class<B> type, LifecycleOptions options, BeanInstanceProducer withoutContainer) {
            return new Bean<>(
                    type,
                    type == SpringSequences.class
                            ? context.getAutowireCapableBeanFactory().createBean(type)
                            : withoutContainer.produceBeanInstance(type));
        }

        @Override
        public <B> ContainedBean<B> getBean(
                String name, Class<B> type, LifecycleOptions options, BeanInstanceProducer withoutContainer) {
            return getBean(type, options, withoutContainer);
        }

        @Override
        public void stop() {
            // The context ends its beans.
        }
    }

    /** Hibernate 7 asks for the class, too. */
    private record Bean<B>(Class<B> getBeanClass, B getBeanInstance) implements ContainedBean<B> {}

    private static Configuration configuration() {
        Configuration configuration = new Configuration().addAnnotatedClass(Note.class);
        configuration.getProperties().put(AvailableSettings.MULTI_TENANT_CONNECTION_PROVIDER, new TenantConnections());
        configuration.getProperties().put(AvailableSettings.MULTI_TENANT_IDENTIFIER_RESOLVER, new CurrentTenant());
        return configuration;
    }

    /** With a data source, and with numbers of its database. */
    private static GenericApplicationContext context() {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(DataSource.class, () -> DATABASES.get("a"));
        context.registerBean(Sequences.class, () -> Sequences.of(new DatabaseSequences(DATABASES.get("a"))));
        context.refresh();
        return context;
    }

    @Test
    void tenantsInOneDatabaseHaveTheNumbersOfItsBean() throws SQLException {
        Configuration configuration = new Configuration().addAnnotatedClass(SharedNote.class);
        configuration.getProperties().put(AvailableSettings.JAKARTA_JTA_DATASOURCE, DATABASES.get("a"));
        configuration.getProperties().put(AvailableSettings.MULTI_TENANT_IDENTIFIER_RESOLVER, new CurrentTenant());
        try (GenericApplicationContext context = context()) {
            configuration.getProperties().put(AvailableSettings.BEAN_CONTAINER, new SpringBeans(context));
            try (SessionFactory sessions = configuration.buildSessionFactory()) {
                for (String each : List.of("a", "b")) {
                    tenant = each;
                    sessions.inTransaction(session -> session.persist(new SharedNote()));
                }
            }
        }
        try (Connection connection = DATABASES.get("a").getConnection();
                Statement statement = connection.createStatement();
                var tenants = statement.executeQuery(
                        "SELECT LISTAGG(tenant) WITHIN GROUP (ORDER BY id) FROM SharedNote WHERE id BETWEEN 100 AND 199")) {
            assertThat(tenants.next()).isTrue();
            assertThat(tenants.getString(1)).isEqualTo("a,b");
        }
    }

    @Test
    void theBeanOfOneDatabaseIsRefusedIfEachTenantHasOne() {
        try (GenericApplicationContext context = context()) {
            Configuration configuration = configuration();
            configuration.getProperties().put(AvailableSettings.BEAN_CONTAINER, new SpringBeans(context));
            assertThatThrownBy(configuration::buildSessionFactory)
                    .isInstanceOf(MappingException.class)
                    .hasMessageContaining("tenant")
                    .hasMessageContaining(CollapsedSequenceGenerator.SEQUENCES)
                    .hasMessageContaining("@SequenceGenerator");
        }
    }

    @Test
    void numbersThatAreSaidToCountForAllTenantsAreTheirIds_andEachRowIsInItsTenantsDatabase() throws SQLException {
        Configuration configuration = configuration();
        configuration
                .getProperties()
                .put(CollapsedSequenceGenerator.SEQUENCES, Sequences.of(new DatabaseSequences(DATABASES.get("a"))));
        try (SessionFactory sessions = configuration.buildSessionFactory()) {
            for (String each : List.of("a", "b")) {
                tenant = each;
                sessions.inTransaction(session -> session.persist(new Note()));
            }
        }
        for (String each : List.of("a", "b")) {
            try (Connection connection = DATABASES.get(each).getConnection();
                    Statement statement = connection.createStatement();
                    var ids = statement.executeQuery("SELECT id FROM Note")) {
                assertThat(ids.next()).isTrue();
                assertThat(ids.getLong(1)).isBetween(100L, 199L);
                assertThat(ids.next()).isFalse();
            }
        }
    }
}
