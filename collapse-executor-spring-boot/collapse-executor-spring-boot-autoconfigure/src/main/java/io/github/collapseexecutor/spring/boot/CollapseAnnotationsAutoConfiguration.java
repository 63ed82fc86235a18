package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.spring.annotation.CollapsingObserver;
import io.github.collapseexecutor.spring.annotation.CollapsingSettings;
import io.github.collapseexecutor.spring.annotation.MethodSharing;
import io.github.collapseexecutor.spring.annotation.config.CollapsingConfiguration;
import io.github.collapseexecutor.spring.boot.cluster.ExecutorSharing;
import io.github.collapseexecutor.spring.boot.cluster.SharingCheck;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.ConditionalOnSwitches;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.registry.ExecutorObserver;
import io.github.collapseexecutor.spring.boot.registry.ObservedExecutors;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Lets methods with {@link io.github.collapseexecutor.spring.annotation.Collapsible} and {@link
 * io.github.collapseexecutor.spring.annotation.CollapseBatch} collapse, where spring-aop is on the class path. The gathering properties under {@code
 * collapse.executor} hold for them too, and those under {@code collapse.executor.executors} for the executors that they name; every {@link
 * CollapseListener} bean is told of their batches.
 */
@AutoConfiguration(after = CollapseExecutorAutoConfiguration.class)
@ConditionalOnClass(ProxyFactory.class)
@ConditionalOnSwitches({"enabled", "annotations.enabled"})
@Import(CollapsingConfiguration.class)
public final class CollapseAnnotationsAutoConfiguration {

    /** Created by Spring. */
    public CollapseAnnotationsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    CollapsingSettings collapsingSettings(
            CollapseExecutorProperties properties, ObjectProvider<ContextCarrier> carriers) {
        ContextCarrier carrier =
                carriers.orderedStream().reduce(ContextCarrier::andThen).orElse(null);
        Map<String, CollapseOptions> named = new LinkedHashMap<>();
        properties
                .executors()
                .keySet()
                .forEach(name -> named.put(name, carried(OptionsReader.coreOptions(name, properties), carrier)));
        return new CollapsingSettings(
                carried(OptionsReader.commonOptions(properties), carrier),
                properties.annotations().inTransaction(),
                named);
    }

    private static CollapseOptions carried(CollapseOptions options, @Nullable ContextCarrier carrier) {
        return options.toBuilder().contextCarrier(carrier).build();
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    MethodSharing collapsingMethodSharing(CollapseExecutorProperties properties, SharingCheck sharing) {
        return new ExecutorSharing(properties, sharing);
    }

    @Bean
    @ConditionalOnMissingBean(value = CollapsingObserver.class, search = SearchStrategy.CURRENT)
    ObservedExecutors collapsingObserver(
            ObjectProvider<CollapseListener> listeners, ObjectProvider<ExecutorObserver> observers) {
        return new ObservedExecutors(listeners, observers);
    }
}
