package io.github.collapseexecutor.spring.boot;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.gate.OnEachLine;
import io.github.collapseexecutor.spring.boot.fixture.Backend;
import io.github.collapseexecutor.spring.boot.fixture.BackendCallers;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.util.StreamUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** An application with a Tomcat, the YAML of the documentation, and callers at the same time. */
@OnEachLine
class CollapsingApplicationTests {

    private static final int CALLERS = 12;

    /** How an application calls its backend: the address and the user, if any, give the answer. */
    interface Client extends BiFunction<String, @Nullable String, String> {}

    /** One row for each kind of bean that can collapse. */
    static Stream<Arguments> clients() {
        return Stream.of(
                Arguments.of("RestTemplate", client(NamedClients.class, "restTemplate")),
                Arguments.of("RestClient", client(NamedClients.class, "restClient")),
                Arguments.of("RestClient.Builder of Boot", client(NamedClients.class, "restClientBuilder")),
                Arguments.of("RestTemplate of the documentation", client(DocumentedConfiguration.compiled(), "")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    void callersOfOneAddressShareOneCallInFlight(String name, Setup setup) throws Exception {
        try (Running application = setup.start("--collapse.executor.join=in-flight")) {
            application.callers.add(CALLERS, () -> application.get("/user/2", null));
            assertThat(application.answers()).isEqualTo(nCopies(CALLERS, "user 2 for anybody"));
            assertThat(application.backend.calls()).hasSize(1);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    void callersThatComeDuringACallShareTheNext(String name, Setup setup) throws Exception {
        try (Running application = setup.start("--collapse.executor.max-concurrent-batches=1")) {
            application.callers.add(1, () -> application.get("/user/2", null));
            application.callers.awaitCalls(1);
            application.callers.add(CALLERS - 1, () -> application.get("/user/2", null));
            assertThat(application.answers()).isEqualTo(nCopies(CALLERS, "user 2 for anybody"));
            assertThat(application.backend.calls()).hasSize(2);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("clients")
    void H05_usersAreKeptApart(String name, Setup setup) throws Exception {
        try (Running application = setup.start("--collapse.executor.join=in-flight")) {
            List<String> expected = new ArrayList<>();
            for (String path : List.of("user", "samples")) {
                for (String user : List.of("alice", "bob")) {
                    application.callers.add(CALLERS / 2, () -> application.get("/" + path + "/2", user));
                    expected.addAll(nCopies(CALLERS / 2, path + " 2 for " + user));
                }
            }
            assertThat(application.answers()).isEqualTo(expected);
            // Behind an interceptor, Apache's client, which that configuration finds here, does not show whether it has
            // followed a
            // redirect, so that requests with credentials are each caller's own (H42).
            boolean showsRedirects = setup.configuration() == NamedClients.class;
            assertThat(application.backend.calls())
                    .containsExactlyInAnyOrderElementsOf(
                            showsRedirects
                                    ? List.of(
                                            "user 2 for alice",
                                            "user 2 for bob",
                                            "samples 2 for alice",
                                            "samples 2 for bob")
                                    : expected);
        }
    }

    @Test
    void onlyWhatTheGroupsMatchCollapses() throws Exception {
        try (Running application =
                client(NamedClients.class, "restTemplate").start("--collapse.executor.join=in-flight")) {
            application.callers.add(2, () -> application.get("/user/2", null));
            application.callers.add(2, () -> application.get("/article/2", null));
            application.callers.add(2, () -> application.get("/samples/1", "test"));
            application.callers.add(1, () -> application.get("/samples/1", "demo"));
            application.answers();
            assertThat(application.backend.calls())
                    .containsExactlyInAnyOrder(
                            "user 2 for anybody",
                            "article 2 for anybody",
                            "article 2 for anybody",
                            "samples 1 for test",
                            "samples 1 for demo");
        }
    }

    @Test
    void switchedOffEveryCallerMakesItsOwnCall() throws Exception {
        try (Running application =
                client(DocumentedConfiguration.compiled(), "").start("--collapse.executor.enabled=false")) {
            application.callers.add(3, () -> application.get("/user/2", null));
            assertThat(application.answers()).isEqualTo(nCopies(3, "user 2 for anybody"));
            assertThat(application.backend.calls()).hasSize(3);
        }
    }

    private static Setup client(Class<?> configuration, String applyBeanNames) {
        return new Setup(configuration, applyBeanNames);
    }

    /** An application that is yet to start. */
    record Setup(Class<?> configuration, String applyBeanNames) {

        Running start(String argument) {
            return new Running(
                    new TestApplication()
                            .withServer()
                            .with(Backend.class, configuration)
                            .arguments(argument, "--collapse.executor.rest-template.apply-bean-names=" + applyBeanNames)
                            // a call that a slow machine holds for long is joined all the same
                            .arguments("--collapse.executor.max-wait=10m")
                            .startFrom("classpath:documented.yaml"),
                    applyBeanNames);
        }
    }

    /** An application that runs, and its callers. */
    static final class Running implements AutoCloseable {

        // immutable
        final Backend backend;
        final BackendCallers callers;
        private final ConfigurableApplicationContext context;
        private final Client client;
        private final String address;

        Running(ConfigurableApplicationContext context, String beanName) {
            this.context = context;
            this.backend = context.getBean(Backend.class);
            this.callers = new BackendCallers(backend);
            this.address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
            Object bean = beanName.isEmpty() ? context.getBean(RestTemplate.class) : context.getBean(beanName);
            this.client = bean instanceof RestTemplate template
                    ? through(template)
                    : through(bean instanceof RestClient.Builder builder ? builder.build() : (RestClient) bean);
        }

        String get(String path, @Nullable String user) {
            return client.apply(address + path, user);
        }

        List<String> answers() throws Exception {
            return callers.answersOnceAllHaveArrived();
        }

        @Override
        public void close() {
            backend.release();
            context.close();
        }

        private static Client through(RestTemplate template) {
            return (url, user) -> String.valueOf(template.<String>execute(
                    url,
                    HttpMethod.GET,
                    request -> {
                        if (user != null) {
                            request.getHeaders().set("Authorization", user);
                        }
                    },
                    response -> StreamUtils.copyToString(response.getBody(), StandardCharsets.UTF_8)));
        }

        private static Client through(RestClient restClient) {
            return (url, user) -> String.valueOf(restClient
                    .get()
                    .uri(url)
                    .headers(headers -> {
                        if (user != null) {
                            headers.set("Authorization", user);
                        }
                    })
                    .retrieve()
                    .body(String.class));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamedClients {

        @Bean
        RestTemplate restTemplate() {
            return new RestTemplate();
        }

        @Bean
        RestClient restClient() {
            return RestClient.create();
        }
    }
}
