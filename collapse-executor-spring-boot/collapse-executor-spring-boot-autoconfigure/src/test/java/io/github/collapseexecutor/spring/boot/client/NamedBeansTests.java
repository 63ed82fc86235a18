package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseClientHttpRequestFactory;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.config.CollapseExecutorProperties;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Which beans {@code apply-bean-names} reaches, and that each collapses below all its interceptors. */
class NamedBeansTests {

    private static final ClientHttpRequestInterceptor TOKEN =
            (request, body, execution) -> execution.execute(request, body);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CollapseExecutorAutoConfiguration.class))
            .withUserConfiguration(Clients.class);

    @Test
    void namedBeansCollapseBelowTheirInterceptors() {
        runner.withPropertyValues(named("template,client,builder,lazyTemplate,product"))
                .run(context -> {
                    assertCollapsesBelow(context.getBean("template", RestTemplate.class), TOKEN);
                    assertCollapsesBelow(context.getBean("lazyTemplate", RestTemplate.class));
                    assertCollapsesBelow(context.getBean("product", RestTemplate.class));
                    assertCollapsesBelow(context.getBean("client", RestClient.class), TOKEN);
                    RestClient.Builder builder = context.getBean("builder", RestClient.Builder.class);
                    assertCollapsesBelow(builder.requestInterceptor(TOKEN).build(), TOKEN);
                });
    }

    @Test
    void H35_everyNamedClientGetsARequestFactoryOfItsOwn() {
        runner.withPropertyValues(named("template,lazyTemplate,product,client,builder,byHand,other"))
                .withUserConfiguration(ByHand.class)
                .run(context -> assertNoneTwice(context));
    }

    @Test
    void H35_oneInterceptorOfTheApplicationsOwnIsSharedByNoTwoNamedClients() {
        runner.withPropertyValues(named("template,lazyTemplate,product,client,builder,byHand,other"))
                .withUserConfiguration(OwnInterceptor.class, ByHand.class)
                .run(context -> assertNoneTwice(context));
    }

    private static void assertNoneTwice(ApplicationContext context) {
        List<ClientHttpRequestFactory> found = new ArrayList<>();
        for (String name : List.of("template", "lazyTemplate", "product", "byHand", "other")) {
            RestTemplate template = context.getBean(name, RestTemplate.class);
            assertThat(template.getInterceptors()).noneMatch(CollapseHttpRequestInterceptor.class::isInstance);
            found.add(OwnRequestFactory.of(template));
        }
        RestClient.Builder builder = context.getBean("builder", RestClient.Builder.class);
        for (RestClient client : List.of(context.getBean("client", RestClient.class), builder.build())) {
            assertThat(interceptors(client)).noneMatch(CollapseHttpRequestInterceptor.class::isInstance);
            found.add(OwnRequestFactory.of(client));
        }
        assertThat(found)
                .hasSize(7)
                .doesNotHaveDuplicates()
                .hasOnlyElementsOfType(CollapseClientHttpRequestFactory.class);
    }

    @Test
    void anAliasNamesItsBean() {
        runner.withPropertyValues(named("otherTemplate,otherClient,otherBuilder"))
                .withUserConfiguration(Aliases.class)
                .run(context -> {
                    assertCollapsesBelow(context.getBean("aliasedTemplate", RestTemplate.class), TOKEN);
                    assertCollapsesBelow(context.getBean("aliasedClient", RestClient.class), TOKEN);
                    RestClient.Builder builder = context.getBean("aliasedBuilder", RestClient.Builder.class);
                    assertCollapsesBelow(builder.build());
                });
    }

    @Test
    void otherBeansAreLeftAsTheyAre() {
        runner.withPropertyValues(named("template")).run(context -> {
            RestTemplate lazyTemplate = context.getBean("lazyTemplate", RestTemplate.class);
            assertThat(lazyTemplate.getInterceptors()).isEmpty();
            assertThat(OwnRequestFactory.of(lazyTemplate)).isNotInstanceOf(CollapseClientHttpRequestFactory.class);
            RestClient client = context.getBean("client", RestClient.class);
            assertThat(interceptors(client)).containsExactly(TOKEN);
            assertThat(CollapsingRestClients.isIn(client)).isFalse();
            RestClient built =
                    context.getBean("builder", RestClient.Builder.class).build();
            assertThat(interceptors(built)).isEmpty();
            assertThat(CollapsingRestClients.isIn(built)).isFalse();
        });
    }

    @Test
    void interceptorsThatAreAddedWhileTheApplicationStartsComeBefore() {
        runner.withPropertyValues(named("template"))
                .withUserConfiguration(LateToken.class)
                .run(context -> assertCollapsesBelow(context.getBean("template", RestTemplate.class), TOKEN, TOKEN));
    }

    @Test
    void requestFactoryThatIsSetWhileTheApplicationStartsCollapses() {
        runner.withPropertyValues(named("template"))
                .withUserConfiguration(LateRequestFactory.class)
                .run(context -> {
                    RestTemplate template = context.getBean("template", RestTemplate.class);
                    assertCollapsesBelow(template, TOKEN);
                    CollapseClientHttpRequestFactory own =
                            (CollapseClientHttpRequestFactory) OwnRequestFactory.of(template);
                    assertThat(own.getDelegate()).isInstanceOf(JdkClientHttpRequestFactory.class);
                });
    }

    @Test
    void collapsingRequestFactoryThatTheApplicationHasSetStays() {
        runner.withPropertyValues(named("prepared"))
                .withUserConfiguration(OwnRequestFactories.class)
                .run(context -> {
                    RestTemplate template = context.getBean("prepared", RestTemplate.class);
                    assertThat(OwnRequestFactory.of(template))
                            .isSameAs(context.getBean(CollapseClientHttpRequestFactory.class));
                });
    }

    @Test
    void interceptorThatWasInjectedByHandIsReplaced() {
        runner.withPropertyValues(named("byHand"))
                .withUserConfiguration(ByHand.class)
                .run(context -> assertCollapsesBelow(context.getBean("byHand", RestTemplate.class), TOKEN));
    }

    @Test
    void interceptorOfTheApplicationsOwnGivesItsOptions() {
        runner.withPropertyValues(named("template"))
                .withUserConfiguration(OwnInterceptor.class)
                .run(context -> {
                    assertThat(context)
                            .getBeanNames(CollapseHttpRequestInterceptor.class)
                            .containsExactly("own");
                    assertCollapsesBelow(context.getBean("template", RestTemplate.class), TOKEN);
                });
    }

    @Test
    void switchedOffNothingIsAppliedAndNothingIsMissing() {
        for (String property : List.of("collapse.executor.enabled", "collapse.executor.rest-template.enabled")) {
            runner.withPropertyValues(named("template,none"), property + "=false")
                    .run(context -> {
                        assertThat(context).hasSingleBean(CollapseHttpRequestInterceptor.class);
                        RestTemplate template = context.getBean("template", RestTemplate.class);
                        assertThat(template.getInterceptors()).containsExactly(TOKEN);
                        assertThat(OwnRequestFactory.of(template))
                                .isNotInstanceOf(CollapseClientHttpRequestFactory.class);
                    });
        }
    }

    @Test
    void clientThatWasCreatedTooEarlyStopsTheStart() {
        runner.withPropertyValues(named("client"))
                .withUserConfiguration(EarlyClient.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(
                                "apply-bean-names[0], value \"client\": the bean of this name was created"));
    }

    @Test
    void templateThatWasCreatedTooEarlyCollapsesAllTheSame() {
        runner.withPropertyValues(named("template"))
                .withUserConfiguration(EarlyTemplate.class)
                .run(context -> assertCollapsesBelow(context.getBean("template", RestTemplate.class), TOKEN));
    }

    @Test
    void withoutSpringsHttpClientsTheApplicationStarts() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(CollapseExecutorAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.http", "org.springframework.web"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(CollapseExecutorProperties.class)
                        .doesNotHaveBean("collapseHttpRequestInterceptor"));
    }

    private static void assertCollapsesBelow(RestTemplate template, ClientHttpRequestInterceptor... interceptors) {
        assertThat(template.getInterceptors()).containsExactly(interceptors);
        assertThat(OwnRequestFactory.of(template)).isInstanceOf(CollapseClientHttpRequestFactory.class);
    }

    private static void assertCollapsesBelow(RestClient client, ClientHttpRequestInterceptor... interceptors) {
        assertThat(interceptors(client)).containsExactly(interceptors);
        assertThat(OwnRequestFactory.of(client)).isInstanceOf(CollapseClientHttpRequestFactory.class);
    }

    private static String named(String names) {
        return "collapse.executor.rest-template.apply-bean-names=" + names;
    }

    private static List<ClientHttpRequestInterceptor> interceptors(RestClient client) {
        List<ClientHttpRequestInterceptor> found = new ArrayList<>();
        client.mutate().requestInterceptors(found::addAll);
        return found;
    }

    private static RestTemplate templateWithToken() {
        RestTemplate template = new RestTemplate();
        template.getInterceptors().add(TOKEN);
        return template;
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        static RestTemplate template() {
            return templateWithToken();
        }

        @Bean
        @Lazy
        RestTemplate lazyTemplate() {
            return new RestTemplate();
        }

        @Bean
        static RestClient client() {
            return RestClient.builder().requestInterceptor(TOKEN).build();
        }

        @Bean
        @Scope("prototype")
        RestClient.Builder builder() {
            return RestClient.builder();
        }

        @Bean
        FactoryBean<RestTemplate> product() {
            return new FactoryBean<>() {
                @Override
                public RestTemplate getObject() {
                    return new RestTemplate();
                }

                @Override
                public Class<?> getObjectType() {
                    return RestTemplate.class;
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Aliases {

        @Bean({"aliasedTemplate", "otherTemplate"})
        RestTemplate aliasedTemplate() {
            return templateWithToken();
        }

        @Bean({"aliasedClient", "otherClient"})
        RestClient aliasedClient() {
            return RestClient.builder().requestInterceptor(TOKEN).build();
        }

        @Bean({"aliasedBuilder", "otherBuilder"})
        RestClient.Builder aliasedBuilder() {
            return RestClient.builder();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LateToken {

        @Bean
        SmartInitializingSingleton late(ApplicationContext context) {
            return () -> context.getBean("template", RestTemplate.class)
                    .getInterceptors()
                    .add(TOKEN);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LateRequestFactory {

        @Bean
        SmartInitializingSingleton late(ApplicationContext context) {
            return () -> context.getBean("template", RestTemplate.class)
                    .setRequestFactory(new JdkClientHttpRequestFactory());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRequestFactories {

        @Bean
        CollapseClientHttpRequestFactory requestFactory(CollapseHttpRequestInterceptor collapsing) {
            return collapsing.requestFactory(new JdkClientHttpRequestFactory());
        }

        @Bean
        RestTemplate prepared(CollapseClientHttpRequestFactory requestFactory) {
            return new RestTemplate(requestFactory);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByHand {

        @Bean
        RestTemplate byHand(CollapseHttpRequestInterceptor interceptor) {
            RestTemplate template = new RestTemplate();
            template.getInterceptors().addAll(List.of(interceptor, TOKEN));
            return template;
        }

        @Bean
        RestTemplate other(CollapseHttpRequestInterceptor interceptor) {
            RestTemplate template = new RestTemplate();
            template.getInterceptors().add(interceptor);
            return template;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnInterceptor {

        @Bean
        CollapseHttpRequestInterceptor own() {
            return new CollapseHttpRequestInterceptor(
                    HttpCollapseOptions.builder().build(), CollapseOptions.defaults());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyClient {

        @Bean
        static Early early(RestClient client) {
            return new Early();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EarlyTemplate {

        @Bean
        static Early early(RestTemplate template) {
            return new Early();
        }
    }

    static final class Early implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }
    }
}
