package io.github.collapseexecutor.sample.annotations;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.CollapseExecutor;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.spring.annotation.CollapsingObserver;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.orm.jpa.HibernatePropertiesCustomizer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The example that everybody has: 200 callers that ask for one user each, on Spring Data JPA, Hibernate and H2. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnnotationsSampleTests {

    private static final HeldStatements STATEMENTS = new HeldStatements();
    private static final Map<String, CollapseExecutor> EXECUTORS = new ConcurrentHashMap<>();

    @Configuration(proxyBeanMethods = false)
    static class Watched {

        @Bean
        HibernatePropertiesCustomizer statements() {
            return properties -> properties.put("hibernate.session_factory.statement_inspector", STATEMENTS);
        }

        @Bean
        CollapsingObserver executors() {
            return new CollapsingObserver() {
                @Override
                public @Nullable CollapseListener listener(String name) {
                    return null;
                }

                @Override
                public void made(String name, CollapseExecutor executor) {
                    EXECUTORS.put(name, executor);
                }
            };
        }
    }

    // immutable after start
    private ConfigurableApplicationContext context;
    private UserService service;

    @BeforeAll
    void start() {
        context = new SpringApplicationBuilder(AnnotationsSampleApplication.class, Watched.class).run();
        service = context.getBean(UserService.class);
        context.getBean(UserRepository.class)
                .saveAll(LongStream.rangeClosed(1, 200)
                        .mapToObj(id -> new User(id, "user " + id))
                        .toList());
    }

    @AfterAll
    void stop() {
        STATEMENTS.release();
        context.close();
    }

    private <T> List<T> burst(int callers, String executor, IntFunction<T> call) throws Exception {
        STATEMENTS.hold();
        List<FutureTask<T>> tasks = IntStream.range(0, callers)
                .mapToObj(index -> new FutureTask<>(() -> call.apply(index)))
                .toList();
        for (FutureTask<T> task : tasks) {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        }
        CollapseExecutor collapsing =
                requireNonNull(EXECUTORS.get(executor), () -> EXECUTORS.keySet().toString());
        try {
            await().atMost(60, TimeUnit.SECONDS).until(() -> collapsing.counts().callers() == callers);
        } finally {
            STATEMENTS.release();
        }
        List<T> answers = new ArrayList<>();
        for (FutureTask<T> task : tasks) {
            answers.add(task.get(60, TimeUnit.SECONDS));
        }
        return answers;
    }

    @Test
    void twoHundredCallersAreTwoQueries() throws Exception {
        List<User> users = burst(200, "userRepository.findById", index -> service.user(index + 1));
        for (int i = 0; i < 200; i++) {
            assertThat(users.get(i).getId()).isEqualTo(i + 1L);
            assertThat(users.get(i).getName()).isEqualTo("user " + (i + 1));
        }
        assertThat(STATEMENTS.queries()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void userIsReadInTheCallersOwnTransaction() {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        UserRepository users = context.getBean(UserRepository.class);
        transaction.executeWithoutResult(status -> {
            users.saveAndFlush(new User(500L, "own"));
            assertThat(service.user(500).getName()).isEqualTo("own");
            status.setRollbackOnly();
        });
        assertThat(users.findById(500L)).isEmpty();
    }

    @Test
    void sessionOfAWebRequestKeepsItsEntitiesToItself() {
        EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
        try (EntityManager session = factory.createEntityManager()) {
            TransactionSynchronizationManager.bindResource(factory, new EntityManagerHolder(session));
            try {
                User user = service.user(7);
                assertThat(session.contains(user))
                        .as("loaded by the session of this thread")
                        .isTrue();
            } finally {
                TransactionSynchronizationManager.unbindResource(factory);
            }
        }
    }

    @Test
    void thousandCallersOfTwoUsersGetTheirOwn() throws Exception {
        List<String> answers = burst(1_000, "userService.summary", index -> as(index % 2 == 0 ? "ann" : "bob", "READ"));
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i)).isEqualTo((i % 2 == 0 ? "ann" : "bob") + " sees 200 users");
        }
        assertThat(STATEMENTS.queries()).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void callerWithoutTheRightIsRefused() {
        assertThatThrownBy(() -> as("eve", "WRITE")).isInstanceOf(AccessDeniedException.class);
    }

    private String as(String user, String authority) {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken(user, "", authority));
        try {
            return service.summary();
        } finally {
            SecurityContextHolder.clearContext();
        }
    }
}
