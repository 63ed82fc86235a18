package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.http.reactive.CollapseExchangeFilterFunction;
import io.github.collapseexecutor.spring.boot.cluster.SharingCheck;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.ProxyBean;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

/** Makes the clients of Spring collapse: by an adapter for each injection point, and the clients that the properties name. */
@Configuration(proxyBeanMethods = false)
public final class ClientsConfiguration {

    /** Applies where Spring's HTTP clients are on the class path. Nothing here is lazy: what is wrong must stop the start. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClientHttpRequestInterceptor.class)
    static final class RestTemplateConfiguration {

        @Bean
        @Lazy(false)
        @ConditionalOnMissingBean(value = CollapseHttpRequestInterceptor.class, search = SearchStrategy.CURRENT)
        ClientAdapters.Options<CollapseHttpRequestInterceptor> collapseHttpRequestInterceptorOptions(
                HttpSections sections, ClientAdapters<CollapsingRestClients> adapters) {
            return adapters.options(sections, CollapseHttpRequestInterceptor::new);
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
                CollapseExecutorProperties properties,
                ObjectProvider<CollapseHttpRequestInterceptor> interceptor,
                SharingCheck sharing) {
            return new ClientAdapters<>(
                    beans,
                    AdapterUse.INTERCEPTOR + "Options",
                    interceptor,
                    new ClientSharing(SectionClients.ofRestTemplate(properties), sharing, beans),
                    CollapsingRestClients::new,
                    CollapsingRestClients::new);
        }

        @Bean
        static NamedClientPostProcessor<CollapsingRestClients> collapseNamedBeanPostProcessor(
                BeanFactory beans,
                ObjectProvider<CollapseExecutorProperties> properties,
                ObjectProvider<ClientAdapters<CollapsingRestClients>> adapters) {
            return new NamedClientPostProcessor<>(CollapsingRestClients.FAMILY, beans, properties, adapters);
        }

        @Bean
        @Lazy(false)
        NamedBeans<CollapsingRestClients> collapseNamedBeansCheck(ClientAdapters<CollapsingRestClients> adapters) {
            return new NamedBeans<>(CollapsingRestClients.FAMILY, adapters);
        }

        @Bean
        @Lazy(false)
        ServiceGroups<RestClient.Builder> collapseRestClientServiceGroups(
                ClientAdapters<CollapsingRestClients> adapters) {
            return new ServiceGroups<>(CollapsingRestClients.FAMILY, adapters);
        }

        /** Applies to Spring Framework 7. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(name = ServiceGroupConfigurer.OF_REST_CLIENT)
        static final class Configurer {

            @Bean
            static BeanFactoryPostProcessor collapseRestClientServiceGroupConfigurerType() {
                return ProxyBean.typed(
                        "collapseRestClientServiceGroupConfigurer", ServiceGroupConfigurer.OF_REST_CLIENT);
            }

            @Bean
            static ProxyBean<?> collapseRestClientServiceGroupConfigurer(
                    ObjectProvider<ServiceGroups<RestClient.Builder>> all) {
                return ServiceGroupConfigurer.of(ServiceGroupConfigurer.OF_REST_CLIENT, all::getObject);
            }
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
                HttpSections sections, ClientAdapters<CollapsingWebClients> adapters) {
            return adapters.options(sections, CollapseExchangeFilterFunction::new);
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
                CollapseExecutorProperties properties,
                ObjectProvider<CollapseExchangeFilterFunction> filter,
                SharingCheck sharing) {
            return new ClientAdapters<>(
                    beans,
                    AdapterUse.FILTER_FUNCTION + "Options",
                    filter,
                    new ClientSharing(SectionClients.ofWebClient(properties), sharing, beans),
                    CollapsingWebClients::new,
                    CollapsingWebClients::new);
        }

        @Bean
        static NamedClientPostProcessor<CollapsingWebClients> collapseNamedWebClientPostProcessor(
                BeanFactory beans,
                ObjectProvider<CollapseExecutorProperties> properties,
                ObjectProvider<ClientAdapters<CollapsingWebClients>> adapters) {
            return new NamedClientPostProcessor<>(CollapsingWebClients.FAMILY, beans, properties, adapters);
        }

        @Bean
        @Lazy(false)
        NamedBeans<CollapsingWebClients> collapseNamedWebClientsCheck(ClientAdapters<CollapsingWebClients> adapters) {
            return new NamedBeans<>(CollapsingWebClients.FAMILY, adapters);
        }

        @Bean
        @Lazy(false)
        ServiceGroups<WebClient.Builder> collapseWebClientServiceGroups(ClientAdapters<CollapsingWebClients> adapters) {
            return new ServiceGroups<>(CollapsingWebClients.FAMILY, adapters);
        }

        /** Applies to Spring Framework 7. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(name = ServiceGroupConfigurer.OF_WEB_CLIENT)
        static final class Configurer {

            @Bean
            static BeanFactoryPostProcessor collapseWebClientServiceGroupConfigurerType() {
                return ProxyBean.typed("collapseWebClientServiceGroupConfigurer", ServiceGroupConfigurer.OF_WEB_CLIENT);
            }

            @Bean
            static ProxyBean<?> collapseWebClientServiceGroupConfigurer(
                    ObjectProvider<ServiceGroups<WebClient.Builder>> all) {
                return ServiceGroupConfigurer.of(ServiceGroupConfigurer.OF_WEB_CLIENT, all::getObject);
            }
        }
    }
}
