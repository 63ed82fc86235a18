package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.spring.annotation.CollapsingConfiguration;
import io.github.collapseexecutor.spring.annotation.CollapsingObserver;
import io.github.collapseexecutor.spring.annotation.CollapsingSettings;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Lets methods with {@link io.github.collapseexecutor.spring.annotation.Collapsible} and {@link
 * io.github.collapseexecutor.spring.annotation.CollapseBatch} collapse, where spring-aop is on the class path. What stands under {@code
 * collapse.executor} for gathering holds for them too, and every {@link CollapseListener} bean is told of their batches.
 */
@AutoConfiguration(after = CollapseExecutorAutoConfiguration.class)
@ConditionalOnClass(ProxyFactory.class)
@ConditionalOnProperty(
        prefix = CollapseExecutorProperties.PREFIX,
        name = {"enabled", "annotations.enabled"},
        matchIfMissing = true)
@Import(CollapsingConfiguration.class)
public final class CollapseAnnotationsAutoConfiguration {

    /** Created by Spring. */
    public CollapseAnnotationsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    CollapsingSettings collapsingSettings(
            CollapseExecutorProperties properties, ObjectProvider<ContextCarrier> carriers) {
        return new CollapsingSettings(
                OptionsReader.coreOptions(OptionsReader.ANNOTATIONS, properties).toBuilder()
                        .contextCarrier(carriers.orderedStream()
                                .reduce(ContextCarrier::andThen)
                                .orElse(null))
                        .build(),
                properties.annotations().inTransaction());
    }

    @Bean
    @ConditionalOnMissingBean(CollapsingObserver.class)
    ObservedAnnotatedMethods collapsingObserver(
            ObjectProvider<CollapseListener> listeners, ObjectProvider<ExecutorObserver> observers) {
        return new ObservedAnnotatedMethods(listeners, observers);
    }
}
