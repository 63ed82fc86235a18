package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.http.CollapsePolicy;
import io.github.collapseexecutor.http.CollapseRule;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.Reason;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.fixture.Backend;
import io.github.collapseexecutor.spring.boot.fixture.BackendCallers;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.observation.ClientRequestObservationContext;
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
            BackendCallers callers = new BackendCallers(backend);
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

    @ParameterizedTest
    @CsvSource({
        "FOLLOWER, ANSWERED, true",
        "FOLLOWER, FAILED, true",
        "FOLLOWER, TIMED_OUT, false",
        "FOLLOWER, CANCELLED, false",
        "LEADER, ANSWERED, false",
        "ALONE, ANSWERED, false",
    })
    void onlyACallerWithTheAnswerOfAnothersCallIsMarked(
            HttpCallSummary.Role role, HttpCallSummary.Outcome outcome, String collapsed) throws Exception {
        try (Attempts attempts = new Attempts()) {
            attempts.end(role, outcome);
            assertThat(attempts.collapsed()).isEqualTo(collapsed);
        }
    }

    /** A client that tries again within one observation, as an interceptor in front does. */
    @Test
    void theLastAttemptCounts() throws Exception {
        try (Attempts attempts = new Attempts()) {
            attempts.end(HttpCallSummary.Role.FOLLOWER, HttpCallSummary.Outcome.FAILED);
            attempts.end(HttpCallSummary.Role.LEADER, HttpCallSummary.Outcome.ANSWERED);
            assertThat(attempts.collapsed()).as("sent at last").isEqualTo("false");
            attempts.end(HttpCallSummary.Role.FOLLOWER, HttpCallSummary.Outcome.ANSWERED);
            assertThat(attempts.collapsed()).as("answered at last").isEqualTo("true");
            attempts.forward();
            assertThat(attempts.collapsed()).as("sent without sharing at last").isEqualTo("false");
        }
    }

    /** Attempts of one caller, and the observation that is open on its thread meanwhile. */
    private static final class Attempts implements AutoCloseable {

        private final CollapsedKeyValue marks;
        private final ClientRequestObservationContext context;
        private final Observation observation;
        private final Observation.Scope scope;

        Attempts() throws IOException {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(any -> true);
            StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("registry", registry));
            marks = new CollapsedKeyValue(beans.getBeanProvider(ObservationRegistry.class));
            context = new ClientRequestObservationContext(new SimpleClientHttpRequestFactory()
                    .createRequest(URI.create("http://host/user/1"), HttpMethod.GET));
            observation = Observation.start("http.client.requests", () -> context, registry);
            scope = observation.openScope();
        }

        void end(HttpCallSummary.Role role, HttpCallSummary.Outcome outcome) {
            marks.ofRequests("rest-template")
                    .requestEnded(new HttpCallSummary(
                            CollapseRule.of(CollapsePolicy.strict(), "/user/*"), role, outcome, 1, null, null));
        }

        void forward() {
            marks.ofRequests("rest-template")
                    .requestNotCollapsed(null, Reason.PAUSED, "GET", URI.create("http://host/user/1"));
        }

        String collapsed() {
            return marks.map(context).getLowCardinalityKeyValue("collapsed").getValue();
        }

        @Override
        public void close() {
            scope.close();
            observation.stop();
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
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(CollapsedKeyValue.class));
    }

    /** Loads the package itself, so that its classes find no WebFlux. */
    private static final class WithoutWebFlux extends URLClassLoader {

        WithoutWebFlux() {
            super(
                    new URL[] {
                        CollapsedKeyValue.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                    },
                    CollapsedKeyValueTests.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.springframework.web.reactive.")) {
                throw new ClassNotFoundException(name);
            }
            if (name.startsWith(CollapsedKeyValue.class.getPackageName() + ".")) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
            return super.loadClass(name, resolve);
        }
    }

    @Test
    void withoutWebFluxOtherObservationsPassAsTheyAre() throws Exception {
        try (WithoutWebFlux loader = new WithoutWebFlux()) {
            Constructor<?> constructor =
                    loader.loadClass(CollapsedKeyValue.class.getName()).getDeclaredConstructor(ObjectProvider.class);
            constructor.setAccessible(true);
            ObservationFilter filter = (ObservationFilter)
                    constructor.newInstance(new StaticListableBeanFactory().getBeanProvider(ObservationRegistry.class));
            Observation.Context another = new Observation.Context();
            assertThat(filter.map(another)).isSameAs(another);
            assertThat(another.getAllKeyValues()).isEmpty();
        }
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
