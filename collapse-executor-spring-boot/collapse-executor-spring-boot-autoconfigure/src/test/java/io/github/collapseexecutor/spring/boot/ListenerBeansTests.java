package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.fixture.Backend;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** Listener beans are told by the adapters of every section, in their order. */
class ListenerBeansTests {

    private static final String YAML = """
            collapse:
              executor:
                %s:
                  %s
                  collapse-groups:
                    - uris: /user/*
            """;

    @Configuration(proxyBeanMethods = false)
    static class Listeners {

        // immutable
        final List<String> told = new CopyOnWriteArrayList<>();

        @Bean
        @Order(2)
        CollapseListener second() {
            return batch -> tell("second", batch);
        }

        @Bean
        @Order(1)
        CollapseListener first() {
            return batch -> {
                tell("first", batch);
                throw new IllegalStateException("a broken listener");
            };
        }

        private void tell(String listener, BatchSummary batch) {
            told.add(listener + " " + batch.executor() + " " + batch.size());
        }

        @Bean
        @Order(2)
        HttpCollapseListener secondOfRequests() {
            return ofRequests("second");
        }

        @Bean
        @Order(1)
        HttpCollapseListener firstOfRequests() {
            return ofRequests("first");
        }

        private HttpCollapseListener ofRequests(String listener) {
            return new HttpCollapseListener() {
                @Override
                public void requestNotCollapsed(@Nullable CollapseRule rule, Reason reason, String method, URI uri) {
                    told.add(listener + " " + reason);
                }
            };
        }

        @Bean
        RestTemplate restTemplate() {
            return new RestTemplate();
        }

        @Bean
        RestClient restClient() {
            return RestClient.create();
        }

        @Bean
        WebClient webClient() {
            return WebClient.create();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rest-template, restTemplate",
        "rest-template, restClient",
        "web-client, webClient",
        "servlet, ",
    })
    void theyAreToldInTheirOrder(String section, @Nullable String client) {
        String names = client == null ? "enabled: true" : "apply-bean-names: " + client;
        try (ConfigurableApplicationContext context = new TestApplication()
                .withServer()
                .with(Backend.class, Listeners.class)
                .start(YAML.formatted(section, names))) {
            context.getBean(Backend.class).release();
            String address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
            BiFunction<String, String, String> caller = callerOf(context, client);
            assertThat(caller.apply(address, "/user/1")).isEqualTo("user 1 for anybody");
            List<String> told = context.getBean(Listeners.class).told;
            await().untilAsserted(() ->
                    assertThat(told).containsExactly("first " + section + " 1", "second " + section + " 1"));
            assertThat(caller.apply(address, "/other/1")).isEqualTo("other 1 for anybody");
            assertThat(told).endsWith("first NOT_CONFIGURED", "second NOT_CONFIGURED");
        }
    }

    private static BiFunction<String, String, String> callerOf(
            ConfigurableApplicationContext context, @Nullable String client) {
        Object bean = client == null ? new RestTemplate() : context.getBean(client);
        if (bean instanceof RestTemplate template) {
            return (address, path) -> String.valueOf(template.getForObject(address + path, String.class));
        }
        if (bean instanceof RestClient restClient) {
            return (address, path) -> String.valueOf(
                    restClient.get().uri(address + path).retrieve().body(String.class));
        }
        WebClient webClient = (WebClient) bean;
        return (address, path) -> String.valueOf(webClient
                .get()
                .uri(address + path)
                .retrieve()
                .bodyToMono(String.class)
                .block());
    }
}
