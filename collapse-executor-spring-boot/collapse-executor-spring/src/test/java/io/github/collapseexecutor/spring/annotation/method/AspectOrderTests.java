package io.github.collapseexecutor.spring.annotation.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import io.github.collapseexecutor.LoggedEvents;
import io.github.collapseexecutor.spring.annotation.Application;
import io.github.collapseexecutor.spring.annotation.CollapseBatch;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.InvalidCollapsingException;
import io.github.collapseexecutor.spring.annotation.lab.LabTransactions;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.annotation.Observed;
import io.micrometer.observation.aop.ObservedAspect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Collapsing among aspects of AspectJ, which have no order and so stand inside of transactions. */
class AspectOrderTests {

    static class Prices {

        @Collapsible
        @Transactional
        @Observed(name = "price")
        public String price(String item) {
            return item + " in a transaction: " + TransactionSynchronizationManager.isActualTransactionActive();
        }
    }

    static class Names {

        @CollapseBatch(method = "names")
        @Transactional
        @Observed(name = "name")
        public String name(Long id) {
            return "name " + id;
        }

        @Transactional
        public Map<Long, String> names(List<Long> ids) {
            return ids.stream().collect(Collectors.toMap(id -> id, id -> "name " + id));
        }
    }

    static class Counted {

        @Collapsible
        @Transactional
        public String counted(String item) {
            return item;
        }
    }

    @Aspect
    static class Counter {

        @Around("execution(* counted(..))")
        public Object count(ProceedingJoinPoint call) throws Throwable {
            return call.proceed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAspectJAutoProxy(proxyTargetClass = true)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Aspects {

        static final List<String> OBSERVED = Collections.synchronizedList(new ArrayList<>());

        @Bean
        PlatformTransactionManager transactionManager() {
            return new LabTransactions();
        }

        @Bean
        static Counter counter() {
            return new Counter();
        }

        @Bean
        static ObservedAspect observedAspect() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(new ObservationHandler<>() {

                @Override
                public void onStop(Observation.Context context) {
                    OBSERVED.add(context.getName());
                }

                @Override
                public boolean supportsContext(Observation.Context context) {
                    return true;
                }
            });
            return new ObservedAspect(registry);
        }
    }

    @Test
    void methodThatMicrometerObservesInsideOfItsTransactionIsCollapsed() {
        Aspects.OBSERVED.clear();
        try (Application application = Application.start(Prices.class, Aspects.class)) {
            assertThat(application.get(Prices.class).price("tea")).isEqualTo("tea in a transaction: true");
            assertThat(application
                            .executor("aspectOrderTests.Prices.price")
                            .counts()
                            .callers())
                    .isZero();
            assertThat(Aspects.OBSERVED).containsExactly("price");
        }
    }

    @Test
    void observationThatABatchRunsWithoutIsNamed() {
        try (LoggedEvents logged = new LoggedEvents(LostAdvice.class, Level.WARN);
                Application application = Application.start(Names.class, Aspects.class)) {
            assertThat(application.get(Names.class).name(7L)).isEqualTo("name 7");
            assertThat(logged.messages())
                    .singleElement()
                    .asString()
                    .contains("Names.name(Long)", "Names.names(List)", ObservedAspect.class.getName())
                    .doesNotContain("TransactionInterceptor");
        }
    }

    @Test
    void aspectInsideOfTheTransactionIsNamedByItsClass() {
        Throwable failure = catchThrowable(
                () -> Application.start(Counted.class, Aspects.class).close());
        assertThat(failure)
                .rootCause()
                .isInstanceOf(InvalidCollapsingException.class)
                .hasMessageContaining("begins outside of " + Counter.class.getName())
                .hasMessageContaining("@Order(0)");
    }
}
