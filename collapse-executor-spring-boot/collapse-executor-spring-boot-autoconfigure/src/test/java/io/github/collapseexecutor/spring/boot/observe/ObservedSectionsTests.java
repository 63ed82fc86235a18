package io.github.collapseexecutor.spring.boot.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.collapseexecutor.core.CollapseOptions;
import io.github.collapseexecutor.core.ContextCarrier;
import io.github.collapseexecutor.http.fixture.OriginFixture;
import io.github.collapseexecutor.http.fixture.ScriptedOrigin.Hold;
import io.github.collapseexecutor.spring.boot.CollapseExecutorAutoConfiguration;
import io.github.collapseexecutor.spring.boot.fixture.TestApplication;
import io.github.collapseexecutor.spring.boot.registry.HttpSections;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** Where observations are recorded, the batches of every section are observed, and the spans of callers and batches link one another. */
class ObservedSectionsTests extends OriginFixture {

    private static final int CALLERS = 4;

    private static final String YAML = """
            collapse:
              executor:
                join: in-flight
                max-wait: 10m
                rest-template:
                  apply-bean-names: restTemplate
                  collapse-groups:
                    - uris: /user/*
                web-client:
                  apply-bean-names: webClient
                  collapse-groups:
                    - uris: /user/*
            """;

    /** Boot 3.5 would have a second one, with handlers of its own. */
    private static final String ONE_TRACER = "--spring.autoconfigure.exclude="
            + "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration";

    @Configuration(proxyBeanMethods = false)
    static class Observed {

        @Bean
        InMemorySpanExporter exporter() {
            return InMemorySpanExporter.create();
        }

        @Bean
        SdkTracerProvider provider(InMemorySpanExporter exporter) {
            return SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build();
        }

        @Bean
        SimpleMeterRegistry simpleMeterRegistry() {
            return new SimpleMeterRegistry();
        }

        @Bean
        ObservationRegistry observationRegistry(SdkTracerProvider provider) {
            OtelTracer tracer = new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), event -> {});
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig()
                    .observationHandler(new FirstMatchingCompositeObservationHandler(
                            new BatchTracingHandler(tracer), new DefaultTracingObservationHandler(tracer)));
            return registry;
        }

        @Bean
        RestTemplate restTemplate(ObservationRegistry registry) {
            RestTemplate template = new RestTemplate();
            template.setObservationRegistry(registry);
            return template;
        }

        @Bean
        WebClient webClient(ObservationRegistry registry) {
            return WebClient.builder().observationRegistry(registry).build();
        }
    }

    /** All callers are in one batch, which starts when the last has come. */
    private static final String[] GATHERED = {
        "--collapse.executor.join=fresh",
        "--collapse.executor.wait-threshold=" + CALLERS,
        "--collapse.executor.collecting-wait-time=10m"
    };

    private ConfigurableApplicationContext application(String... arguments) {
        return new TestApplication()
                .with(Observed.class)
                .arguments(ONE_TRACER)
                .arguments(arguments)
                .start(YAML);
    }

    /** All gather for one call. */
    private void askTogether(Function<String, Future<String>> client) throws Exception {
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            answers.add(client.apply(origin.uri("/user/1").toString()));
        }
        for (Future<String> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isNotNull();
        }
        assertThat(origin.requests()).hasSize(1);
    }

    /** One caller asks and is held; the others join its call. */
    private void ask(Function<String, Future<String>> client, Runnable othersHaveCome) throws Exception {
        Hold hold = origin.hold();
        List<Future<String>> answers = new ArrayList<>();
        answers.add(client.apply(origin.uri("/user/1").toString()));
        hold.await(1);
        for (int i = 1; i < CALLERS; i++) {
            answers.add(client.apply(origin.uri("/user/1").toString()));
        }
        othersHaveCome.run();
        hold.release();
        for (Future<String> answer : answers) {
            assertThat(answer.get(30, TimeUnit.SECONDS)).isNotNull();
        }
        assertThat(origin.requests()).hasSize(1);
    }

    private void askByRestTemplate(ConfigurableApplicationContext context, boolean together) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        RestTemplate client = context.getBean(RestTemplate.class);
        Function<String, Future<String>> asking =
                uri -> threads.submit(() -> String.valueOf(client.getForObject(uri, String.class)));
        try {
            if (together) {
                askTogether(asking);
            } else {
                ask(asking, () -> awaitPending(context, "rest-template"));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Function<String, Future<String>> webClientOf(ConfigurableApplicationContext context) {
        WebClient client = context.getBean(WebClient.class);
        return uri -> client.get()
                .uri(uri)
                .retrieve()
                .bodyToMono(String.class)
                .defaultIfEmpty("")
                .toFuture();
    }

    private static void awaitPending(ConfigurableApplicationContext context, String section) {
        HttpSections.Section present = context.getBean(HttpSections.class).find(section);
        assertThat(present).isNotNull();
        Awaitility.await().until(() -> present.control().counts().callers() == CALLERS);
    }

    private static List<SpanData> spans(ConfigurableApplicationContext context, String name) {
        return context.getBean(InMemorySpanExporter.class).getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    /** A caller may have its answer before its request's observation has stopped. */
    private static List<SpanData> requestsIn(ConfigurableApplicationContext context) {
        return Awaitility.await().until(() -> spans(context, "http get"), found -> found.size() == CALLERS);
    }

    /** A caller may have its answer before the batch has stopped. */
    private static SpanData batchIn(ConfigurableApplicationContext context) {
        return Awaitility.await()
                .until(() -> spans(context, "collapse batch"), found -> !found.isEmpty())
                .get(0);
    }

    private static List<String> linkedBy(SpanData span) {
        return span.getLinks().stream()
                .map(LinkData::getSpanContext)
                .map(SpanContext::getSpanId)
                .toList();
    }

    @Test
    void theSpansOfRestTemplatesFollowersLinkTheBatchWhoseLeaderIsItsParent() throws Exception {
        try (ConfigurableApplicationContext context = application(GATHERED)) {
            askByRestTemplate(context, true);
            SpanData batch = batchIn(context);
            assertThat(batch.getAttributes().asMap().values()).contains("rest-template", Integer.toString(CALLERS));
            List<SpanData> requests = requestsIn(context);
            assertThat(requests).hasSize(CALLERS);
            assertThat(linkedBy(batch))
                    .containsExactlyInAnyOrderElementsOf(
                            requests.stream().map(SpanData::getSpanId).toList())
                    .contains(batch.getParentSpanId());
            for (SpanData request : requests) {
                boolean leads = request.getSpanId().equals(batch.getParentSpanId());
                assertThat(linkedBy(request)).isEqualTo(leads ? List.of() : List.of(batch.getSpanId()));
            }
        }
    }

    @Test
    void theSpansOfWebClientsFollowersLinkTheBatchWhoseLeaderIsItsParent() throws Exception {
        try (ConfigurableApplicationContext context = application(GATHERED)) {
            askTogether(webClientOf(context));
            SpanData batch = batchIn(context);
            List<SpanData> requests = requestsIn(context);
            assertThat(requests).hasSize(CALLERS);
            assertThat(requests)
                    .filteredOn(request -> linkedBy(request).equals(List.of(batch.getSpanId())))
                    .hasSize(CALLERS - 1);
            assertThat(requests).extracting(SpanData::getSpanId).contains(batch.getParentSpanId());
        }
    }

    @Test
    void aCallerThatJoinsTheCallOfAnotherLinksItsSpan_andIsMarked() throws Exception {
        try (ConfigurableApplicationContext context = application()) {
            ask(webClientOf(context), () -> awaitPending(context, "web-client"));
            List<SpanData> requests = requestsIn(context);
            assertThat(requests).hasSize(CALLERS);
            assertThat(spans(context, "collapse batch")).isEmpty();
            List<String> leader = requests.stream()
                    .filter(request -> request.getLinks().isEmpty())
                    .map(SpanData::getSpanId)
                    .toList();
            assertThat(leader).hasSize(1);
            assertThat(requests)
                    .filteredOn(request -> linkedBy(request).equals(leader))
                    .hasSize(CALLERS - 1);
            SimpleMeterRegistry meters = context.getBean(SimpleMeterRegistry.class);
            Awaitility.await().until(() -> requests(meters, "true") + requests(meters, "false") == CALLERS);
            assertThat(requests(meters, "true"))
                    .as("answered by another's call")
                    .isEqualTo(CALLERS - 1);
            assertThat(requests(meters, "false")).as("sent").isEqualTo(1);
            assertThat(meters.find("http.client.requests").tag("status", "200").timers().stream()
                            .mapToLong(Timer::count)
                            .sum())
                    .as("a follower's status is that of its response")
                    .isEqualTo(CALLERS);
        }
    }

    private static long requests(SimpleMeterRegistry meters, String collapsed) {
        return meters.find("http.client.requests").tag("collapsed", collapsed).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    @Test
    void theseObservationsCanBeSwitchedOff() throws Exception {
        try (ConfigurableApplicationContext context = application("--management.observations.enable.collapse=false")) {
            askByRestTemplate(context, false);
            assertThat(requestsIn(context))
                    .hasSize(CALLERS)
                    .allSatisfy(request -> assertThat(linkedBy(request)).isEmpty());
            assertThat(spans(context, "collapse batch")).isEmpty();
            assertThat(context.getBean(SimpleMeterRegistry.class)
                            .find("collapse.observed.batches")
                            .timers())
                    .isEmpty();
        }
    }

    @Test
    void theApplicationsOwnCarrierIsAskedFirstAndWithItsOwnObservedBatchesThereAreNoOthers() {
        runner().withBean(ObservationRegistry.class, ObservationRegistry::create)
                .run(context -> assertThat(carrierIn(context)).isInstanceOf(ObservedBatches.class));
        runner().withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withBean(ContextCarrier.class, PropagatedContext::none)
                .run(context -> assertThat(carrierIn(context))
                        .hasToString(PropagatedContext.none() + " and then ObservedBatches[rest-template]"));
        ObservedBatches own = new ObservedBatches(ObservationRegistry.create());
        runner().withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withBean(ObservedBatches.class, () -> own)
                .run(context -> assertThat(carrierIn(context)).isSameAs(own));
    }

    @Test
    void withoutARegistryOrTheLibraryNothingIsObserved() {
        runner().run(context -> assertThat(carrierIn(context)).isNull());
        runner().withClassLoader(new FilteredClassLoader("io.micrometer.observation"))
                .run(context -> assertThat(carrierIn(context)).isNull());
    }

    private static @Nullable ContextCarrier carrierIn(AssertableApplicationContext context) {
        assertThat(context).hasNotFailed();
        HttpSections.Section section = context.getBean(HttpSections.class).find("rest-template");
        assertThat(section).isNotNull();
        CollapseOptions core = section.core();
        return core.contextCarrier();
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        CollapseExecutorAutoConfiguration.class, CollapseObservationAutoConfiguration.class))
                .withPropertyValues("collapse.executor.rest-template.collapse-groups[0].uris=/user/*");
    }
}
