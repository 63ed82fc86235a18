package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.github.collapseexecutor.http.servlet.CollapseServletFilter;
import io.github.collapseexecutor.http.servlet.FollowerWaiting;
import io.github.collapseexecutor.http.webflux.CollapseWebFilter;
import io.github.collapseexecutor.spring.annotation.CollapsingControl;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.session.WebSessionIdResolver;

/**
 * Turns {@code collapse.executor.*} into a {@link CollapseHttpRequestInterceptor} and a {@link
 * CollapseExchangeFilterFunction} bean, on Spring Boot 3.5 and 4.x.
 *
 * <pre>{@code
 * collapse:
 *   executor:
 *     rest-template:
 *       apply-bean-names: restTemplate
 *       collapse-groups:
 *         - uris: /user/*
 * }</pre>
 *
 * <p>A bean of the application's own of such a type takes its place. The beans that {@code apply-bean-names} names collapse below all
 * their interceptors and filters: a {@code RestTemplate} or {@code RestClient} by a request factory around its own, a
 * {@code WebClient} by a connector around the one that it was given. So does each client that a named builder builds, and the one of
 * each group of HTTP services that {@code apply-http-service-groups} names. A client
 * that shows neither gets an interceptor or filter of its own, behind all others.
 *
 * <p>To any other client the application adds the interceptor or the filter itself, as the last one. <b>These beans have
 * prototype scope: every injection point gets an instance of its own, and each instance belongs to one client.</b> A bean that
 * is injected with one and makes several clients takes {@link CollapseHttpRequestInterceptor#forAnotherClient()} or
 * {@link CollapseExchangeFilterFunction#forAnotherClient()} for each.
 *
 * <p>A {@link CollapseServletFilter} is registered as the last filter of a servlet application if its section has a group.
 * Its followers give their threads back if every filter in front is known to bear that, and wait on their threads otherwise.
 *
 * <p>A {@link CollapseWebFilter} is a web filter of a reactive application, by default the last one.
 *
 * <p>Without a group, or where {@code collapse.executor.enabled} or the section's own {@code enabled} is
 * false, the bean is still there and lets every request pass, so that a switch never breaks the wiring.
 *
 * <p>Every {@link CollapseListener} bean is told of the batches, and every {@link HttpCollapseListener} bean of the requests, of all
 * of these; in the order of the beans. Every {@link ContextCarrier} bean is a carrier of all of these; of
 * several, the first is the outermost. {@link CollapseControl}
 * switches sections and groups off and on again.
 * {@link CollapseSections} treats an adapter of the application's own likewise, {@link NamedExecutors} an executor.
 *
 * <p>Where contexts have parents, every one that is auto-configured has sections, adapters and a control of its own. The
 * properties are those of the outermost: Spring Boot binds a class of properties once.
 *
 * <p>An unknown key, a value that is not allowed, a policy or a bean that does not exist stops the start with a message
 * that names the property, its value and what is allowed.
 */
@AutoConfiguration
@EnableConfigurationProperties(CollapseExecutorProperties.class)
@Import({StartReportConfiguration.class, ServiceGroupsConfiguration.class})
public final class CollapseExecutorAutoConfiguration {

    private static final Log logger = LogFactory.getLog(CollapseExecutorAutoConfiguration.class);

    static final String NAMED_EXECUTORS = "collapseNamedExecutors";

    /** Created by Spring. */
    public CollapseExecutorAutoConfiguration() {}

    /** The executors that the application makes by name. */
    @Bean(name = NAMED_EXECUTORS, destroyMethod = "close")
    @Lazy(false)
    NamedExecutors collapseNamedExecutors(
            CollapseExecutorProperties properties,
            ObjectProvider<ContextCarrier> carriers,
            ObjectProvider<CollapseListener> listeners,
            ObjectProvider<ExecutorObserver> observers,
            ObjectProvider<InstanceSharing> instances,
            Environment environment) {
        return new NamedExecutors(
                properties,
                carriers,
                new ObservedExecutors(listeners, observers),
                new ExecutorSharing(properties, new SharingCheck(properties, instances, environment)));
    }

    @Bean
    static BeansByName collapseNamedExecutorBeans(Environment environment) {
        requireSection(environment);
        Artifact.requireForPropertiesOf(environment);
        return new BeansByName(
                environment, OptionsReader.EXECUTORS, HttpSections.OF_PROPERTIES, NAMED_EXECUTORS, "callables");
    }

    /** {@code collapse.executor: false} is no switch: Spring Boot would bind nothing, without a word, and everything would be on. */
    private static void requireSection(Environment environment) {
        String value = environment.getProperty(CollapseExecutorProperties.PREFIX, "");
        if (!value.isBlank()) {
            throw new InvalidCollapsePropertyException(
                    CollapseExecutorProperties.PREFIX,
                    value,
                    CollapseFailureAnalyzer.SECTION_WITH_VALUE,
                    "Put its keys below it, for example " + CollapseExecutorProperties.PREFIX + ".enabled: false.");
        }
    }

    @Bean
    HttpSections collapseHttpSections(
            ObjectProvider<CollapseListener> batchListeners,
            ObjectProvider<HttpCollapseListener> requestListeners,
            ObjectProvider<SectionObserver> observers,
            ObjectProvider<ContextCarrier> carriers) {
        return new HttpSections(batchListeners, requestListeners, observers, carriers);
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    CollapseSections collapseSections(HttpSections sections) {
        return new CollapseSections(sections);
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    CollapseControl collapseControl(
            HttpSections sections,
            ObjectProvider<CollapsingControl> annotated,
            ObjectProvider<InstanceSharing> instances) {
        return new CollapseControl(sections, annotated, instances);
    }

    /** Applies where Spring's HTTP clients are on the class path. Nothing here is lazy: what is wrong must stop the start. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClientHttpRequestInterceptor.class)
    static final class RestTemplateConfiguration {

        @Bean
        @Lazy(false)
        @ConditionalOnMissingBean(value = CollapseHttpRequestInterceptor.class, search = SearchStrategy.CURRENT)
        ClientAdapters.Options<CollapseHttpRequestInterceptor> collapseHttpRequestInterceptorOptions(
                CollapseExecutorProperties properties, HttpSections sections, RestClientSharing sharing) {
            sharing.clients().check();
            return configured(
                    sections,
                    OptionsReader.REST_TEMPLATE,
                    properties,
                    properties.restTemplate(),
                    (http, core) -> new ClientAdapters.Options<>(
                            http,
                            core,
                            SectionClients.ofRestTemplate(properties),
                            CollapseHttpRequestInterceptor::new));
        }

        @Bean
        RestClientSharing collapseRestClientSharing(
                CollapseExecutorProperties properties,
                ObjectProvider<InstanceSharing> instances,
                ConfigurableListableBeanFactory beans,
                Environment environment) {
            return new RestClientSharing(new ClientSharing(
                    OptionsReader.REST_TEMPLATE,
                    properties.restTemplate(),
                    SectionClients.ofRestTemplate(properties).described(),
                    properties,
                    new SharingCheck(properties, instances, environment),
                    beans,
                    environment));
        }

        /** One for each injection point (H35): every client needs an instance of its own. */
        @Bean
        @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        CollapseHttpRequestInterceptor collapseHttpRequestInterceptor(
                ClientAdapters.Options<CollapseHttpRequestInterceptor> options) {
            return options.ofOthers();
        }

        @Bean
        ClientAdapters<CollapsingRestClients> collapseRestClientAdapters(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<CollapseHttpRequestInterceptor> interceptor,
                ObjectProvider<RestClientSharing> sharing) {
            return new ClientAdapters<>(
                    beans,
                    AdapterUse.INTERCEPTOR + "Options",
                    interceptor,
                    () -> sharing.getObject().clients(),
                    CollapsingRestClients::new);
        }

        @Bean
        static NamedRestClientPostProcessor collapseNamedBeanPostProcessor(
                BeanFactory beans,
                ObjectProvider<CollapseExecutorProperties> properties,
                ObjectProvider<ClientAdapters<CollapsingRestClients>> adapters) {
            return new NamedRestClientPostProcessor(beans, properties, adapters);
        }

        @Bean
        @Lazy(false)
        NamedBeansCheck collapseNamedBeansCheck(
                CollapseExecutorProperties properties,
                ConfigurableListableBeanFactory beans,
                ClientAdapters<CollapsingRestClients> adapters) {
            return new NamedBeansCheck(SectionClients.ofRestTemplate(properties), beans, adapters);
        }
    }

    /** Applies where WebClient is on the class path. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ExchangeFilterFunction.class)
    static final class WebClientConfiguration {

        @Bean
        @Lazy(false)
        @ConditionalOnMissingBean(value = CollapseExchangeFilterFunction.class, search = SearchStrategy.CURRENT)
        ClientAdapters.Options<CollapseExchangeFilterFunction> collapseExchangeFilterFunctionOptions(
                CollapseExecutorProperties properties, HttpSections sections, WebClientSharing sharing) {
            sharing.clients().check();
            return configured(
                    sections,
                    OptionsReader.WEB_CLIENT,
                    properties,
                    properties.webClient(),
                    (http, core) -> new ClientAdapters.Options<>(
                            http, core, SectionClients.ofWebClient(properties), CollapseExchangeFilterFunction::new));
        }

        /** One for each injection point (H35): every client needs an instance of its own. */
        @Bean
        @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        CollapseExchangeFilterFunction collapseExchangeFilterFunction(
                ClientAdapters.Options<CollapseExchangeFilterFunction> options) {
            return options.ofOthers();
        }

        @Bean
        ClientAdapters<CollapsingWebClients> collapseWebClientAdapters(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<CollapseExchangeFilterFunction> filter,
                ObjectProvider<WebClientSharing> sharing) {
            return new ClientAdapters<>(
                    beans,
                    AdapterUse.FILTER_FUNCTION + "Options",
                    filter,
                    () -> sharing.getObject().clients(),
                    CollapsingWebClients::new);
        }

        @Bean
        WebClientSharing collapseWebClientSharing(
                CollapseExecutorProperties properties,
                ObjectProvider<InstanceSharing> instances,
                ConfigurableListableBeanFactory beans,
                Environment environment) {
            return new WebClientSharing(new ClientSharing(
                    OptionsReader.WEB_CLIENT,
                    properties.webClient(),
                    SectionClients.ofWebClient(properties).described(),
                    properties,
                    new SharingCheck(properties, instances, environment),
                    beans,
                    environment));
        }

        @Bean
        static NamedWebClientPostProcessor collapseNamedWebClientPostProcessor(
                BeanFactory beans,
                ObjectProvider<CollapseExecutorProperties> properties,
                ObjectProvider<ClientAdapters<CollapsingWebClients>> adapters) {
            return new NamedWebClientPostProcessor(beans, properties, adapters);
        }

        @Bean
        @Lazy(false)
        NamedWebClientsCheck collapseNamedWebClientsCheck(
                CollapseExecutorProperties properties, ConfigurableListableBeanFactory beans) {
            return new NamedWebClientsCheck(SectionClients.ofWebClient(properties), beans);
        }
    }

    /** Applies to a server of servlets. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
    static final class ServletConfiguration {

        private static final String VIRTUAL = OptionsReader.SERVLET + ".thread-pool.virtual.enabled";

        @Bean
        @Lazy(false)
        @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
        CollapseServletFilter collapseServletFilter(
                CollapseExecutorProperties properties, HttpSections sections, ListableBeanFactory beans) {
            CollapseExecutorProperties.Servlet section = properties.servlet();
            return configured(
                    sections,
                    OptionsReader.SERVLET,
                    properties,
                    section,
                    (http, core) -> CollapseServletFilter.builder(http)
                            .core(OptionsReader.withBatchSize(OptionsReader.SERVLET, section.batchSize(), core))
                            .waiting(waiting(section, beans))
                            .dispatcher(dispatcher(section))
                            .followerListener(ObservedRoutes.listener())
                            .build());
        }

        private static Function<ServletContext, FollowerWaiting> waiting(
                CollapseExecutorProperties.Servlet section, ListableBeanFactory beans) {
            FiltersInFront filters = new FiltersInFront(beans, OptionsReader.asyncSafeFilters(section));
            return switch (section.waiting()) {
                case AUTO -> filters::waitingIn;
                case BLOCK -> context -> FollowerWaiting.BLOCK;
                case ASYNC -> context -> FollowerWaiting.ASYNC;
            };
        }

        /** Decides at the start, when every filter is registered, so that the log tells of it before a request comes. */
        @Bean
        ApplicationListener<ContextRefreshedEvent> collapseServletWaiting(
                CollapseExecutorProperties properties, ObjectProvider<CollapseServletFilter> filter) {
            return refreshed -> {
                if (isServed(properties)) {
                    filter.ifAvailable(CollapseServletFilter::waiting);
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
        static class TomcatConfiguration {

            @Bean
            static TomcatProcessorCache collapseTomcatProcessorCache(
                    Environment environment, ObjectProvider<CollapseServletFilter> filter) {
                return new TomcatProcessorCache(environment, filter);
            }
        }

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

        /** Registers it as the last filter, behind those without an order too: a request that they refuse is not answered. */
        @Bean
        FilterRegistrationBean<CollapseServletFilter> collapseServletFilterRegistration(
                CollapseExecutorProperties properties, CollapseServletFilter filter, HttpSections sections) {
            FilterRegistrationBean<CollapseServletFilter> registration = new FilterRegistrationBean<>(filter);
            registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
            registration.setOrder(Ordered.LOWEST_PRECEDENCE);
            registration.setMatchAfter(true);
            boolean isTheApplications = sections.find("servlet") == null; // which knows what its own filter collapses
            registration.setEnabled(isTheApplications ? properties.enabled() : isServed(properties));
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
            return configured(sections, OptionsReader.WEBFLUX, properties, section, (http, core) -> {
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

    private static <T> T configured(
            HttpSections sections,
            String property,
            CollapseExecutorProperties properties,
            HttpSection section,
            BiFunction<HttpCollapseOptions, CollapseOptions, T> adapter) {
        return sections.configured(property, properties, section, (http, core) -> {
            warnOfSharing(property, http);
            return adapter.apply(http, core);
        });
    }

    private static void warnOfSharing(String property, HttpCollapseOptions options) {
        options.rules().stream()
                .map(CollapseRule::policy)
                .filter(CollapsePolicy::shareAcrossUsers)
                .map(CollapsePolicy::name)
                .distinct()
                .forEach(name -> logger.warn("Policy " + name + " of " + property
                        + " shares across users: one user may be answered with a response to another"));
    }
}
