package io.github.collapseexecutor.spring.annotation.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.annotation.Application;
import io.github.collapseexecutor.spring.annotation.Burst;
import io.github.collapseexecutor.spring.annotation.Collapsible;
import io.github.collapseexecutor.spring.annotation.Gate;
import io.github.collapseexecutor.spring.annotation.RetryOfThisLine;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.authorization.method.AuthorizationManagerBeforeMethodInterceptor;
import org.springframework.security.core.context.SecurityContextHolder;

/** A retry, by Spring Retry or by Spring Framework 7, is part of the execution that callers share. */
class RetryOrderTests {

    static class Unreliable {

        // immutable
        private final Gate gate;

        Unreliable(Gate gate) {
            this.gate = gate;
        }

        @Collapsible(name = "unreliable")
        public String call(String item) {
            gate.pass(item);
            if (gate.executions().size() % 3 != 0) {
                throw new IllegalStateException("not yet");
            }
            return "answer " + item;
        }

        @Collapsible(name = "secured")
        @PreAuthorize("hasAuthority('READ')")
        public String secured(String item) {
            gate.pass(item);
            return item;
        }
    }

    /** Makes proxies, as Spring's own post-processors do, with the retry that this line of Spring has. */
    @Configuration(proxyBeanMethods = false)
    static class Retrying {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultAdvisorAutoProxyCreator proxies() {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(true);
            return creator;
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor retry() throws Exception {
            NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
            pointcut.setMappedNames("call", "secured");
            return new DefaultPointcutAdvisor(pointcut, RetryOfThisLine.interceptor());
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

    @Test
    void callersShareTheRetriesOfAnExecution() throws Exception {
        try (Application application = Application.start(Unreliable.class, Retrying.class)) {
            Unreliable unreliable = application.get(Unreliable.class);
            Gate gate = application.get(Gate.class);
            List<String> answers =
                    Burst.of(20, gate, application.executor("unreliable"), index -> () -> unreliable.call("tea"));
            assertThat(answers).containsOnly("answer tea");
            assertThat(gate.executions())
                    .as("two executions of three attempts each")
                    .hasSize(6);
        }
    }

    @Test
    void collapsingStandsBetweenSecurityAndRetry() {
        try (Application application = Application.start(Unreliable.class, Retrying.class, Security.class)) {
            Advised proxy = (Advised) application.get(Unreliable.class);
            List<String> advices = Arrays.stream(proxy.getAdvisors())
                    .map(advisor -> advisor.getAdvice().getClass().getName())
                    .toList();
            assertThat(advices.indexOf(AuthorizationManagerBeforeMethodInterceptor.class.getName()))
                    .isLessThan(advices.lastIndexOf(CollapsingAdvisor.class.getName() + "$Interceptor"));
            assertThat(advices.get(advices.size() - 1)).contains(".retry.");
            SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("ann", "", "READ"));
            assertThat(application.get(Unreliable.class).secured("tea")).isEqualTo("tea");
        } finally {
            SecurityContextHolder.clearContext();
        }
    }
}
