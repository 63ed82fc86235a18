package io.github.collapseexecutor.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

/** Calls that never happened are not counted as calls by {@code http.client.requests}. */
class CollapsedKeyValueTests {

    private static final String YAML = """
            collapse:
              executor:
                join: in-flight
                max-wait: 10m
                rest-template:
                  apply-bean-names: restTemplate
                  collapse-groups:
                    - uris: /user/*
            """;

    @Configuration(proxyBeanMethods = false)
    static class Observed {

        @Bean
        SimpleMeterRegistry simpleMeterRegistry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        RestTemplate restTemplate(ObservationRegistry registry) {
            RestTemplate template = new RestTemplate();
            template.setObservationRegistry(registry);
            return template;
        }
    }

    @Test
    void followersAreMarkedAndCallsThatWereMadeAreNot() throws Exception {
        try (ConfigurableApplicationContext context = new TestApplication()
                .withServer()
                .with(Backend.class, Observed.class)
                .start(YAML)) {
            Backend backend = context.getBean(Backend.class);
            RestTemplate client = context.getBean(RestTemplate.class);
            String address = "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
            Callers callers = new Callers(backend);
            callers.add(3, () -> String.valueOf(client.getForObject(address + "/user/1", String.class)));
            callers.add(2, () -> String.valueOf(client.getForObject(address + "/other/1", String.class)));
            assertThat(callers.answersOnceAllHaveArrived()).hasSize(5);
            MeterRegistry registry = context.getBean(SimpleMeterRegistry.class);
            assertThat(requests(registry, "true"))
                    .as("answered by another's call")
                    .isEqualTo(2);
            assertThat(requests(registry, "false"))
                    .as("sent")
                    .isEqualTo(backend.calls().size())
                    .isEqualTo(3);
        }
    }

    private static long requests(MeterRegistry registry, String collapsed) {
        Collection<Timer> timers = registry.find("http.client.requests")
                .tag("collapsed", collapsed)
                .timers();
        return timers.stream().mapToLong(Timer::count).sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.micrometer.observation", "org.springframework.http.client.observation"})
    void withoutTheLibraryNothingIsMarked(String missing) {
        runner().withClassLoader(new FilteredClassLoader(missing))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("collapseCollapsedKeyValue"));
    }

    @Test
    void withoutARegistryNothingIsMarked() {
        runner().run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CollapsedKeyValue.class));
        runner().withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(CollapsedKeyValue.class));
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CollapseExecutorAutoConfiguration.class, CollapseObservationAutoConfiguration.class))
                .withPropertyValues("collapse.executor.rest-template.collapse-groups[0].uris=/user/*");
    }
}
