package io.github.collapseexecutor.spring.boot;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.CollapseGroup;
import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.client.ClientHttpRequestInterceptor;

/**
 * Turns {@code collapse.executor.*} into a {@link CollapseHttpRequestInterceptor} bean, on Spring Boot 3.5 and 4.x.
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
 * <p>A bean of the application's own of that type takes its place. The beans that {@code apply-bean-names} names get the
 * interceptor as their last one; to any other {@code RestTemplate} or {@code RestClient} the application adds it, likewise
 * behind those that set headers.
 *
 * <p>Without a group, or where {@code collapse.executor.enabled} or {@code collapse.executor.rest-template.enabled} is
 * false, the interceptor is still there and lets every request pass, so that a switch never breaks the wiring.
 *
 * <p>An unknown key, a value that is not allowed, a policy or a bean that does not exist stops the start with a message
 * that names the property, its value and what is allowed.
 */
@AutoConfiguration
@EnableConfigurationProperties(CollapseExecutorProperties.class)
public final class CollapseExecutorAutoConfiguration {

    private static final Log logger = LogFactory.getLog(CollapseExecutorAutoConfiguration.class);

    /** Created by Spring. */
    public CollapseExecutorAutoConfiguration() {}

    /** Applies where Spring's HTTP clients are on the class path. Nothing here is lazy: what is wrong must stop the start. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClientHttpRequestInterceptor.class)
    static final class RestTemplateConfiguration {

        @Bean
        @Lazy(false)
        @ConditionalOnMissingBean
        CollapseHttpRequestInterceptor collapseHttpRequestInterceptor(CollapseExecutorProperties properties) {
            if (!properties.collapsesRestTemplates()) {
                return new CollapseHttpRequestInterceptor(
                        HttpCollapseOptions.builder().build(), CollapseOptions.defaults());
            }
            HttpCollapseOptions options = OptionsReader.httpOptions(properties.restTemplate());
            warnOfSharing(options);
            return new CollapseHttpRequestInterceptor(options, OptionsReader.coreOptions(properties));
        }

        @Bean
        static NamedBeanPostProcessor collapseNamedBeanPostProcessor(
                ObjectProvider<CollapseExecutorProperties> properties,
                ObjectProvider<CollapseHttpRequestInterceptor> interceptor) {
            return new NamedBeanPostProcessor(properties, interceptor);
        }

        @Bean
        @Lazy(false)
        NamedBeansCheck collapseNamedBeansCheck(
                CollapseExecutorProperties properties,
                ConfigurableListableBeanFactory beans,
                CollapseHttpRequestInterceptor interceptor) {
            List<String> names = properties.collapsesRestTemplates()
                    ? properties.restTemplate().applyBeanNames()
                    : List.of();
            return new NamedBeansCheck(names, beans, interceptor);
        }

        private static void warnOfSharing(HttpCollapseOptions options) {
            options.groups().stream()
                    .map(CollapseGroup::policy)
                    .filter(CollapsePolicy::shareAcrossUsers)
                    .map(CollapsePolicy::name)
                    .distinct()
                    .forEach(name -> logger.warn("Policy " + name + " of " + OptionsReader.REST_TEMPLATE
                            + " shares across users: one user may be answered with a response to another"));
        }
    }
}
