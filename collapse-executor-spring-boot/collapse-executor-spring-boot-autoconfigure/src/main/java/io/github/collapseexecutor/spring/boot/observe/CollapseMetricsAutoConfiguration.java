package io.github.collapseexecutor.spring.boot.observe;

import io.github.collapseexecutor.cluster.ClusterCalls;
import io.github.collapseexecutor.jdbc.WriteListener;
import io.github.collapseexecutor.spring.boot.CollapseClusterAutoConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Measures collapsing where there is a Micrometer registry: {@link CollapseMeters}, bound to it as Spring Boot binds every {@link
 * MeterBinder}. {@code management.metrics.enable.collapse: false} switches all of these meters off.
 */
@AutoConfiguration(
        after = CollapseClusterAutoConfiguration.class,
        afterName = {
            // Boot 3, then Boot 4
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, MeterBinder.class})
@ConditionalOnBean(MeterRegistry.class)
@Import(MeteredExecutors.class)
public final class CollapseMetricsAutoConfiguration {

    /** Created by Spring. */
    public CollapseMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    CollapseMeters collapseMeters() {
        return new CollapseMeters();
    }

    /** Apart, because an application may be without collapse-executor-jdbc. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WriteListener.class)
    static final class Writes {

        @Bean
        @ConditionalOnMissingBean
        WriteMeters collapseWriteMeters(CollapseMeters meters) {
            return new WriteMeters(meters);
        }
    }

    /** Apart, because an application may be without collapse-executor-redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClusterCalls.class)
    @ConditionalOnSingleCandidate(ClusterCalls.class)
    @Import(ClusterMeters.class)
    static final class Cluster {}
}
