package io.github.collapseexecutor.spring.boot.client;

import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import io.github.collapseexecutor.spring.boot.config.OptionsReader;
import io.github.collapseexecutor.spring.boot.config.SectionClients;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
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
        ServiceGroups<RestClient.Builder> collapseRestClientServiceGroups(
                CollapseExecutorProperties properties, ClientAdapters<CollapsingRestClients> adapters) {
            SectionClients clients = SectionClients.ofRestTemplate(properties);
            return new ServiceGroups<>(clients, RestClient.Builder.class, new ServiceGroups.Kind<RestClient.Builder>() {
                @Override
                public void change(RestClient.Builder builder, String group) {
                    adapters.ofServiceGroup(group).changeInPlace(builder);
                }

                @Override
                public boolean isChanged(RestClient.Builder builder) {
                    return CollapsingRestClients.isIn(builder.clone().build());
                }

                @Override
                public String client() {
                    return "RestClient";
                }

                @Override
                public String otherSection() {
                    return OptionsReader.WEB_CLIENT;
                }
            });
        }

        @Bean
        @Lazy(false)
        SmartInitializingSingleton collapseRestClientServiceGroupsCheck(
                ServiceGroups<RestClient.Builder> all, ConfigurableListableBeanFactory beans) {
            return () -> all.check(beans);
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
        ServiceGroups<WebClient.Builder> collapseWebClientServiceGroups(
                CollapseExecutorProperties properties, ClientAdapters<CollapsingWebClients> adapters) {
            SectionClients clients = SectionClients.ofWebClient(properties);
            return new ServiceGroups<>(clients, WebClient.Builder.class, new ServiceGroups.Kind<WebClient.Builder>() {
                @Override
                public void change(WebClient.Builder builder, String group) {
                    adapters.ofServiceGroup(group).changeInPlace(builder);
                }

                @Override
                public boolean isChanged(WebClient.Builder builder) {
                    return CollapsingWebClients.isIn(builder.clone().build());
                }

                @Override
                public String client() {
                    return "WebClient";
                }

                @Override
                public String otherSection() {
                    return OptionsReader.REST_TEMPLATE;
                }
            });
        }

        @Bean
        @Lazy(false)
        SmartInitializingSingleton collapseWebClientServiceGroupsCheck(
                ServiceGroups<WebClient.Builder> all, ConfigurableListableBeanFactory beans) {
            return () -> all.check(beans);
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
