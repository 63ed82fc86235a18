package io.github.collapseexecutor.spring.boot.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import java.net.URI;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpResponse;
import org.springframework.util.StringUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** An application that makes a client for each request shares nothing where each has a transport of its own, and is told so. */
@ExtendWith(OutputCaptureExtension.class)
class ClientsOfEachRequestTests {

    private static final int REQUESTS = 2500;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CollapseExecutorAutoConfiguration.class))
            .withPropertyValues(
                    "collapse.executor.rest-template.apply-bean-names=blocking,blockingOfEach,blockingClient",
                    "collapse.executor.rest-template.collapse-groups[0].uris=/user/*",
                    "collapse.executor.web-client.apply-bean-names=reactive,reactiveOfEach,reactiveClient",
                    "collapse.executor.web-client.collapse-groups[0].uris=/user/*")
            .withUserConfiguration(Builders.class);

    /** Another one each time, which a lambda would not be. */
    private static ClientHttpConnector connector() {
        return new ClientHttpConnector() {
            @Override
            public Mono<ClientHttpResponse> connect(
                    HttpMethod method, URI uri, Function<? super ClientHttpRequest, Mono<Void>> callback) {
                return Mono.empty();
            }
        };
    }

    private void assertSaid(CapturedOutput output, Consumer<ApplicationContext> request, String... names) {
        runner.run(context -> {
            for (int i = 0; i < REQUESTS; i++) {
                request.accept(context);
            }
            assertThat(StringUtils.countOccurrencesOf(output.getAll(), "has led to"))
                    .isEqualTo(names.length);
            for (String name : names) {
                assertThat(output.getAll()).contains(" " + name + " has led to 1000 clients");
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"blockingOfEach", "blockingClient", "reactiveOfEach", "reactiveClient"})
    void beansOfEachRequestAreToldOnce(String name, CapturedOutput output) {
        assertSaid(
                output,
                context -> {
                    Object bean = context.getBean(name);
                    if (bean instanceof RestClient.Builder builder) {
                        builder.build();
                    } else if (bean instanceof WebClient.Builder builder) {
                        builder.build();
                    }
                },
                name);
    }

    @Test
    void transportsOfEachRequestAreToldOnceForTheirBuilder(CapturedOutput output) {
        assertSaid(
                output,
                context -> {
                    context.getBean("blocking", RestClient.Builder.class)
                            .clone()
                            .requestFactory(new SimpleClientHttpRequestFactory())
                            .build();
                    context.getBean("reactive", WebClient.Builder.class)
                            .clone()
                            .clientConnector(connector())
                            .build();
                },
                "blocking",
                "reactive");
    }

    @Test
    void clientsOfOneBuilderWithOneTransportAreNothingToTell(CapturedOutput output) {
        assertSaid(output, context -> {
            context.getBean("blocking", RestClient.Builder.class)
                    .clone()
                    .defaultHeader("X-User", "one")
                    .build();
            context.getBean("reactive", WebClient.Builder.class)
                    .clone()
                    .defaultHeader("X-User", "one")
                    .build();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Builders {

        @Bean
        RestClient.Builder blocking() {
            return blockingOfEach();
        }

        @Bean
        @Scope("prototype")
        RestClient.Builder blockingOfEach() {
            return RestClient.builder().requestFactory(new SimpleClientHttpRequestFactory());
        }

        @Bean
        @Scope("prototype")
        RestClient blockingClient() {
            return blockingOfEach().build();
        }

        @Bean
        WebClient.Builder reactive() {
            return reactiveOfEach();
        }

        @Bean
        @Scope("prototype")
        WebClient.Builder reactiveOfEach() {
            return WebClient.builder().clientConnector(connector());
        }

        @Bean
        @Scope("prototype")
        WebClient reactiveClient() {
            return reactiveOfEach().build();
        }
    }
}
