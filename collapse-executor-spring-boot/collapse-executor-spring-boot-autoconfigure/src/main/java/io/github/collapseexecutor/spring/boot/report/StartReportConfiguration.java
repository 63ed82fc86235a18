package io.github.collapseexecutor.spring.boot.report;

import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import io.github.collapseexecutor.spring.boot.client.AdapterUse;
import io.github.collapseexecutor.spring.boot.cluster.InstanceSharing;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.github.collapseexecutor.spring.boot.registry.MadeExecutors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Has the log tell what collapses, what hardly can, and why a request did not. */
@Configuration(proxyBeanMethods = false)
public final class StartReportConfiguration {

    @Bean
    static AdapterUse collapseAdapterUse() {
        return new AdapterUse();
    }

    @Bean
    @Lazy(false)
    StartReport collapseStartReport(
            CollapseExecutorProperties properties,
            ConfigurableListableBeanFactory beans,
            AdapterUse use,
            HttpSections sections,
            MadeExecutors named,
            ObjectProvider<CollapsingControl> annotated,
            ObjectProvider<InstanceSharing> instances,
            Environment environment) {
        return new StartReport(
                properties,
                beans,
                use,
                sections,
                new UnusedNames(sections, named, annotated),
                new IneffectiveProperties(properties, beans, sections, named, annotated, instances),
                annotated,
                environment);
    }

    @Bean
    ReasonLog collapseReasonLog() {
        return new ReasonLog();
    }
}
