package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** Tests of an application that put something else in the place of a client that {@code apply-bean-names} names. */
class ReplacedClientsTests {

    private static final String REST = "collapse.executor.rest-template.";
    private static final String WEB = "collapse.executor.web-client.";

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(CollapseExecutorAutoConfiguration.class)
    static class Application {

        @Bean
        RestClient restClient() {
            return RestClient.create();
        }

        @Bean
        RestTemplate restTemplate() {
            return new RestTemplate();
        }

        @Bean
        WebClient webClient() {
            return WebClient.create();
        }
    }

    /** A test of the application's as Spring prepares it. */
    @ContextConfiguration(classes = Application.class)
    @TestPropertySource(
            properties = {
                REST + "apply-bean-names=restClient,restTemplate",
                REST + "collapse-groups[0].uris=/user/*",
                WEB + "apply-bean-names=webClient",
                WEB + "collapse-groups[0].uris=/user/*"
            })
    abstract static class OfApplication {

        @Autowired
        RestClient restClient;

        @Autowired
        RestTemplate restTemplate;

        @Autowired
        WebClient webClient;
    }

    private static <T> T prepared(T test) throws Exception {
        new TestContextManager(test.getClass()).prepareTestInstance(test);
        return test;
    }

    /** A client that has no request factory, as a mock has none. */
    static final class Mock extends RestTemplate {

        static final Mock THE_MOCK = new Mock();

        @Override
        @SuppressWarnings("NullAway") // as a mock answers
        public ClientHttpRequestFactory getRequestFactory() {
            return null;
        }
    }

    static class Replacing extends OfApplication {

        static final RestClient OTHER = RestClient.create();
        static final WebClient ANOTHER = WebClient.create();

        @TestBean(name = "restClient", methodName = "other")
        RestClient replaced;

        @TestBean(name = "webClient", methodName = "another")
        WebClient replacedToo;

        @TestBean(name = "restTemplate", methodName = "mock")
        RestTemplate mock;

        static RestClient other() {
            return OTHER;
        }

        static WebClient another() {
            return ANOTHER;
        }

        static RestTemplate mock() {
            return Mock.THE_MOCK;
        }
    }

    @Test
    void aMockThatATestPutsInThePlaceOfANamedClientStays() throws Exception {
        Replacing test = prepared(new Replacing());
        assertThat(test.restClient).isSameAs(Replacing.OTHER);
        assertThat(test.webClient).isSameAs(Replacing.ANOTHER);
        assertThat(test.restTemplate).isSameAs(Mock.THE_MOCK);
    }

    static class ReplacingOne extends OfApplication {

        @TestBean(name = "restTemplate", methodName = "other")
        RestTemplate replaced;

        static RestTemplate other() {
            return new RestTemplate(new JdkClientHttpRequestFactory());
        }
    }

    @Test
    void besideAReplacedClientTheOthersCollapse() throws Exception {
        ReplacingOne test = prepared(new ReplacingOne());
        assertThat(CollapsingRestClients.isIn(test.restClient)).isTrue();
        assertThat(CollapsingWebClients.isIn(test.webClient)).isTrue();
        assertThat(OwnRequestFactory.of(test.restTemplate)).isInstanceOf(JdkClientHttpRequestFactory.class);
    }

    /** Puts another object in the place of each client, at the moment and with the priority that a spy of a test comes with. */
    @Configuration(proxyBeanMethods = false)
    static class Spies {

        static final class Spying implements BeanPostProcessor, PriorityOrdered {

            private RestClient spiedClient = RestClient.create();
            private WebClient spiedWebClient = WebClient.create();

            @Override
            public int getOrder() {
                return Ordered.HIGHEST_PRECEDENCE;
            }

            @Override
            public Object postProcessAfterInitialization(Object bean, String beanName) {
                if (bean instanceof RestClient client) {
                    spiedClient = client.mutate().build();
                    return spiedClient;
                }
                if (bean instanceof WebClient client) {
                    spiedWebClient = client.mutate().build();
                    return spiedWebClient;
                }
                return bean;
            }
        }

        @Bean
        static Spying spying() {
            return new Spying();
        }
    }

    @ContextConfiguration(classes = Spies.class)
    static class Spied extends OfApplication {

        @Autowired
        Spies.Spying spying;
    }

    @Test
    void aSpyOfANamedClientStaysAndCollapses() throws Exception {
        Spied test = prepared(new Spied());
        assertThat(test.restClient).isSameAs(test.spying.spiedClient);
        assertThat(CollapsingRestClients.isIn(test.restClient)).isTrue();
        assertThat(test.webClient).isSameAs(test.spying.spiedWebClient);
        assertThat(CollapsingWebClients.isIn(test.webClient)).isTrue();
    }
}
