package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Has the log tell what collapses, what hardly can, and why a request did not. */
@Configuration(proxyBeanMethods = false)
final class StartReportConfiguration {

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
            NamedExecutors named,
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

    /** Applies to a server of servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
    static final class Servlet {

        @Bean
        @Lazy(false)
        FilterRegistrationsCheck collapseFilterRegistrationsCheck(ListableBeanFactory beans) {
            return new FilterRegistrationsCheck(beans);
        }
    }
}
