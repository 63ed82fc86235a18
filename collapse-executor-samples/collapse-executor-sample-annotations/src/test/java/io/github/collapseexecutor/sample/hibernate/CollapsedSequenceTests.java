package io.github.collapseexecutor.sample.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.github.collapseexecutor.hibernate.CollapsedSequence;
import io.github.collapseexecutor.hibernate.CollapsedSequenceGenerator;
import io.github.collapseexecutor.jdbc.DatabaseSequences;
import io.github.collapseexecutor.sample.hibernate.entity.Order;
import io.github.collapseexecutor.sample.hibernate.entity.OrdersApplication;
import io.github.collapseexecutor.sample.hibernate.entity.Small;
import io.github.collapseexecutor.sequence.SequenceSource;
import io.github.collapseexecutor.sequence.Sequences;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Ids of entities that many callers persist at the same time, each in a transaction of its own that holds a connection. */
class CollapsedSequenceTests {

    private static final int CALLERS = 40;

    /** An id that no number is. */
    @Entity(name = "Wrong")
    static class Wrong {

        @Id
        @CollapsedSequence("order_id")
        private String id;

        protected Wrong() {}
    }

    /** Counts round trips, the first of which ends when all callers wait for a number. */
    @org.springframework.context.annotation.Configuration(proxyBeanMethods = false)
    static class Counted {

        final AtomicInteger trips = new AtomicInteger();

        @Bean
        Sequences counted(DataSource dataSource) {
            SequenceSource source = new DatabaseSequences(database(dataSource));
            AtomicReference<Sequences> sequences = new AtomicReference<>();
            sequences.set(Sequences.of((name, count) -> {
                if (trips.incrementAndGet() == 1) {
                    await().until(() -> sequences.get().counts().callers() == CALLERS);
                }
                return source.take(name, count);
            }));
            return sequences.get();
        }

        /** The same database by connections of its own. */
        private static JdbcDataSource database(DataSource dataSource) {
            JdbcDataSource own = new JdbcDataSource();
            HikariDataSource pool = (HikariDataSource) dataSource;
            own.setURL(pool.getJdbcUrl());
            own.setUser(pool.getUsername());
            own.setPassword(pool.getPassword());
            return own;
        }
    }

    private static ConfigurableApplicationContext start(int connections, Class<?>... sources) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(sources)
                .run(
                        "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
                        "--spring.datasource.hikari.maximum-pool-size=" + connections,
                        "--spring.jpa.hibernate.ddl-auto=none",
                        "--spring.main.web-application-type=none");
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        jdbc.execute("CREATE SEQUENCE order_id START WITH 1000");
        jdbc.execute("CREATE SEQUENCE great START WITH 3000000000");
        jdbc.execute("CREATE TABLE purchase_order (id BIGINT PRIMARY KEY)");
        jdbc.execute("CREATE TABLE small (id INT PRIMARY KEY)");
        return context;
    }

    private static Set<Long> persisted(ConfigurableApplicationContext context) throws Exception {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        EntityManager entities =
                SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
        CountDownLatch all = new CountDownLatch(CALLERS);
        List<FutureTask<Long>> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            FutureTask<Long> caller = new FutureTask<>(() -> {
                all.countDown();
                all.await();
                return transaction.execute(status -> {
                    entities.createNativeQuery("SELECT 1").getSingleResult(); // takes a connection
                    Order order = new Order();
                    entities.persist(order);
                    return order.id();
                });
            });
            callers.add(caller);
            new Thread(caller).start();
        }
        Set<Long> ids = new HashSet<>();
        for (FutureTask<Long> caller : callers) {
            ids.add(caller.get(60, TimeUnit.SECONDS));
        }
        return ids;
    }

    @Test
    void callersThatHoldAllConnectionsPersistByTheBeanOfSpringBoot() throws Exception {
        try (ConfigurableApplicationContext context = start(4, OrdersApplication.class)) {
            assertThat(persisted(context)).hasSize(CALLERS).allMatch(id -> id >= 1000 && id < 1000 + CALLERS);
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForObject("SELECT count(*) FROM purchase_order", Integer.class))
                    .isEqualTo(CALLERS);
        }
    }

    @Test
    void aBeanOfTheApplicationIsUsedAndItsRoundTripsAreShared() throws Exception {
        try (ConfigurableApplicationContext context = start(CALLERS, OrdersApplication.class, Counted.class)) {
            assertThat(persisted(context)).hasSize(CALLERS);
            assertThat(context.getBean(Counted.class).trips.get()).isLessThanOrEqualTo(CALLERS / 2);
        }
    }

    @Test
    void aNumberThatIsTooGreatFailsItsEntity() {
        try (ConfigurableApplicationContext context = start(4, OrdersApplication.class)) {
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
            EntityManager entities =
                    SharedEntityManagerCreator.createSharedEntityManager(context.getBean(EntityManagerFactory.class));
            assertThatThrownBy(() -> transaction.executeWithoutResult(status -> entities.persist(new Small())))
                    .hasStackTraceContaining("Sequence 'great' is at 3000000000, which is no int: make the id a long");
        }
    }

    @Test
    void withoutSpringASettingHoldsTheSequences() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcTemplate jdbc = new JdbcTemplate(database);
        jdbc.execute("CREATE SEQUENCE order_id START WITH 7");
        jdbc.execute("CREATE TABLE purchase_order (id BIGINT PRIMARY KEY)");
        Configuration configuration = hibernate(database, Order.class);
        configuration
                .getProperties()
                .put(CollapsedSequenceGenerator.SEQUENCES, Sequences.of(new DatabaseSequences(database)));
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            Order order = new Order();
            factory.inTransaction(session -> session.persist(order));
            assertThat(order.id()).isEqualTo(7);
        }
    }

    @Test
    void withNeitherTheStartSaysWhatIsMissing() {
        assertThatThrownBy(() -> hibernate(new JdbcDataSource(), Order.class)
                        .setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
                        .setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect")
                        .buildSessionFactory())
                .hasStackTraceContaining("There are no numbers for @CollapsedSequence")
                .hasStackTraceContaining(CollapsedSequenceGenerator.SEQUENCES);
    }

    @Test
    void anIdOfAnotherTypeStopsTheStart() {
        assertThatThrownBy(() -> hibernate(new JdbcDataSource(), Wrong.class)
                        .setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
                        .setProperty("hibernate.dialect", "org.hibernate.dialect.H2Dialect")
                        .buildSessionFactory())
                .hasStackTraceContaining("whose type is java.lang.String: it must be long, int, Long or Integer");
    }

    private static Configuration hibernate(JdbcDataSource database, Class<?> entity) {
        Configuration configuration = new Configuration().addAnnotatedClass(entity);
        configuration.getProperties().put("hibernate.connection.datasource", database);
        return configuration;
    }
}
