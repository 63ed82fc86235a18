package io.github.collapseexecutor.spring.annotation;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/** Callers of different tenants do not share where Hibernate keeps tenants apart. */
class HibernateTenantsTests {

    /** The entity; each tenant has one of the same id. */
    @Entity(name = "Product")
    static class Product {

        @Id
        long id;

        @TenantId
        @Nullable String tenant;

        @Nullable String name;
    }

    /** Knows the tenant of a thread, and fails without one. */
    public static final class Tenants implements CurrentTenantIdentifierResolver<String> {

        static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

        @Override
        public String resolveCurrentTenantIdentifier() {
            String current = CURRENT.get();
            if (current == null) {
                throw new IllegalStateException("This thread has no tenant");
            }
            return current;
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {

        @Bean(destroyMethod = "close")
        static SessionFactory sessions() {
            return new org.hibernate.cfg.Configuration()
                    .addAnnotatedClass(Product.class)
                    .setProperty(AvailableSettings.JAKARTA_JDBC_URL, "jdbc:h2:mem:products")
                    .setProperty(AvailableSettings.HBM2DDL_AUTO, "create-drop")
                    .setProperty(AvailableSettings.MULTI_TENANT_IDENTIFIER_RESOLVER, Tenants.class.getName())
                    .buildSessionFactory();
        }
    }

    /** Has the factory made when it is needed, which may be after the first call. */
    @Configuration(proxyBeanMethods = false)
    static class MadeLater {

        @Bean(destroyMethod = "close")
        @Lazy
        SessionFactory sessions() {
            return Database.sessions();
        }
    }

    /** Has the factory made before any post-processor sees a bean, as method security does whose rules read from the database. */
    @Configuration(proxyBeanMethods = false)
    @Import(Database.class)
    static class ReadByAPostProcessor {

        @Bean
        static BeanPostProcessor reading(SessionFactory sessions) {
            return new BeanPostProcessor() {

                @Override
                public Object postProcessBeforeInitialization(Object bean, String beanName) {
                    assertThat(sessions.isOpen()).isTrue();
                    return bean;
                }
            };
        }
    }

    static class Products {

        // immutable
        private final SessionFactory sessions;
        private final Gate gate;

        Products(@Lazy SessionFactory sessions, Gate gate) {
            this.sessions = sessions;
            this.gate = gate;
        }

        void save(String name) {
            sessions.inTransaction(session -> {
                Product product = new Product();
                product.id = name.hashCode();
                product.name = name;
                session.persist(product);
            });
        }

        private String first() {
            return sessions.fromSession(session -> session.createQuery("select p.name from Product p", String.class)
                    .getSingleResult());
        }

        @Collapsible(name = "only")
        public String only() {
            gate.pass("only");
            return first();
        }

        @CollapseBatch(method = "named", name = "named")
        public String named(String prefix) {
            throw new AssertionError("only the batch method is called");
        }

        public Map<String, String> named(Collection<String> prefixes) {
            gate.pass("named");
            Map<String, String> names = new HashMap<>();
            prefixes.forEach(prefix -> names.put(prefix, prefix + first()));
            return names;
        }

        @Collapsible(name = "withoutSession")
        public String withoutSession() {
            gate.pass("withoutSession");
            return "for all";
        }
    }

    private interface Asked {
        String answer() throws Exception;
    }

    private static String as(String tenant, Asked call) throws Exception {
        Tenants.CURRENT.set(tenant);
        try {
            return call.answer();
        } finally {
            Tenants.CURRENT.remove();
        }
    }

    private static void saveOneForEach(Products products) throws Exception {
        for (String tenant : List.of("a", "b")) {
            String unused = as(tenant, () -> {
                products.save("tea of " + tenant);
                return "";
            });
        }
    }

    private static String tenant(int caller) {
        return caller % 2 == 0 ? "a" : "b";
    }

    @ParameterizedTest
    @ValueSource(classes = {Database.class, MadeLater.class, ReadByAPostProcessor.class})
    void eachCallerGetsTheRowsOfItsTenant(Class<?> database) throws Exception {
        try (Application application = Application.start(database, Products.class)) {
            Products products = application.get(Products.class);
            Gate gate = application.get(Gate.class);
            assertThat(products.withoutSession()).isEqualTo("for all");
            saveOneForEach(products);
            List<String> only = Burst.of(
                    20, gate, application.executor("only"), caller -> () -> as(tenant(caller), products::only));
            List<String> named = Burst.of(
                    20,
                    gate,
                    application.executor("named"),
                    caller -> () -> as(tenant(caller), () -> products.named("the ")));
            for (int i = 0; i < 20; i++) {
                assertThat(only.get(i)).isEqualTo("tea of " + tenant(i));
                assertThat(named.get(i)).isEqualTo("the tea of " + tenant(i));
            }
            assertThat(gate.executions()).hasSizeLessThanOrEqualTo(9);
        }
    }

    @Test
    void callersWithoutATenantShareWhatNeedsNone() throws Exception {
        try (Application application = Application.start(Database.class, Products.class)) {
            Products products = application.get(Products.class);
            Gate gate = application.get(Gate.class);
            List<String> answers =
                    Burst.of(20, gate, application.executor("withoutSession"), caller -> products::withoutSession);
            assertThat(answers).containsOnly("for all");
            assertThat(gate.executions()).hasSizeLessThanOrEqualTo(2);
        }
    }

    /** A web application may have its database in the context above. */
    @Test
    void factoryOfTheParentContextCounts() throws Exception {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(Database.class);
                AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
            child.setParent(parent);
            child.register(Application.Collapsing.class, Products.class);
            child.refresh();
            Products products = child.getBean(Products.class);
            saveOneForEach(products);
            List<String> answers = Burst.of(
                    20,
                    child.getBean(Gate.class),
                    child.getBean(Application.Executors.class).byName.get("only"),
                    caller -> () -> as(tenant(caller), products::only));
            for (int i = 0; i < 20; i++) {
                assertThat(answers.get(i)).isEqualTo("tea of " + tenant(i));
            }
        }
    }
}
