package io.github.collapseexecutor.spring.annotation.config;

import static java.util.Objects.requireNonNullElse;

import io.github.collapseexecutor.spring.annotation.CollapsingObserver;
import io.github.collapseexecutor.spring.annotation.CollapsingSettings;
import io.github.collapseexecutor.spring.annotation.KeyForm;
import io.github.collapseexecutor.spring.annotation.MethodSharing;
import io.github.collapseexecutor.spring.annotation.caller.CallerIdentities;
import io.github.collapseexecutor.spring.annotation.key.KeyForms;
import io.github.collapseexecutor.spring.annotation.method.AnnotatedExecutors;
import io.github.collapseexecutor.spring.annotation.method.AnnotatedMethodReader;
import io.github.collapseexecutor.spring.annotation.method.CallSharing;
import io.github.collapseexecutor.spring.annotation.method.CollapsingBeanPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/** The beans behind {@link EnableCollapsing} and Spring Boot's auto-configuration. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
public final class CollapsingConfiguration {

    /** Created by Spring. */
    public CollapsingConfiguration() {}

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AnnotatedExecutors collapseAnnotatedExecutors(
            ObjectProvider<CollapsingSettings> settings,
            ObjectProvider<CollapsingObserver> observers,
            ConfigurableApplicationContext context) {
        return new AnnotatedExecutors(settings, observers, context);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static BeanPostProcessor collapsingBeanPostProcessor(
            ObjectProvider<AnnotatedExecutors> executors,
            ObjectProvider<MethodSharing> sharing,
            ObjectProvider<KeyForm<?>> forms,
            ConfigurableListableBeanFactory beans) {
        CallerIdentities identities = new CallerIdentities(beans);
        return new CollapsingBeanPostProcessor(
                identities,
                SingletonSupplier.of(() -> new AnnotatedMethodReader(
                        executors.getObject(),
                        identities,
                        new CallSharing(sharing, new KeyForms(forms), beans),
                        value -> requireNonNullElse(beans.resolveEmbeddedValue(value), ""))));
    }
}
