package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.http.HttpCollapseOptions;
import io.github.collapseexecutor.http.client.CollapseHttpRequestInterceptor;
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
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Which beans {@code apply-bean-names} reaches, and where in their chain the interceptor stands. */
class NamedBeansTests {

    private static final ClientHttpRequestInterceptor TOKEN =
            (request, body, execution) -> execution.execute(request, body);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CollapseExecutorAutoConfiguration.class))
            .withUserConfiguration(Clients.class);

    @Test
    void namedBeansGetTheInterceptorAsTheirLastOne() {
        runner.withPropertyValues(named("template,client,builder,lazyTemplate,product"))
                .run(context -> {
                    assertCollapsesBehindToken(
                            context.getBean("template", RestTemplate.class).getInterceptors());
                    assertThat(context.getBean("lazyTemplate", RestTemplate.class)
                                    .getInterceptors())
                            .hasExactlyElementsOfTypes(CollapseHttpRequestInterceptor.class);
                    assertThat(context.getBean("product", RestTemplate.class).getInterceptors())
                            .hasExactlyElementsOfTypes(CollapseHttpRequestInterceptor.class);
                    assertCollapsesBehindToken(interceptors(context.getBean("client", RestClient.class)));
                    RestClient.Builder builder = context.getBean("builder", RestClient.Builder.class);
                    assertCollapsesBehindToken(
                            interceptors(builder.requestInterceptor(TOKEN).build()));
                });
    }

    @Test
    void H35_everyInjectionPointAndEveryNamedClientGetsAnInterceptorOfItsOwn() {
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
        List<ClientHttpRequestInterceptor> found = new ArrayList<>();
        for (String template : List.of("template", "lazyTemplate", "product", "byHand", "other")) {
            found.addAll(context.getBean(template, RestTemplate.class).getInterceptors());
        }
        found.addAll(interceptors(context.getBean("client", RestClient.class)));
        RestClient.Builder builder = context.getBean("builder", RestClient.Builder.class);
        found.addAll(interceptors(builder.build()));
        found.addAll(interceptors(builder.build()));
        found.addAll(interceptors(builder.clone().build()));
        found.removeIf(TOKEN::equals);
        assertThat(found)
                .hasSize(9)
                .doesNotHaveDuplicates()
                .allMatch(CollapseHttpRequestInterceptor.class::isInstance)
                .doesNotContain(context.getBean(CollapseHttpRequestInterceptor.class));
    }

    @Test
    void otherBeansAreLeftAsTheyAre() {
        runner.withPropertyValues(named("template")).run(context -> {
            assertThat(context.getBean("lazyTemplate", RestTemplate.class).getInterceptors())
                    .isEmpty();
            assertThat(interceptors(context.getBean("client", RestClient.class)))
                    .containsExactly(TOKEN);
            assertThat(interceptors(
                            context.getBean("builder", RestClient.Builder.class).build()))
                    .isEmpty();
        });
    }

    @Test
    void interceptorsThatAreAddedWhileTheApplicationStartsComeBefore() {
        runner.withPropertyValues(named("template"))
                .withUserConfiguration(LateToken.class)
                .run(context -> {
                    List<ClientHttpRequestInterceptor> interceptors =
                            context.getBean("template", RestTemplate.class).getInterceptors();
                    assertThat(interceptors).hasSize(3).startsWith(TOKEN, TOKEN);
                    assertThat(interceptors.get(2)).isInstanceOf(CollapseHttpRequestInterceptor.class);
                });
    }

    @Test
    void interceptorThatWasInjectedByHandIsNotAddedTwice() {
        runner.withPropertyValues(named("byHand"))
                .withUserConfiguration(ByHand.class)
                .run(context -> assertCollapsesBehindToken(
                        context.getBean("byHand", RestTemplate.class).getInterceptors()));
    }

    @Test
    void interceptorOfTheApplicationsOwnTakesThePlace() {
        runner.withPropertyValues(named("template"))
                .withUserConfiguration(OwnInterceptor.class)
                .run(context -> {
                    assertThat(context)
                            .getBeanNames(CollapseHttpRequestInterceptor.class)
                            .containsExactly("own");
                    assertCollapsesBehindToken(
                            context.getBean("template", RestTemplate.class).getInterceptors());
                });
    }

    @Test
    void switchedOffNothingIsAppliedAndNothingIsMissing() {
        for (String property : List.of("collapse.executor.enabled", "collapse.executor.rest-template.enabled")) {
            runner.withPropertyValues(named("template,none"), property + "=false")
                    .run(context -> {
                        assertThat(context).hasSingleBean(CollapseHttpRequestInterceptor.class);
                        assertThat(context.getBean("template", RestTemplate.class)
                                        .getInterceptors())
                                .containsExactly(TOKEN);
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
                .run(context -> assertCollapsesBehindToken(
                        context.getBean("template", RestTemplate.class).getInterceptors()));
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

    private static void assertCollapsesBehindToken(List<ClientHttpRequestInterceptor> interceptors) {
        assertThat(interceptors).hasSize(2).startsWith(TOKEN);
        assertThat(interceptors.get(1)).isInstanceOf(CollapseHttpRequestInterceptor.class);
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
    static class LateToken {

        @Bean
        SmartInitializingSingleton late(ApplicationContext context) {
            return () -> context.getBean("template", RestTemplate.class)
                    .getInterceptors()
                    .add(TOKEN);
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
