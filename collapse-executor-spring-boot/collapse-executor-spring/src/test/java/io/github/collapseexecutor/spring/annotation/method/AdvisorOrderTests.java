package io.github.collapseexecutor.spring.annotation.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.spring.annotation.Application;
import io.github.collapseexecutor.spring.annotation.Burst;
import io.github.collapseexecutor.spring.annotation.CallInTransaction;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.CollapsingSettings;
import io.github.collapseexecutor.spring.annotation.Gate;
import io.github.collapseexecutor.spring.annotation.InvalidCollapsingException;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validator;
import jakarta.validation.constraints.Positive;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.prepost.PostFilter;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor;
import org.springframework.security.authorization.method.PostFilterAuthorizationMethodInterceptor;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

/** Collapsing among transactions, caches, retries, security and aspects, each with the real interceptor. */
class AdvisorOrderTests {

    static class Everything {

        // immutable
        private final Gate gate;

        Everything(Gate gate) {
            this.gate = gate;
        }

        @Collapsible(name = "all", acrossUsers = true)
        @Transactional
        @Cacheable("items")
        @PreAuthorize("hasAuthority('READ')")
        public String all(String item) {
            gate.pass(item + " in a transaction: " + TransactionSynchronizationManager.isActualTransactionActive());
            return "answer " + item;
        }
    }

    static class Stock {

        // immutable
        private final Gate gate;
        private final JdbcTemplate jdbc;

        Stock(Gate gate, DataSource dataSource) {
            this.gate = gate;
            this.jdbc = new JdbcTemplate(dataSource);
        }

        @Collapsible(name = "count")
        @Transactional
        public int count(String item) {
            Integer count = jdbc.queryForObject("select count(*) from stock where item = ?", Integer.class, item);
            gate.pass(item);
            return count;
        }

        @Collapsible(name = "aspect")
        @Transactional
        public String withAspect(String item) {
            gate.pass(item);
            return item;
        }

        public void add(String item) {
            jdbc.update("insert into stock values (?)", item);
        }
    }

    static class Background {

        // immutable
        private final Gate gate;

        Background(Gate gate) {
            this.gate = gate;
        }

        @Async
        @Collapsible(name = "async")
        public CompletableFuture<String> later(String item) {
            gate.pass(Thread.currentThread().getName());
            return CompletableFuture.completedFuture(item);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Database extends Tables {}

    static class Tables {

        @Bean(destroyMethod = "shutdown")
        DataSource dataSource() {
            return new EmbeddedDatabaseBuilder()
                    .setType(EmbeddedDatabaseType.H2)
                    .generateUniqueName(true)
                    .build();
        }

        @Bean
        DataSourceTransactionManager transactionManager(DataSource dataSource) {
            new JdbcTemplate(dataSource).execute("create table stock (item varchar(20))");
            return new DataSourceTransactionManager(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching(proxyTargetClass = true)
    static class Caching {

        @Bean
        CacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Security {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor preAuthorize() {
            return AuthorizationManagerBeforeMethodInterceptor.preAuthorize();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    static class Asynchronous {}

    /** An aspect of the application's own, which counts callers. */
    @Configuration(proxyBeanMethods = false)
    static class Aspect {

        static final AtomicInteger CALLERS = new AtomicInteger();

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor aspect() {
            return advisor("withAspect", 0, invocation -> {
                CALLERS.incrementAndGet();
                return invocation.proceed();
            });
        }
    }

    private static Advisor advisor(String method, int order, MethodInterceptor advice) {
        NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
        pointcut.setMappedName(method);
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, advice);
        advisor.setOrder(order);
        return advisor;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true, order = 1000)
    static class TransactionsOutside extends Tables {}

    @AfterEach
    void nobody() {
        SecurityContextHolder.clearContext();
    }

    private static List<String> advices(Object bean) {
        return Arrays.stream(((Advised) bean).getAdvisors())
                .map(advisor -> advisor.getAdvice().getClass().getSimpleName())
                .toList();
    }

    @Test
    void securityAndCachesAreOutsideAndTransactionsInside() throws Exception {
        try (Application application =
                Application.start(Everything.class, Caching.class, Database.class, Security.class)) {
            Everything bean = application.get(Everything.class);
            assertThat(advices(bean))
                    .containsSubsequence(
                            "AuthorizationManagerBeforeMethodInterceptor", "Interceptor", "TransactionInterceptor")
                    .containsSubsequence("CacheInterceptor", "Interceptor", "TransactionInterceptor");
            Gate gate = application.get(Gate.class);
            List<String> answers = Burst.of(20, gate, application.executor("all"), index -> () -> reader(bean));
            assertThat(answers).containsOnly("answer tea");
            assertThat(gate.executions()).hasSize(2).containsOnly("tea in a transaction: true");
            reader(bean);
            assertThat(gate.executions()).as("the cache answers").hasSize(2);
            SecurityContextHolder.clearContext();
            assertThatThrownBy(() -> bean.all("tea")).isInstanceOf(AuthenticationCredentialsNotFoundException.class);
            SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("bob", "", "WRITE"));
            assertThatThrownBy(() -> bean.all("tea")).isInstanceOf(AccessDeniedException.class);
        }
    }

    private static String reader(Everything bean) {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("ann", "", "READ"));
        return bean.all("tea");
    }

    @Test
    void eachCallerPassesAnAspectOfTheApplication() throws Exception {
        try (Application application = Application.start(Stock.class, Database.class, Aspect.class)) {
            Aspect.CALLERS.set(0);
            Stock stock = application.get(Stock.class);
            Gate gate = application.get(Gate.class);
            Burst.of(20, gate, application.executor("aspect"), index -> () -> stock.withAspect("tea"));
            assertThat(Aspect.CALLERS).hasValue(20);
            assertThat(gate.executions()).hasSize(2);
        }
    }

    @Test
    void asyncMethodIsPartOfTheExecution() throws Exception {
        try (Application application = Application.start(Background.class, Asynchronous.class)) {
            Background background = application.get(Background.class);
            Gate gate = application.get(Gate.class);
            List<String> answers = Burst.of(
                    20,
                    gate,
                    application.executor("async"),
                    index -> () -> background.later("tea").get());
            assertThat(answers).containsOnly("tea");
            assertThat(gate.executions()).hasSize(2);
            assertThat(advices(background)).first().isEqualTo("Interceptor");
        }
    }

    @Test
    void callInsideATransactionSeesItsOwnData() throws Exception {
        try (Application application = Application.start(Stock.class, Database.class)) {
            Stock stock = application.get(Stock.class);
            Gate gate = application.get(Gate.class);
            gate.shut();
            var leader = Burst.start(() -> stock.count("tea"));
            Burst.present(application.executor("count"), 1);
            var other = Burst.start(() -> stock.count("tea"));
            Burst.present(application.executor("count"), 2);
            var own = Burst.start(() -> new TransactionTemplate(application.get(DataSourceTransactionManager.class))
                    .execute(status -> {
                        stock.add("tea");
                        return stock.count("tea");
                    }));
            await().until(() -> gate.executions().size() == 2);
            assertThat(application.executor("count").counts().callers()).isEqualTo(2);
            gate.open();
            assertThat(leader.get()).isZero();
            assertThat(own.get()).isEqualTo(1);
            assertThat(other.get()).isIn(0, 1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Refusing {

        @Bean
        @Primary
        CollapsingSettings refusing() {
            return new CollapsingSettings(CollapsingSettings.defaults().options(), CallInTransaction.REFUSE);
        }
    }

    @Test
    void callInsideATransactionIsRefusedIfTheSettingsSaySo() {
        try (Application application = Application.start(Stock.class, Database.class, Refusing.class)) {
            Stock stock = application.get(Stock.class);
            assertThat(stock.count("tea")).isZero();
            TransactionTemplate template = new TransactionTemplate(application.get(DataSourceTransactionManager.class));
            assertThatThrownBy(() -> template.execute(status -> stock.count("tea")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Stock.count(String)")
                    .hasMessageContaining("in-transaction");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LateAspect {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor aspect() {
            return advisor("withAspect", Ordered.LOWEST_PRECEDENCE, MethodInvocation::proceed);
        }
    }

    @Test
    void transactionOutsideOfWhatEachCallerHasToPassStopsTheStart() {
        Throwable failure =
                catchThrowable(() -> Application.start(Stock.class, TransactionsOutside.class, LateAspect.class)
                        .close());
        assertThat(failure)
                .rootCause()
                .isInstanceOf(InvalidCollapsingException.class)
                .hasMessageContaining("Stock.withAspect(String)")
                .hasMessageContaining("LateAspect")
                .hasMessageContaining("earlier order than transactions")
                .hasMessageContaining("@EnableTransactionManagement(order = ...)");
    }

    @Validated
    static class Validated0 {

        @CollapseBatch(method = "namesOf")
        public String name(@Positive int id) {
            return namesOf(List.of(id)).get(id);
        }

        @Transactional
        public Map<Integer, String> namesOf(List<Integer> ids) {
            return ids.stream().collect(Collectors.toMap(id -> id, id -> "name " + id));
        }
    }

    static class ValidatedInATransaction extends Validated0 {

        @Override
        @Transactional
        public String name(int id) {
            return super.name(id);
        }
    }

    static class Validation {

        /** As Spring Boot makes it. */
        @Bean
        static MethodValidationPostProcessor methodValidation() {
            return processor(false);
        }

        static MethodValidationPostProcessor processor(boolean first) {
            MethodValidationPostProcessor processor = new MethodValidationPostProcessor();
            processor.setProxyTargetClass(true);
            processor.setBeforeExistingAdvisors(first);
            processor.setValidator(Jakarta.validator());
            return processor;
        }
    }

    static class ValidationFirst {

        @Bean
        static MethodValidationPostProcessor methodValidation() {
            return Validation.processor(true);
        }
    }

    private static final class Jakarta {

        static Validator validator() {
            return jakarta.validation.Validation.byDefaultProvider()
                    .configure()
                    .messageInterpolator(new ParameterMessageInterpolator()) // no expression language is here
                    .buildValidatorFactory()
                    .getValidator();
        }
    }

    @Test
    void transactionOutsideOfTheValidationOfArgumentsIsRefusedWithARemedyThatHelps() {
        Throwable failure =
                catchThrowable(() -> Application.start(ValidatedInATransaction.class, Validation.class, Database.class)
                        .close());
        assertThat(failure)
                .rootCause()
                .isInstanceOf(InvalidCollapsingException.class)
                .hasMessageContaining("MethodValidationInterceptor")
                .hasMessageContaining("setBeforeExistingAdvisors(true)")
                .hasMessageContaining("another bean")
                .hasMessageNotContaining("@Order(0)");
        try (Application application =
                Application.start(ValidatedInATransaction.class, ValidationFirst.class, Database.class)) {
            ValidatedInATransaction bean = application.get(ValidatedInATransaction.class);
            assertThat(bean.name(7)).isEqualTo("name 7");
            assertThatThrownBy(() -> bean.name(-7)).isInstanceOf(ConstraintViolationException.class);
        }
    }

    @Test
    void validationOfAMethodThatBeginsNoTransactionCollapses() {
        try (Application application = Application.start(Validated0.class, Validation.class, Database.class)) {
            Validated0 bean = application.get(Validated0.class);
            assertThat(bean.name(7)).isEqualTo("name 7");
            assertThatThrownBy(() -> bean.name(-7)).isInstanceOf(ConstraintViolationException.class);
        }
    }

    @Test
    void transactionOfTheLastOrderIsGivenNoLaterOne() {
        Throwable failure = catchThrowable(() ->
                Application.start(Stock.class, Database.class, LateAspect.class).close());
        assertThat(failure)
                .rootCause()
                .isInstanceOf(InvalidCollapsingException.class)
                .hasMessageContaining("@Order(0)")
                .hasMessageNotContaining("EnableTransactionManagement");
    }

    static class Filtered {

        @Collapsible
        @PostFilter("filterObject == authentication.name")
        public List<String> all(String item) {
            return List.of(item);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Filtering {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor postFilter() {
            return new PostFilterAuthorizationMethodInterceptor();
        }
    }

    /** As applications have it, where Spring Security hides the class of its advice. */
    @Configuration(proxyBeanMethods = false)
    @EnableMethodSecurity
    static class MethodSecurity {}

    @ParameterizedTest
    @ValueSource(classes = {Filtering.class, MethodSecurity.class})
    void filterThatChangesTheSharedAnswerStopsTheStart(Class<?> security) {
        Throwable failure = catchThrowable(() ->
                Application.start(Filtered.class, security, Database.class).close());
        assertThat(failure)
                .rootCause()
                .isInstanceOf(InvalidCollapsingException.class)
                .hasMessageContaining("Filtered.all(String)")
                .hasMessageContaining("@PostFilter removes elements");
    }

    @Test
    void cacheInsideOfATransactionIsPartOfTheExecution() throws Exception {
        try (Application application =
                Application.start(Everything.class, Caching.class, TransactionsOutside.class, Security.class)) {
            assertThat(advices(application.get(Everything.class)))
                    .containsSubsequence("Interceptor", "TransactionInterceptor", "CacheInterceptor");
        }
    }
}
