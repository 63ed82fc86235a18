package io.github.collapseexecutor.spring.boot.server;

import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import io.github.collapseexecutor.http.servlet.FollowerWaiting;
import io.github.collapseexecutor.http.webflux.CollapseWebFilter;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.InvalidCollapsePropertyException;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.session.WebSessionIdResolver;

/** Makes the servers of Spring collapse: by a filter of Servlet, or one of WebFlux. */
@Configuration(proxyBeanMethods = false)
public final class ServersConfiguration {

    /** Applies to a server of servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
    @Import(FilterRegistrationsCheck.class)
    static final class ServletConfiguration {

        private static final String REGISTRATION = "collapseServletFilterRegistration";
        private static final ResolvableType REGISTRATION_TYPE =
                ResolvableType.forClassWithGenerics(FilterRegistrationBean.class, CollapseServletFilter.class);
        private static final String VIRTUAL = OptionsReader.SERVLET + ".thread-pool.virtual.enabled";

        @Bean
        @Lazy(false)
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        CollapseServletFilter collapseServletFilter(
                CollapseExecutorProperties properties,
                HttpSections sections,
                ListableBeanFactory beans,
                Environment environment) {
            CollapseExecutorProperties.Servlet section = properties.servlet();
            return sections.configured(
                    OptionsReader.SERVLET,
                    properties,
                    section,
                    (http, core) -> CollapseServletFilter.builder(http)
                            .core(OptionsReader.withBatchSize(OptionsReader.SERVLET, section.batchSize(), core))
                            .waiting(waiting(section, beans, threadsAreVirtual(environment)))
                            .dispatcher(dispatcher(section))
                            .followerListener(ObservedRoutes.listener())
                            .build());
        }

        /** As Spring Boot decides; its own class for that has moved between the lines. */
        private static boolean threadsAreVirtual(Environment environment) {
            return Runtime.version().feature() >= 21
                    && environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false);
        }

        private static Function<ServletContext, FollowerWaiting> waiting(
                CollapseExecutorProperties.Servlet section, ListableBeanFactory beans, boolean threadsAreVirtual) {
            FiltersInFront filters =
                    new FiltersInFront(beans, OptionsReader.asyncSafeFilters(section), threadsAreVirtual);
            return switch (section.waiting()) {
                case AUTO -> filters::waitingIn;
                case BLOCK -> context -> FollowerWaiting.BLOCK;
                case ASYNC -> context -> FollowerWaiting.ASYNC;
            };
        }

        /** Decides at the start, when every filter is registered, so that the log tells of it before a request comes. */
        @Bean
        ApplicationListener<ContextRefreshedEvent> collapseServletWaiting(
                CollapseExecutorProperties properties,
                ObjectProvider<CollapseServletFilter> filter,
                HttpSections sections,
                @Qualifier(REGISTRATION) FilterRegistrationBean<CollapseServletFilter> registration) {
            return refreshed -> {
                if (isServed(properties)) {
                    filter.ifAvailable(CollapseServletFilter::waiting);
                    HttpSections.Section section = sections.find("servlet");
                    if (section != null
                            && registration.isEnabled()
                            && refreshed.getApplicationContext() instanceof WebApplicationContext web) {
                        AnsweringFilters.warn(
                                web.getServletContext(),
                                section.http().rules().stream()
                                        .flatMap(rule -> rule.patterns().stream())
                                        .toList());
                    }
                }
            };
        }

        /** Applies to an embedded Tomcat. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(
                name = {
                    "org.springframework.boot.web.server.WebServerFactoryCustomizer",
                    "org.apache.catalina.startup.Tomcat"
                })
        @Import(TomcatProcessorCache.class)
        static class TomcatConfiguration {}

        private static boolean isServed(CollapseExecutorProperties properties) {
            return properties.collapses(properties.servlet())
                    && !properties.servlet().collapseGroups().isEmpty();
        }

        private static Executor dispatcher(CollapseExecutorProperties.Servlet section) {
            if (!section.threadPool().virtual().enabled()) {
                return Runnable::run;
            }
            try {
                return new VirtualThreadTaskExecutor("collapse-");
            } catch (UnsupportedOperationException e) {
                throw new InvalidCollapsePropertyException(
                        VIRTUAL,
                        true,
                        "this version of Java has no virtual threads",
                        "Run on Java 21 or newer, or remove the property.",
                        e);
            }
        }

        /**
         * Registers it as the last filter, behind those without an order too: a request that they refuse is not answered. An application that
         * registers it itself decides where it stands.
         */
        @Bean(REGISTRATION)
        FilterRegistrationBean<CollapseServletFilter> collapseServletFilterRegistration(
                CollapseExecutorProperties properties,
                CollapseServletFilter filter,
                HttpSections sections,
                ConfigurableListableBeanFactory beans) {
            FilterRegistrationBean<CollapseServletFilter> registration = new FilterRegistrationBean<>(filter);
            registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
            registration.setOrder(Ordered.LOWEST_PRECEDENCE);
            registration.setMatchAfter(true);
            boolean isTheApplications = sections.find("servlet") == null; // which knows what its own filter collapses
            boolean isRegistered = Stream.of(beans.getBeanNamesForType(REGISTRATION_TYPE, false, false))
                    .anyMatch(name -> !name.equals(REGISTRATION) && beans.containsBeanDefinition(name));
            registration.setEnabled(!isRegistered && (isTheApplications ? properties.enabled() : isServed(properties)));
            return registration;
        }
    }

    /** Applies to a reactive server. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(WebFilter.class)
    static final class WebfluxConfiguration {

        /** Spring calls every web filter that is a bean, in its order; one without a group lets every request pass. */
        @Bean
        @Lazy(false)
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        CollapseWebFilter collapseWebFilter(
                CollapseExecutorProperties properties,
                HttpSections sections,
                ObjectProvider<WebSessionIdResolver> sessionIds) {
            CollapseExecutorProperties.Webflux section = properties.webflux();
            return sections.configured(OptionsReader.WEBFLUX, properties, section, (http, core) -> {
                CollapseWebFilter.Builder filter = CollapseWebFilter.builder(http)
                        .core(OptionsReader.withBatchSize(OptionsReader.WEBFLUX, section.batchSize(), core));
                if (section.order() != null) {
                    filter.order(section.order());
                }
                sessionIds.ifUnique(filter::sessionIdResolver);
                return filter.build();
            });
        }
    }
}
