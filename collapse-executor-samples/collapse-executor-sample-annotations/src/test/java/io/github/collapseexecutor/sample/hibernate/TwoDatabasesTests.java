package io.github.collapseexecutor.sample.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.collapseexecutor.hibernate.CollapsedSequenceGenerator;
import io.github.collapseexecutor.jdbc.DatabaseSequences;
import io.github.collapseexecutor.sample.hibernate.entity.Order;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.sequence.Sequences;
import io.github.collapseexecutor.spring.boot.writes.CollapseWritesAutoConfiguration;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.Constructor;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.util.ClassUtils;

/** In an application with two databases, the ids of entities are numbers of the database that they are stored in, or the start fails. */
class TwoDatabasesTests {

    private static final ClassLoader CLASSES = TwoDatabasesTests.class.getClassLoader();

    private static DataSource database(int firstId) {
        DataSource database =
                JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");
        JdbcTemplate jdbc = new JdbcTemplate(database);
        jdbc.execute("CREATE SEQUENCE order_id START WITH " + firstId);
        jdbc.execute("CREATE SEQUENCE great");
        jdbc.execute("CREATE TABLE purchase_order (id BIGINT PRIMARY KEY)");
        jdbc.execute("CREATE TABLE small (id INT PRIMARY KEY)");
        return database;
    }

    private static LocalContainerEntityManagerFactoryBean factory(DataSource database, Map<String, Object> settings) {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(database);
        factory.setPackagesToScan(Order.class.getPackageName());
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.setJpaPropertyMap(settings);
        return factory;
    }

    /** Spring has moved the class from one generation to the next. */
    private static Map<String, Object> settings(ConfigurableListableBeanFactory beans) throws Exception {
        String moved = "org.springframework.orm.jpa.hibernate.SpringBeanContainer";
        String name =
                ClassUtils.isPresent(moved, CLASSES) ? moved : "org.springframework.orm.hibernate5.SpringBeanContainer";
        Constructor<?> container =
                ClassUtils.forName(name, CLASSES).getConstructor(ConfigurableListableBeanFactory.class);
        return new TreeMap<>(
                Map.of("hibernate.resource.beans.container", BeanUtils.instantiateClass(container, beans)));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(CollapseWritesAutoConfiguration.class)
    static class Databases {

        @Bean
        @Primary
        DataSource first() {
            return database(1000);
        }

        @Bean
        DataSource second() {
            return database(5000);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfFirst {

        @Bean
        LocalContainerEntityManagerFactoryBean ofFirst(
                @Qualifier("first") DataSource database, ConfigurableListableBeanFactory beans) throws Exception {
            return factory(database, settings(beans));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfSecond {

        @Bean
        LocalContainerEntityManagerFactoryBean ofSecond(
                @Qualifier("second") DataSource database, ConfigurableListableBeanFactory beans) throws Exception {
            return factory(database, settings(beans));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfSecondWithItsSequences {

        @Bean
        LocalContainerEntityManagerFactoryBean ofSecond(
                @Qualifier("second") DataSource database, ConfigurableListableBeanFactory beans) throws Exception {
            Map<String, Object> settings = settings(beans);
            settings.put(CollapsedSequenceGenerator.SEQUENCES, Sequences.of(new DatabaseSequences(database)));
            return factory(database, settings);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfFirstWithoutContainer {

        @Bean
        LocalContainerEntityManagerFactoryBean ofFirst(@Qualifier("first") DataSource database) {
            return factory(database, Map.of());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SequencesOfEach {

        @Bean
        Sequences sequencesOfFirst(@Qualifier("first") DataSource database) {
            return Sequences.of(new DatabaseSequences(database));
        }

        @Bean
        Sequences sequencesOfSecond(@Qualifier("second") DataSource database) {
            return Sequences.of(new DatabaseSequences(database));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class UnknownSequences {

        @Bean
        Sequences unknown() {
            return Sequences.of(SequenceSource.ofCounter((name, amount) -> amount, Set.of("order_id")));
        }
    }

    private static ConfigurableApplicationContext start(Class<?>... more) {
        return new SpringApplicationBuilder(Databases.class)
                .sources(more)
                .properties("spring.main.web-application-type=none", "collapse.executor.sequences.pool-size=0")
                .run();
    }

    private static long persisted(ConfigurableApplicationContext context, String factory) {
        try (EntityManager entities =
                context.getBean(factory, EntityManagerFactory.class).createEntityManager()) {
            entities.getTransaction().begin();
            Order order = new Order();
            entities.persist(order);
            entities.getTransaction().commit();
            return order.id();
        }
    }

    @Test
    void theBeanOfSpringBootIsForTheEntitiesOfItsDatabase() {
        try (ConfigurableApplicationContext context = start(OfFirst.class)) {
            assertThat(persisted(context, "ofFirst")).isEqualTo(1000);
        }
    }

    @Test
    void entitiesOfAnotherDatabaseStopTheStart() {
        assertThatThrownBy(() -> start(OfFirst.class, OfSecond.class))
                .hasStackTraceContaining("ids of @CollapsedSequence would be those of another database")
                .hasStackTraceContaining("Sequences.of(new DatabaseSequences(dataSource))")
                .hasStackTraceContaining(CollapsedSequenceGenerator.SEQUENCES);
        assertThatThrownBy(() -> start(OfSecond.class))
                .hasStackTraceContaining("ids of @CollapsedSequence would be those of another database");
    }

    @Test
    void eachDatabaseHasTheBeanOfItsOwn() {
        try (ConfigurableApplicationContext context = start(OfFirst.class, OfSecond.class, SequencesOfEach.class)) {
            assertThat(persisted(context, "ofSecond")).isEqualTo(5000);
            assertThat(persisted(context, "ofFirst")).isEqualTo(1000);
            assertThat(persisted(context, "ofSecond")).isEqualTo(5001);
        }
    }

    @Test
    void aSettingOfTheFactoryNamesTheSequences() {
        try (ConfigurableApplicationContext context = start(OfFirst.class, OfSecondWithItsSequences.class)) {
            assertThat(persisted(context, "ofFirst")).isEqualTo(1000);
            assertThat(persisted(context, "ofSecond")).isEqualTo(5000);
        }
    }

    @Test
    void sequencesOfAnUnknownDatabaseStopTheStart() {
        assertThatThrownBy(() -> start(OfFirst.class, UnknownSequences.class))
                .hasStackTraceContaining("ids of @CollapsedSequence would be those of another database");
    }

    @Test
    void withoutTheBeansOfSpringTheStartNamesTheMissingSetting() {
        assertThatThrownBy(() -> start(OfFirstWithoutContainer.class))
                .hasStackTraceContaining(
                        "put a SpringBeanContainer under hibernate.resource.beans.container into the settings");
    }
}
