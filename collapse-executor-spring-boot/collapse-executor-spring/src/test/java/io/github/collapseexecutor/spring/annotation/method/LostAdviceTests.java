package io.github.collapseexecutor.spring.annotation.method;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.collapseexecutor.LoggedEvents;
import io.github.collapseexecutor.spring.annotation.Application;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.RetryOfThisLine;
import io.github.collapseexecutor.spring.annotation.lab.LabTransactions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.repository.CrudRepository;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.ClassUtils;

/** Advice that a method has and its batch method has not is named at the start, since batches run without it. */
class LostAdviceTests {

    private static Map<Long, String> named(List<Long> ids) {
        return ids.stream().collect(Collectors.toMap(id -> id, id -> "name " + id));
    }

    static class OnTheMethod {

        @CollapseBatch(method = "names")
        @Transactional
        public String name(Long id) {
            return "name " + id;
        }

        public Map<Long, String> names(List<Long> ids) {
            return named(ids);
        }
    }

    static class OnBoth extends OnTheMethod {

        @Override
        @Transactional
        public Map<Long, String> names(List<Long> ids) {
            return named(ids);
        }
    }

    @Transactional
    static class OnTheClass {

        @CollapseBatch(method = "names")
        public String name(Long id) {
            return "name " + id;
        }

        public Map<Long, String> names(List<Long> ids) {
            return named(ids);
        }
    }

    static class OnTheBatchMethod {

        @CollapseBatch(method = "names")
        public String name(Long id) {
            return "name " + id;
        }

        @Transactional
        public Map<Long, String> names(List<Long> ids) {
            return named(ids);
        }
    }

    static class WithoutBatches {

        @Collapsible
        @Transactional
        public String name(Long id) {
            return "name " + id;
        }
    }

    /** Every caller passes security before it may share. */
    static class Secured {

        @CollapseBatch(method = "names")
        @PreAuthorize("hasAuthority('READ')")
        public String name(Long id) {
            return "name " + id;
        }

        public Map<Long, String> names(List<Long> ids) {
            return named(ids);
        }
    }

    interface Names {

        @CollapseBatch(method = "names")
        String name(Long id);

        Map<Long, String> names(List<Long> ids);
    }

    static class OnTheImplementation implements Names {

        @Override
        @Transactional
        public String name(Long id) {
            return "name " + id;
        }

        @Override
        public Map<Long, String> names(List<Long> ids) {
            return named(ids);
        }
    }

    static class Later {

        @CollapseBatch(method = "names")
        @Async
        public CompletableFuture<String> name(Long id) {
            return CompletableFuture.completedFuture("name " + id);
        }

        public CompletableFuture<Map<Long, String>> names(List<Long> ids) {
            return CompletableFuture.completedFuture(named(ids));
        }
    }

    static class Unreliable {

        @CollapseBatch(method = "names")
        @Retryable
        public String retried(Long id) {
            return "name " + id;
        }

        public Map<Long, String> names(List<Long> ids) {
            return named(ids);
        }
    }

    @Table("users")
    record User(@Id Long id, String name) {}

    interface Repository extends CrudRepository<User, Long> {

        @Override
        @CollapseBatch(method = "findAllById", itemKey = "id")
        Optional<User> findById(Long id);

        @CollapseBatch(method = "findByNameIn", itemKey = "name")
        @Transactional(timeout = 5)
        Optional<User> findByName(String name);

        List<User> findByNameIn(List<String> names);
    }

    static class Transactions {

        @Bean
        PlatformTransactionManager transactionManager() {
            return new LabTransactions();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class ClassProxies extends Transactions {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class JdkProxies extends Transactions {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @EnableJdbcRepositories(considerNestedRepositories = true, basePackageClasses = LostAdviceTests.class)
    static class Repositories extends AbstractJdbcConfiguration {

        @Bean(destroyMethod = "shutdown")
        DataSource dataSource() {
            return new EmbeddedDatabaseBuilder()
                    .setType(EmbeddedDatabaseType.H2)
                    .generateUniqueName(true)
                    .build();
        }

        @Bean
        NamedParameterJdbcTemplate namedParameterJdbcOperations(DataSource dataSource) {
            return new NamedParameterJdbcTemplate(dataSource);
        }

        @Bean
        PlatformTransactionManager transactionManager() {
            return new LabTransactions();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class Asynchronous {}

    @Configuration(proxyBeanMethods = false)
    static class Others {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor preAuthorize() {
            return AuthorizationManagerBeforeMethodInterceptor.preAuthorize();
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor retry() throws Exception {
            NameMatchMethodPointcut where = new NameMatchMethodPointcut();
            where.setMappedName("retried");
            return new DefaultPointcutAdvisor(where, RetryOfThisLine.interceptor());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototypes {

        @Bean
        @Scope("prototype")
        OnTheMethod names() {
            return new OnTheMethod();
        }
    }

    /** Its advisor is for all methods of a class that has one with the annotation. */
    @Configuration(proxyBeanMethods = false)
    @EnableRetry(proxyTargetClass = true)
    static class SpringRetry {}

    private static List<String> warnings(Class<?>... configuration) {
        try (LoggedEvents logged = new LoggedEvents(LostAdvice.class, Level.WARN)) {
            Application.start(configuration).close();
            return logged.messages();
        }
    }

    @Test
    void transactionOfTheMethodOnlyIsNamed() {
        assertThat(warnings(OnTheMethod.class, ClassProxies.class))
                .singleElement()
                .asString()
                .contains("LostAdviceTests$OnTheMethod.name(Long)")
                .contains("batch method io.github", "LostAdviceTests$OnTheMethod.names(List)")
                .contains("TransactionInterceptor")
                .contains("Annotate the batch method, too");
    }

    @Test
    void theSameBehindAJdkProxy() {
        assertThat(warnings(OnTheImplementation.class, JdkProxies.class))
                .singleElement()
                .asString()
                .contains(".name(Long)", ".names(List)", "TransactionInterceptor");
    }

    @Test
    void anotherThreadForTheMethodOnlyIsNamed() {
        assertThat(warnings(Later.class, Asynchronous.class))
                .singleElement()
                .asString()
                .contains("Later.name(Long)", "AnnotationAsyncExecutionInterceptor");
    }

    @Test
    void retryOfTheMethodOnlyIsNamed() {
        boolean hasSpringRetry = ClassUtils.isPresent(
                "org.springframework.retry.annotation.EnableRetry", getClass().getClassLoader());
        assertThat(warnings(Unreliable.class, ClassProxies.class, hasSpringRetry ? SpringRetry.class : Others.class))
                .singleElement()
                .asString()
                .contains("Unreliable.retried(Long)", ".retry.");
    }

    @Test
    void repositoryOfSpringDataIsAskedForEachMethod() {
        try (LoggedEvents logged = new LoggedEvents(LostAdvice.class, Level.WARN);
                Application application = Application.start(Repositories.class)) {
            assertThat(application.get(Repository.class)).isNotNull(); // Spring makes it when somebody asks for it
            assertThat(logged.messages())
                    .singleElement()
                    .asString()
                    .contains("Repository.findByName(String)", "Repository.findByNameIn(List)")
                    .contains("TransactionInterceptor");
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                OnBoth.class,
                OnTheClass.class,
                OnTheBatchMethod.class,
                WithoutBatches.class,
                Secured.class,
            })
    void nothingIsSaidOfWhatABatchHasOrEveryCallerPasses(Class<?> bean) {
        assertThat(warnings(bean, ClassProxies.class, Others.class)).isEmpty();
    }

    @Test
    void beanOfManyObjectsIsNamedOnce() {
        try (LoggedEvents logged = new LoggedEvents(LostAdvice.class, Level.WARN);
                Application application = Application.start(Prototypes.class, ClassProxies.class)) {
            assertThat(application.get(OnTheMethod.class)).isNotSameAs(application.get(OnTheMethod.class));
            assertThat(logged.messages()).hasSize(1);
        }
    }
}
