package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

/** Makes the HTTP service groups collapse that {@code apply-http-service-groups} names. */
@Configuration(proxyBeanMethods = false)
final class ServiceGroupsConfiguration {

    /** Applies where Spring's HTTP clients are on the class path; a name is refused where there are no groups. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClientHttpRequestInterceptor.class)
    static final class OfRestClient {

        @Bean
        @Lazy(false)
        ServiceGroups<RestClient.Builder> collapseRestClientServiceGroups(
                CollapseExecutorProperties properties,
                ClientAdapters<CollapsingRestClients> adapters,
                ConfigurableListableBeanFactory beans) {
            return new ServiceGroups<>(CollapsingRestClients.FAMILY, properties, adapters, beans);
        }

        /** Applies to Spring Framework 7. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(name = ServiceGroupConfigurer.OF_REST_CLIENT)
        static final class Configurer {

            @Bean
            static ServiceGroupConfigurer<?> collapseRestClientServiceGroupConfigurer(
                    ObjectProvider<ServiceGroups<RestClient.Builder>> all) {
                return ServiceGroupConfigurer.of(ServiceGroupConfigurer.OF_REST_CLIENT, all::getObject);
            }
        }
    }

    /** Applies where WebClient is on the class path; a name is refused where there are no groups. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ExchangeFilterFunction.class)
    static final class OfWebClient {

        @Bean
        @Lazy(false)
        ServiceGroups<WebClient.Builder> collapseWebClientServiceGroups(
                CollapseExecutorProperties properties,
                ClientAdapters<CollapsingWebClients> adapters,
                ConfigurableListableBeanFactory beans) {
            return new ServiceGroups<>(CollapsingWebClients.FAMILY, properties, adapters, beans);
        }

        /** Applies to Spring Framework 7. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(name = ServiceGroupConfigurer.OF_WEB_CLIENT)
        static final class Configurer {

            @Bean
            static ServiceGroupConfigurer<?> collapseWebClientServiceGroupConfigurer(
                    ObjectProvider<ServiceGroups<WebClient.Builder>> all) {
                return ServiceGroupConfigurer.of(ServiceGroupConfigurer.OF_WEB_CLIENT, all::getObject);
            }
        }
    }
}
