package io.github.collapseexecutor.sample.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.Version;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.SpringVersion;

/**
 * An application whose tenants share tables, on Spring Data JPA and Hibernate. Its rules of access read from the database, so that Spring makes all
 * of JPA before the post-processors of beans.
 */
class TenantsOfJpaTests {

    private static final int CALLERS = 20;

    /** Knows the tenant of a thread. */
    public static final class Tenants implements CurrentTenantIdentifierResolver<String> {

        static final ThreadLocal<String> CURRENT = ThreadLocal.withInitial(() -> "nobody");

        @Override
        public String resolveCurrentTenantIdentifier() {
            return CURRENT.get();
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return true;
        }
    }

    /** Counts the executions of a method, and lets none end before it is opened. */
    static final class Gate {

        // mutable, thread-safe
        private final AtomicInteger executions = new AtomicInteger();
        private final CountDownLatch open = new CountDownLatch(1);

        void pass() {
            executions.incrementAndGet();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    static class Catalog {

        // immutable
        private final Products products;
        private final Gate gate;

        Catalog(Products products, Gate gate) {
            this.products = products;
            this.gate = gate;
        }

        @Collapsible
        public String owners() {
            gate.pass();
            return products.findAll().stream().map(Product::tenant).toList().toString();
        }

        @CollapseBatch(method = "owners")
        public @Nullable String owner(Long id) {
            throw new AssertionError("only the batch method is called for " + id);
        }

        public Map<Long, String> owners(Collection<Long> ids) {
            gate.pass();
            return products.findAllById(ids).stream().collect(Collectors.toMap(Product::id, Product::tenant));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor rights(Products products) {
            NameMatchMethodPointcut reading = new NameMatchMethodPointcut();
            reading.setMappedNames("owner", "owners");
            MethodBeforeAdvice check =
                    (method, arguments, target) -> assertThat(products.count()).isPositive();
            return new DefaultPointcutAdvisor(reading, check);
        }

        @Bean
        Gate gate() {
            return new Gate();
        }

        @Bean
        Catalog catalog(Products products, Gate gate) {
            return new Catalog(products, gate);
        }
    }

    // mutable, confined to the test
    private ConfigurableApplicationContext context;

    @BeforeEach
    void start() throws Exception {
        assertThat(SpringVersion.getVersion()).startsWith(System.getProperty("expected.spring.version"));
        assertThat(Version.getVersionString()).startsWith(System.getProperty("expected.hibernate.version"));
        context = new SpringApplicationBuilder(Application.class)
                .run(
                        "--spring.main.web-application-type=none",
                        "--spring.jpa.properties.hibernate.tenant_identifier_resolver=" + Tenants.class.getName());
        for (long id : List.of(0L, 1L)) { // each tenant has one
            Product unused = as(id, () -> context.getBean(Products.class).save(new Product(id)));
        }
    }

    @AfterEach
    void stop() {
        context.close();
    }

    private static String tenant(long caller) {
        return caller % 2 == 0 ? "even" : "odd";
    }

    private static <T> T as(long caller, Callable<T> call) throws Exception {
        Tenants.CURRENT.set(tenant(caller));
        try {
            return call.call();
        } finally {
            Tenants.CURRENT.remove();
        }
    }

    /** Has callers of two tenants ask at the same time. */
    private List<@Nullable String> burst(Function<Catalog, @Nullable String> call) throws Exception {
        Catalog catalog = context.getBean(Catalog.class);
        List<Thread> threads = new ArrayList<>();
        List<FutureTask<@Nullable String>> tasks = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            FutureTask<@Nullable String> task = new FutureTask<>(() -> as(caller, () -> call.apply(catalog)));
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
            tasks.add(task);
            threads.add(thread);
        }
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        gate().open.countDown();
        List<@Nullable String> answers = new ArrayList<>();
        for (FutureTask<@Nullable String> task : tasks) {
            answers.add(task.get(60, TimeUnit.SECONDS));
        }
        assertThat(gate().executions.get()).isLessThanOrEqualTo(4);
        return answers;
    }

    private Gate gate() {
        return context.getBean(Gate.class);
    }

    @Test
    void eachTenantGetsTheAnswerToItsOwnCalls() throws Exception {
        List<@Nullable String> owners = burst(Catalog::owners);
        for (int i = 0; i < CALLERS; i++) {
            assertThat(owners.get(i)).isEqualTo("[" + tenant(i) + "]");
        }
    }

    @Test
    void noTenantGetsTheRowsOfAnotherByTheirKey() throws Exception {
        List<@Nullable String> owners = burst(catalog -> catalog.owner(0L));
        for (int i = 0; i < CALLERS; i++) {
            assertThat(owners.get(i)).isEqualTo(i % 2 == 0 ? "even" : null);
        }
    }
}
