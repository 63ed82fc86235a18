package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.BatchSummary;
import io.github.collapseexecutor.core.CollapseListener;
import io.github.collapseexecutor.http.HttpCallSummary;
import io.github.collapseexecutor.http.HttpCollapseListener;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.spring.boot.CollapseControl;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.client.RestTemplate;

/** Meters, observations, listeners and the endpoint in applications that are not set up as most are. */
class ObservabilityVariationsTests extends OriginFixture {

    private static final int CALLERS = 4;

    /** All callers are in one batch, which starts when the last has come. */
    private static final String YAML = """
            collapse:
              executor:
                wait-threshold: 4
                collecting-wait-time: 10m
                rest-template:
                  apply-bean-names: restTemplate
                  collapse-groups:
                    - uris: /user/*
            management:
              endpoints:
                web:
                  exposure:
                    include: collapse
            """;

    @Configuration(proxyBeanMethods = false)
    static class Client {

        @Bean
        RestTemplate restTemplate() {
            return new RestTemplate();
        }

        @Bean
        SimpleMeterRegistry simpleMeterRegistry() {
            return new SimpleMeterRegistry();
        }
    }

    private static TestApplication application(Class<?>... more) {
        return new TestApplication().with(Client.class).with(more);
    }

    /** Four callers share one call. */
    private void ask(ConfigurableApplicationContext context) throws Exception {
        RestTemplate client = context.getBean(RestTemplate.class);
        String uri = origin.uri("/user/1").toString();
        int before = origin.requests().size();
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                answers.add(threads.submit(() -> String.valueOf(client.getForObject(uri, String.class))));
            }
            for (Future<String> answer : answers) {
                assertThat(answer.get(30, TimeUnit.SECONDS)).isNotNull();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(origin.requests()).hasSize(before + 1);
    }

    private static double saved(MeterRegistry registry) {
        return registry.get("collapse.saved")
                .tag("name", "rest-template")
                .counter()
                .count();
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherRegistry {

        @Bean
        PrometheusMeterRegistry prometheusMeterRegistry() {
            return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        }
    }

    @Test
    void eachOfTwoRegistriesCountsOnce() throws Exception {
        try (ConfigurableApplicationContext context =
                application(AnotherRegistry.class).start(YAML)) {
            ask(context);
            assertThat(saved(context.getBean(SimpleMeterRegistry.class))).isEqualTo(CALLERS - 1);
            assertThat(saved(context.getBean(PrometheusMeterRegistry.class))).isEqualTo(CALLERS - 1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Filters {

        @Bean
        MeterFilter common() {
            return MeterFilter.commonTags(List.of(io.micrometer.core.instrument.Tag.of("region", "north")));
        }

        @Bean
        MeterFilter deny() {
            return MeterFilter.denyNameStartsWith("collapse.calls");
        }
    }

    @Test
    void metersTakeCommonTags_andSomeOfThemMayBeDenied() throws Exception {
        try (ConfigurableApplicationContext context = application(Filters.class).start(YAML)) {
            ask(context);
            SimpleMeterRegistry registry = context.getBean(SimpleMeterRegistry.class);
            assertThat(registry.get("collapse.saved")
                            .tag("region", "north")
                            .counter()
                            .count())
                    .isEqualTo(CALLERS - 1);
            assertThat(registry.get("collapse.pending").tag("region", "north").gauges())
                    .isNotEmpty();
            assertThat(registry.find("collapse.calls").meters()).isEmpty();
        }
    }

    @Test
    void allMetersCanBeSwitchedOff() throws Exception {
        try (ConfigurableApplicationContext context = application()
                .arguments(
                        "--management.metrics.enable.collapse=false", "--management.observations.enable.collapse=false")
                .start(YAML)) {
            ask(context);
            assertThat(context.getBean(SimpleMeterRegistry.class).getMeters())
                    .noneMatch(meter -> meter.getId().getName().startsWith("collapse"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Throwing {

        // mutable, thread-safe
        final List<String> told = new CopyOnWriteArrayList<>();

        @Bean
        @Order(1)
        CollapseListener first() {
            return batch -> {
                throw new AssertionError("of a listener of batches");
            };
        }

        @Bean
        @Order(2)
        CollapseListener second() {
            return (BatchSummary batch) -> told.add("batch");
        }

        @Bean
        @Order(1)
        HttpCollapseListener firstOfRequests() {
            return new HttpCollapseListener() {
                @Override
                public void requestEnded(HttpCallSummary request) {
                    throw new AssertionError("of a listener of requests");
                }
            };
        }

        @Bean
        @Order(2)
        HttpCollapseListener secondOfRequests() {
            return new HttpCollapseListener() {
                @Override
                public void requestEnded(HttpCallSummary request) {
                    told.add("request");
                }
            };
        }
    }

    @Test
    void aListenerThatThrowsAnErrorKeepsNothingFromTheOthersNorFromTheCallers() throws Exception {
        try (ConfigurableApplicationContext context =
                application(Throwing.class).start(YAML)) {
            ask(context);
            List<String> told = context.getBean(Throwing.class).told;
            Awaitility.await()
                    .untilAsserted(() -> assertThat(told)
                            .containsExactlyInAnyOrder("batch", "request", "request", "request", "request"));
            assertThat(saved(context.getBean(SimpleMeterRegistry.class))).isEqualTo(CALLERS - 1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConvention {

        @Bean
        GlobalObservationConvention<BatchContext> batchConvention() {
            return new GlobalObservationConvention<>() {
                @Override
                public String getName() {
                    return "shop.batch";
                }

                @Override
                public boolean supportsContext(Observation.Context context) {
                    return context instanceof BatchContext;
                }
            };
        }
    }

    @Test
    void theApplicationsOwnConventionNamesTheBatches() throws Exception {
        try (ConfigurableApplicationContext context =
                application(OwnConvention.class).start(YAML)) {
            ask(context);
            SimpleMeterRegistry registry = context.getBean(SimpleMeterRegistry.class);
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(registry.get("shop.batch").timer().count())
                                    .isEqualTo(1));
            assertThat(registry.find("collapse.observed.batches").meters()).isEmpty();
        }
    }

    private static int status(ConfigurableApplicationContext context, String path, String action) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + path));
        if (!action.isEmpty()) {
            request.header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"" + action + "\"}"));
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @ParameterizedTest
    @CsvSource({
        "management.endpoints.web.base-path=/manage, /manage/collapse, 200, 405",
        "management.endpoints.web.path-mapping.collapse=sharing, /actuator/sharing, 200, 405",
        "management.endpoints.access.default=none, /actuator/collapse, 404, 404",
        "management.endpoints.access.default=unrestricted, /actuator/collapse, 200, 200",
        "management.endpoints.access.max-permitted=read-only, /actuator/collapse, 200, 405",
        "spring.main.lazy-initialization=true, /actuator/collapse, 200, 405",
    })
    void theEndpointIsWhereAndAsFarAsTheActuatorSays(String property, String path, int read, int write)
            throws Exception {
        try (ConfigurableApplicationContext context =
                application().withServer().arguments("--" + property).start(YAML)) {
            ask(context);
            assertThat(status(context, path, "")).isEqualTo(read);
            assertThat(status(context, path + "/rest-template", "pause")).isEqualTo(write);
            assertThat(context.getBean(CollapseControl.class).isPaused("rest-template"))
                    .isEqualTo(write == 200);
        }
    }

    @Test
    void maxPermittedLimitsWhatTheEndpointItselfAllows() throws Exception {
        try (ConfigurableApplicationContext context = application()
                .withServer()
                .arguments(
                        "--management.endpoint.collapse.access=unrestricted",
                        "--management.endpoints.access.max-permitted=read-only")
                .start(YAML)) {
            assertThat(status(context, "/actuator/collapse/rest-template", "pause"))
                    .isEqualTo(405);
        }
    }

    @Test
    void anApplicationThatStartsTwiceMeasuresEachForItself() throws Exception {
        for (int start = 0; start < 2; start++) {
            try (ConfigurableApplicationContext context = application().start(YAML)) {
                ask(context);
                assertThat(saved(context.getBean(SimpleMeterRegistry.class))).isEqualTo(CALLERS - 1);
            }
        }
    }

    @Test
    void onAManagementPortOfItsOwnTheEndpointShowsAndSwitchesTheApplication() throws Exception {
        try (ConfigurableApplicationContext context = application()
                .withServer()
                .arguments("--management.server.port=0", "--management.endpoint.collapse.access=unrestricted")
                .start(YAML)) {
            String port = context.getEnvironment().getProperty("local.management.port");
            assertThat(port).isNotEqualTo(context.getEnvironment().getProperty("local.server.port"));
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(
                                            URI.create("http://localhost:" + port + "/actuator/collapse/rest-template"))
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString("{\"action\": \"pause\"}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(context.getBean(CollapseControl.class).isPaused("rest-template"))
                    .isTrue();
        }
    }
}
